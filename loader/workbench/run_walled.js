// A plugin.js of foreign origin, run here: in a frame of its own origin, as an app's window would have it.

import { fill, h } from '/workbench/dom.js'
import { call } from '/workbench/session.js'
import { themeNow } from '/workbench/theme.js'
import { walledFrame } from '/workbench/walled.js'
import { wallHolds } from '/workbench/wall_holds.js'

const LOG_LINES = 200
const LEVELS = ['log', 'info', 'warn', 'error']
const short = (value, length = 500) => String(value ?? '').slice(0, length)

/** @returns {{element: HTMLElement, stop: () => void}} */
export function runWalled({ store, row, granted, live, onState }) {
  const log = h('ol', { class: 'run-log', 'aria-label': 'What it says' })
  const element = h('div', { class: 'stack' }, log)
  let frame = null
  let stopped = false
  let told = 0

  function line(level, text) {
    if ((told += 1) > LOG_LINES) return
    log.append(
      h(
        'li',
        { data: { level } },
        h('span', { class: 'faint mono' }, level),
        h('bdi', { class: 'mono' }, told === LOG_LINES ? 'more is not shown' : short(text)),
      ),
    )
  }

  function say(said) {
    if (said.kind === 'state') {
      onState(short(said.text, 200))
      line('state', said.text)
    } else if (said.kind === 'console') line(LEVELS.includes(said.level) ? said.level : 'log', said.text)
    else if (said.kind === 'door') line('policy', `${said.method}: ${said.result.ok ? 'ok' : said.result.reason}`)
  }

  function end(why) {
    if (!stopped) fill(element, h('p', { class: 'note', data: { tone: 'bad' } }, `Stopped: ${why}.`))
    stopped = true
    cut()
  }

  const actionsNow = () => ({ actions: store.actions, mounted: Boolean(store.rows.get(row.key)?.shells.length) })
  const hear = (method, params) => frame?.told(method, params)
  const ends = [
    store.on('policy', () => frame?.tell({ kind: 'actions', ...actionsNow() })),
    store.on('about', () => frame?.attach()),
  ]
  store.wallHeard.add(hear)

  function cut() {
    store.wallHeard.delete(hear)
    for (const done of ends) done()
  }

  async function open() {
    if (!(await wallHolds())) return end('this browser does not hold a frame to its own origin')
    try {
      const opened = await call('POST', granted.frame.open, {})
      if (stopped) return live.request('wall/close', { frame_token: opened.token }).catch(() => {})
      frame = walledFrame({
        opened,
        request: live.request,
        title: `${row.name}, running`,
        start: { id: row.id, name: row.name, module: '/.hermes/plugin.js', theme: themeNow(), keeps: true, ...actionsNow() },
        onSay: say,
        onEnd: end,
      })
      frame.element.classList.add('run-frame')
      element.prepend(frame.element)
    } catch (error) {
      end(error.message)
    }
    return undefined
  }

  open()
  return {
    element,
    stop() {
      stopped = true
      cut()
      frame?.stop()
    },
  }
}
