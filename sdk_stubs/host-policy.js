/**
 * The plugin-facing side of the host policy, for a shell to ship: ctx.runAction, ctx.listActions and ctx.pet.
 *
 * All three answer in the same tick, from the action table that the service sent, and none ever throws: a plugin calls
 * them in event handlers and in render. What the pet shows is decided by the service; `say` only sends the call on.
 * Without a connection actions are `unavailable`, the list is empty and the pet is not visible.
 *
 *   const policy = createHostPolicy({ handlers: { 'nav.settings': () => openSettings() }, reportPet: putPet(url, token) })
 *   const link = connectSocket(policy, new WebSocket(…), { version: '1.0' })
 *   const { ctx, dispose } = policy.forPlugin({ id: row.id, token: plugin_token })   // for each plugin/load
 */

import { allowance, atom, foldedLog, followFocus, newest, readable } from './host-policy-parts.js'
import { ID_UNITS, TEXT_UNITS, lineOf, sayOptions, sendable, shown, wordsOf } from './host-policy-text.js'

export { shown }

const WHERE_TO_READ = 'ctx.listActions() lists those that are; see docs/policy.md.'
// A plugin in a loop must not fill the socket's buffer: calls beyond these are dropped here already.
const OPEN_CALLS = 64
const REPORTS_IN_A_SECOND = 100
const LOG_INTERVAL_MS = 1000

const SAY_REASONS = new Map([
  ['empty', 'nothing is left of the text after cleaning'],
  ['id', "the line's id is empty or too long"],
  ['rate', 'too many calls'],
  ['lines', 'enough lines are already showing; give a line an id to replace it'],
  ['gone', 'this revision of the plugin is no longer running'],
])

/**
 * @param {object} options
 * @param {Record<string, Function> | Map<string, Function>} options.handlers what this shell can run, by action id;
 *   a handler may return `{ok: false, error}` or `false` to say no, and may throw
 * @param {(row: {id: string, label: string, category: string}) => string} [options.label] localises a label
 * @param {(state: {visible: boolean, core_status: string}) => unknown} [options.reportPet] tells the service of the pet
 * @param {{warn: Function}} [options.console]
 * @param {() => number} [options.nowMs] monotonic milliseconds
 */
