// host-policy.js with the service faked: `link.request` is all of it that the face knows.
import { createHostPolicy } from '../../sdk_stubs/host-policy.js'

export const ROWS = [
  { id: 'view.showBrowser', label: 'Toggle browser', category: 'view', verdict: 'ok' },
  { id: 'nav.settings', label: 'Open settings', category: 'navigation', verdict: 'ok' },
  { id: 'nav.cron', label: 'Open scheduled jobs', category: 'navigation', verdict: 'unavailable' },
  { id: 'session.archive', label: 'Archive current session', category: 'session', verdict: 'denied' },
]

export function world(options = {}) {
  const said = []
  const asked = []
  const reported = []
  let nowMs = 1000
  const answers = []
  const link = {
    request(method, params) {
      asked.push([method, JSON.parse(JSON.stringify(params))])
      return answers.length ? answers.shift() : Promise.resolve({ ok: true, line: 'x' })
    },
  }
  const policy = createHostPolicy({
    handlers: { 'view.showBrowser': () => {}, 'session.archive': () => said.push('archived!') },
    console: { warn: (text) => said.push(text) },
    nowMs: () => nowMs,
    reportPet: (state) => reported.push(state),
    ...options,
  })
  const { ctx, dispose } = policy.forPlugin({ id: 'demo', token: 'secret' })
  return { policy, ctx, dispose, link, asked, said, reported, answers, pass: (ms) => (nowMs += ms) }
}

export function connected(options) {
  const here = world(options)
  here.policy.connect(here.link, ROWS)
  return here
}

export const turn = () => new Promise((resolve) => setImmediate(resolve))
