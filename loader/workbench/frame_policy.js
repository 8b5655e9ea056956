// The policy doors inside a frame. Plugins read the answer in the same tick, so the page sends the service's table of
// actions ahead: a refusal is known at once. What may run goes to the service, which asks the app's window.
//
//   const r = ctx.runAction('nav.settings')      r.ok: the table's word, as in the app
//   const done = await ctx.runAction(…)          what the window has answered, within the service's deadline

import { ID_UNITS, TEXT_UNITS, lineOf, sayOptions, sendable, shown } from '/workbench/shared/host-policy-text.js'

const WHERE_TO_READ = 'ctx.listActions() lists those that are; see docs/policy.md.'

/**
 * @param {(method: string, params: object) => Promise<any>} ask asks the service through the page; never rejects
 * @param {(level: 'info' | 'warn', text: string) => void} log
 */
export function framedPolicy(ask, log) {
  let table = new Map()
  let mounted = false
  let marks = 0
  // Two frames of one plugin must not make the same mark for its lines.
  const instance = Math.random().toString(36).slice(2, 12)

  function judge(action) {
    const row = typeof action === 'string' ? table.get(action) : undefined
    if (!row) return refused('unknown', `'${shown(action)}' is not a Hermes app action. ${WHERE_TO_READ}`)
    if (row.verdict === 'denied') return refused('denied', `'${shown(action)}' is not available to plugins. ${WHERE_TO_READ}`)
    const why = mounted ? 'no connected app window has a handler for it' : 'no app window is connected'
    if (!mounted || row.verdict !== 'ok')
      return refused('unavailable', `'${shown(action)}' is unavailable: ${why}. See docs/policy.md.`)
    return { ok: true }
  }

  function runAction(action) {
    const result = judge(action)
    // Refused ones are sent too: the service logs and counts them.
    const answer = ask('runAction', { action: sendable(action) })
    answer.then((came) => {
      log(came.ok ? 'info' : 'warn', `runAction ${shown(action)}: ${came.ok ? 'ok' : came.reason}`)
    })
    // Not seen by who lists or copies the result: only `await` looks for it.
    return Object.defineProperty(result, 'then', { value: (...both) => answer.then(plain).then(...both) })
  }

  const policy = {
    runAction,
    listActions: () =>
      mounted ? [...table.values()].filter((row) => row.verdict === 'ok').map(({ id, label, category }) => ({ id, label, category })) : [],
    pet: {
      visible: {
        value: false,
        get: () => false,
        listen: () => () => {},
        subscribe: (listener) => (listener(false), () => {}),
      },
      say(text, options) {
        const call = `${instance}:${(marks += 1)}`
        const asked = ask('pet.say', { text: lineOf(text, TEXT_UNITS), call, ...sayOptions(options) })
        // Only what this very call made goes, not a line that came in its place.
        return () => void asked.then((result) => result.ok && ask('pet.clear', { call }))
      },
      clear: (line) => void ask('pet.clear', line === undefined || line === null ? {} : { id: lineOf(line, ID_UNITS) }),
    },
  }

  return {
    policy,
    /** The table as the page has it now, and whether an app window is connected. */
    told(actions, isMounted) {
      table = new Map(actions.map((row) => [row.id, row]))
      mounted = isMounted
    },
  }
}

function refused(reason, error) {
  return { ok: false, reason, error }
}

/** Only the shapes that docs/policy.md has. */
function plain(came) {
  return came.ok ? { ok: true } : refused(came.reason ?? 'unavailable', came.error ?? '')
}