export function createHostPolicy(options = {}) {
  const named = options.handlers instanceof Map ? [...options.handlers] : Object.entries(options.handlers ?? {})
  const handlers = new Map(named.filter(([, handler]) => typeof handler === 'function'))
  const nowMs = options.nowMs ?? (() => performance.now())
  const log = foldedLog(options.console ?? globalThis.console, nowMs, LOG_INTERVAL_MS)
  const visible = atom(false)
  const lines = atom([])
  let pet = { visible: false, core_status: 'idle' }
  let petTold = false
  const reports = newest((state) => link && options.reportPet?.(state))
  let link = null
  /** What the service said last, and when: a connection that resumes is not told again what did not change. */
  let told = { rows: [], atMs: 0 }
  /** null until the service has sent a table: then nothing is known of any id. */
  let table = null
  let marks = 0
  // Two windows of one app must not make the same mark for lines of one plugin.
  const instance = Math.random().toString(36).slice(2, 12)

  function setTable(rows) {
    if (Array.isArray(rows)) table = new Map(rows.filter((row) => row && typeof row.id === 'string').map((row) => [row.id, row]))
  }

  /** Runs this shell's own handler. Never throws; a promise counts as a yes, its rejection goes to the console. */
  function callHandler(action) {
    const handler = handlers.get(action)
    if (!handler) return unavailable(action, 'no connected app window has a handler for it')
    let said
    try {
      said = handler()
      if (typeof said?.then === 'function') {
        said.then(undefined, (error) => log('shell', 'action', `${action} failed later: ${wordsOf(error)}`))
        return { ok: true }
      }
      if (said !== false && said?.ok !== false) return { ok: true }
      said = said === false ? '' : wordsOf(said.error ?? '')
    } catch (error) {
      said = wordsOf(error)
    }
    return unavailable(action, said ? `the app window refused (${said})` : 'the app window refused')
  }

  function judge(action, alive) {
    if (!table) return unavailable(action, 'the plugin host service is away')
    const row = typeof action === 'string' ? table.get(action) : undefined
    if (!row) return refused('unknown', `'${shown(action)}' is not a Hermes app action. ${WHERE_TO_READ}`)
    if (row.verdict === 'denied') return refused('denied', `'${shown(action)}' is not available to plugins. ${WHERE_TO_READ}`)
    if (!alive) return unavailable(action, 'this revision of the plugin is no longer running')
    if (!link) return unavailable(action, 'the plugin host service is away')
    return callHandler(action)
  }

  /** Sends a request and forgets it, or hands its answer on. A link that fails is a service that is away. */
  function tell(method, params, answered = () => {}, failed = () => {}) {
    try {
      Promise.resolve(link?.request(method, params)).then(answered, failed).catch(() => {})
    } catch {
      failed()
    }
  }

  function forPlugin({ id, token }) {
    let alive = true
    let saying = 0
    let clearing = 0
    const mayReport = allowance(REPORTS_IN_A_SECOND, 1000, nowMs)
    const seen = readable(visible)

    function runAction(action) {
      const result = judge(action, alive)
      if (!result.ok) log(id, 'runAction', result.error)
      if (link && mayReport()) tell('action/report', { plugin_token: token, action: sendable(action), result })
      return result
    }

    function listActions() {
      if (!link || !alive) return []
      const rows = [...(table?.values() ?? [])].filter((row) => row.verdict !== 'denied' && handlers.has(row.id))
      return rows.map((row) => ({ id: row.id, label: localised(row), category: row.category }))
    }

    function localised(row) {
      try {
        return (options.label && options.label({ id: row.id, label: row.label, category: row.category })) || row.label
      } catch {
        return row.label
      }
    }

    function drop(reason, kind = 'pet.say') {
      log(id, kind, SAY_REASONS.get(reason) ?? reason)
    }

    function say(text, opts) {
      const nothing = () => {}
      if (!alive) return drop('gone'), nothing
      if (!link) return drop('the plugin host service is away'), nothing
      if (saying >= OPEN_CALLS) return drop('rate'), nothing
      const call = `${instance}:${(marks += 1)}`
      let live = true
      saying += 1
      const settled = (answer) => {
        saying -= 1
        if (answer?.ok) return
        live = false
        if (answer) drop(answer.reason ?? 'refused')
      }
      const params = { plugin_token: token, text: lineOf(text, TEXT_UNITS), call, ...sayOptions(opts) }
      tell('pet.say', params, settled, () => settled())
      return function dispose() {
        if (!live) return
        live = false
        take({ call })
      }
    }

    function clear(line) {
      take(line === undefined || line === null ? {} : { id: lineOf(line, ID_UNITS) })
    }

    function take(which) {
      if (!link || !alive) return
      if (clearing >= OPEN_CALLS) return drop('rate', 'pet.clear')
      clearing += 1
      const settled = () => {
        clearing -= 1
      }
      tell('pet.clear', { plugin_token: token, ...which }, settled, settled)
    }

    return {
      ctx: Object.freeze({ runAction, listActions, pet: Object.freeze({ say, clear, visible: seen.face }) }),
      /** When the plugin is unloaded or replaced. The service clears its lines by itself. */
      dispose() {
        alive = false
        seen.end()
      },
    }
  }

  function showLines(rows) {
    if (!Array.isArray(rows)) return
    told = { rows, atMs: nowMs() }
    lines.set(rows)
  }

  function stillLive() {
    const passedMs = nowMs() - told.atMs
    const rows = told.rows.map((row) => ({ ...row, expires_in_ms: row.expires_in_ms - passedMs }))
    return rows.filter((row) => row.expires_in_ms > 0)
  }

  function showPet() {
    visible.set(Boolean(link) && pet.visible)
  }

  return {
    forPlugin,
    /** Part of `shell/mount`'s params: what this shell can run. */
    mountParams: () => ({ actions: [...handlers.keys()] }),
    /** The lines that the bubble shows now: `{plugin, id, label, text, tone, expires_in_ms}`. */
    lines: readable(lines).face,
    /** The connection is there: `link.request(method, params)` gives a promise of the result. */
    connect(newLink, rows) {
      link = newLink
      setTable(rows)
      showPet()
      reports.anew()
      // A service that was started anew knows of no pet, and one that was there all along not of what changed meanwhile.
      if (petTold) reports.tell({ ...pet })
    },
    disconnect(oldLink = link) {
      if (link !== oldLink) return
      link = null
      showPet()
      lines.set([])
    },
    /** Notifications of the service; others than these are not ours. */
    receive(method, params) {
      if (method === 'policy/actions' || method === 'hello') setTable(params?.actions)
      if (method === 'pet/lines') showLines(params?.lines)
      if (method === 'hello') showLines(params?.resumed ? stillLive() : params?.pet?.lines)
    },
    /** The answer to the service's request `action/run`: for callers that do not live in this realm. */
    run(params) {
      const row = typeof params?.action === 'string' ? table?.get(params.action) : undefined
      // The service has judged already; a second look costs nothing and holds if it is ever wrong.
      if (!row || row.verdict === 'denied') return { ok: false, error: 'not available to plugins' }
      const result = callHandler(params?.action)
      return result.ok ? result : { ok: false, error: result.error }
    },
    /** What the shell knows of its pet; the service hears of it when it changes. */
    setPet(state = {}) {
      const next = {
        visible: typeof state.visible === 'boolean' ? state.visible : pet.visible,
        core_status: ['idle', 'error', 'waiting'].includes(state.coreStatus) ? state.coreStatus : pet.core_status,
      }
      const changed = next.visible !== pet.visible || next.core_status !== pet.core_status
      pet = next
      showPet()
      petTold ||= changed
      if (changed && link) reports.tell({ ...pet })
    },
  }
}

/** Tells the service of the pet over HTTP: `reportPet` for createHostPolicy. */
export function putPet(url, token, fetch = globalThis.fetch) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return (state) => fetch(`${url}/v1/pet`, { method: 'PUT', headers, body: JSON.stringify(state) })
}

/**
 * JSON-RPC over an open (or opening) WebSocket: mounts the shell, answers `action/run`, feeds the policy.
 *
 * @param {object} mount params of `shell/mount` (version, exports …); actions are added. Without `focused` the page's own
 *   focus is told, and followed
 * @param {(method: string, params: object) => void} [onNotification] every notification, the policy's included
 * @param {Record<string, (params: object) => any>} [answers] other requests of the service that this shell answers, by
 *   method (`tool/call`, `tabs/list` …); what one gives is the data, what it throws the refusal
 * @returns {{request: (method: string, params?: object) => Promise<any>, mounted: Promise<any>, close: () => void}}
 */
export function connectSocket(policy, socket, mount = {}, onNotification = () => {}, answers = {}) {
  const waiting = new Map()
  let last = 0
  const link = {
    request(method, params = {}) {
      return new Promise((resolve, reject) => {
        if (socket.readyState !== 1) return reject(new Error('the plugin host service is away'))
        const id = (last += 1)
        waiting.set(id, { resolve, reject })
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
      })
    },
    close: () => socket.close(),
    mounted: null,
  }
  link.mounted = new Promise((resolve, reject) => {
    let unfollow = () => {}
    function opened() {
      const params = { focused: globalThis.document?.hasFocus() ?? false, ...mount, ...policy.mountParams() }
      if (mount.focused === undefined && globalThis.document)
        unfollow = followFocus((focused) => link.request('shell/focus', { focused }).catch(() => {}))
      link.request('shell/mount', params).then((answer) => {
        policy.connect(link, answer.actions)
        resolve(answer)
      }, reject)
    }
    function closed() {
      unfollow()
      policy.disconnect(link)
      const away = new Error('the plugin host service is away')
      for (const { reject: give } of waiting.values()) give(away)
      waiting.clear()
      reject(away)
    }
    socket.addEventListener('open', opened)
    socket.addEventListener('close', closed)
    // Neither event comes again.
    if (socket.readyState === 1) opened()
    if (socket.readyState > 1) closed()
  })
  // Whoever asks for `mounted` hears of the failure; nobody has to.
  link.mounted.catch(() => {})
  socket.addEventListener('error', () => {})
  socket.addEventListener('message', (event) => {
    let frame
    try {
      frame = JSON.parse(event.data)
    } catch {
      return
    }
    if (frame?.method && frame.id !== undefined) {
      const answer = (words) => socket.send(JSON.stringify({ jsonrpc: '2.0', id: frame.id, ...words }))
      if (frame.method === 'action/run') answer({ result: policy.run(frame.params) })
      else if (!Object.hasOwn(answers, frame.method)) answer({ error: { code: -32601, message: 'no such method' } })
      else
        Promise.resolve(frame.params)
          .then(answers[frame.method])
          .then((data) => ({ ok: true, data: data ?? null }), (error) => ({ ok: false, error: wordsOf(error) }))
          .then((result) => socket.readyState === 1 && answer({ result }))
    } else if (frame?.method) {
      policy.receive(frame.method, frame.params)
      onNotification(frame.method, frame.params)
    } else if (waiting.has(frame?.id)) {
      const { resolve, reject } = waiting.get(frame.id)
      waiting.delete(frame.id)
      if (frame.error) reject(Object.assign(new Error(frame.error.message), { code: frame.error.code }))
      else resolve(frame.result)
    }
  })
  return link
}

// ---------------------------------------------------------------- answers

function refused(reason, error) {
  return { ok: false, reason, error }
}

function unavailable(action, cause) {
  return refused('unavailable', `'${shown(action)}' is unavailable: ${cause}. See docs/policy.md.`)
}
