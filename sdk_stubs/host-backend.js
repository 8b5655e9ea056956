/**
 * The plugin-facing side of backends, for a shell to ship: ctx.rest and ctx.socket.
 *
 * Both reach the plugin's own backend under /api/plugins/<id>/ and nothing else. A path can leave it by no spelling: the
 * service refuses those, and the ones that a URL parser would tidy away before they are sent are refused here.
 *
 *   const backend = createHostBackend({ url: 'http://127.0.0.1:8787' })
 *   const { ctx, dispose } = backend.forPlugin({ id: row.id, token: plugin_token })   // for each plugin/load
 *
 * Without a url (no service) it is in no-op mode: rest rejects, socket never connects, and nothing throws.
 */

const SUBPROTOCOL = 'hermes-plugins.v1'
const TIMEOUT_MS = 30_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
// A connection that lasted so long was a good one: the next pause is the first again.
const STEADY_MS = 10_000
const PATH_UNITS = 8192
const ERROR_UNITS = 400
// The backend is being made anew: it will be there in a moment.
const CLOSE_RESTART = 1012

export class BackendError extends Error {
  /** @param {{status?: number, type?: string | null, body?: unknown}} facts */
  constructor(message, { status = 0, type = null, body = null } = {}) {
    super(message)
    this.name = 'BackendError'
    /** The HTTP status; 0: no answer came. */
    this.status = status
    /** The problem's type where the service, and not the backend, answered. */
    this.type = type
    /** What was answered, parsed where it was JSON. */
    this.body = body
  }
}

/**
 * @param {object} options
 * @param {string | null} [options.url] the service, without a slash at the end; null: no-op mode
 * @param {typeof globalThis.fetch} [options.fetch]
 * @param {typeof globalThis.WebSocket} [options.WebSocket]
 * @param {{warn: Function}} [options.console]
 * @param {() => number} [options.random] 0 to 1
 * @param {() => number} [options.nowMs] monotonic milliseconds
 * @param {{setTimeout: Function, clearTimeout: Function}} [options.timers]
 */
export function createHostBackend(options = {}) {
  const url = options.url ?? null
  const nowMs = options.nowMs ?? (() => performance.now())
  const random = options.random ?? Math.random
  const timers = options.timers ?? {
    setTimeout: (run, delayMs) => globalThis.setTimeout(run, delayMs),
    clearTimeout: (timer) => globalThis.clearTimeout(timer),
  }
  const log = options.console ?? globalThis.console
  const fetchNow = options.fetch ?? ((...args) => globalThis.fetch(...args))

  function forPlugin({ id, token }) {
    let alive = true
    const ends = new Set()
    const root = `/api/plugins/${encodeURIComponent(id)}`

    async function rest(path, call = {}) {
      const target = root + pathOf(path)
      if (!alive) throw new BackendError('this revision of the plugin is no longer running')
      if (url === null) throw new BackendError('there is no plugin host service, and so no backend')
      const timeoutMs = deadlineOf(call.timeoutMs)
      const aborter = new AbortController()
      let late = false
      const timer = timers.setTimeout(() => ((late = true), aborter.abort()), timeoutMs)
      const end = () => aborter.abort()
      ends.add(end)
      try {
        const request = { signal: aborter.signal, ...bodyOf(call) }
        request.headers = { ...request.headers, authorization: `Bearer ${token}`, 'hermes-timeout-ms': String(timeoutMs) }
        return await answerOf(await fetchNow(url + target, request))
      } catch (error) {
        if (error instanceof BackendError) throw error
        if (late) throw new BackendError(`no answer within ${timeoutMs} ms`, { status: 504 })
        throw new BackendError(alive ? `the backend cannot be reached (${wordsOf(error)})` : 'the plugin was unloaded')
      } finally {
        timers.clearTimeout(timer)
        ends.delete(end)
      }
    }

    function socket(path, onMessage) {
      if (typeof onMessage !== 'function') throw new TypeError('ctx.socket wants a function for its messages.')
      const target = root + pathOf(path)
      const Socket = options.WebSocket ?? globalThis.WebSocket
      let open = null
      let timer = null
      let failures = 0
      let wanted = alive && url !== null && typeof Socket === 'function'

      function connect() {
        timer = null
        let sinceMs = null
        try {
          open = new Socket(url.replace(/^http/, 'ws') + target, [SUBPROTOCOL, `bearer.${token}`])
        } catch {
          return again(null)
        }
        const mine = open
        mine.addEventListener('open', () => (sinceMs = nowMs()))
        mine.addEventListener('error', () => {})
        mine.addEventListener('message', (event) => {
          if (mine === open && wanted) hand(event.data)
        })
        mine.addEventListener('close', (event) => {
          if (mine !== open) return
          if (sinceMs !== null && (nowMs() - sinceMs >= STEADY_MS || event?.code === CLOSE_RESTART)) failures = 0
          again(event?.code)
        })
      }

      function again() {
        open = null
        if (!wanted) return
        const most = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS)
        failures = Math.min(failures + 1, 16)
        // Between half and all of it: many windows must not come back in one beat.
        timer = timers.setTimeout(connect, most * (0.5 + random() / 2))
      }

      function hand(data) {
        try {
          onMessage(parsed(data))
        } catch (error) {
          log.warn(`[plugin:${id}] ctx.socket: ${wordsOf(error)}`)
        }
      }

      function dispose() {
        wanted = false
        ends.delete(dispose)
        if (timer !== null) timers.clearTimeout(timer)
        timer = null
        const last = open
        open = null
        try {
          last?.close(1000)
        } catch {
          // It never opened: the browser drops it by itself.
        }
      }

      if (wanted) {
        ends.add(dispose)
        connect()
      }
      return dispose
    }

    return {
      ctx: Object.freeze({ rest, socket }),
      /** When the plugin is unloaded or replaced: what it asked for ends, what it opened closes. */
      dispose() {
        alive = false
        for (const end of [...ends]) end()
      },
    }
  }

  return { forPlugin }
}

/** The path as it is sent, with its slash. Throws for one that a URL parser would turn into another. */
function pathOf(path) {
  if (typeof path !== 'string') throw new TypeError('The path of a backend is a text such as "/items".')
  const text = path.startsWith('/') ? path : `/${path}`
  const [plain] = text.split(/[?#]/, 1)
  const bad =
    text.length > PATH_UNITS ||
    /[\\\0-\x1f]|%(?:25)*(?:5c|2f|00)/i.test(plain) ||
    plain.startsWith('//') ||
    plain.split('/').some((part) => /^(?:\.|%(?:25)*2e){1,2}$/i.test(part))
  if (bad) throw new BackendError(`'${text.slice(0, 80)}' could lead out of the plugin's own backend`, { status: 400 })
  return text.split('#', 1)[0]
}

function deadlineOf(timeoutMs) {
  return typeof timeoutMs === 'number' && timeoutMs > 0 && timeoutMs < 2 ** 31 ? Math.ceil(timeoutMs) : TIMEOUT_MS
}

/** What fetch wants, from what ctx.rest takes: `{method, body, upload}`. */
function bodyOf({ method, body, upload }) {
  if (upload) {
    const form = new FormData()
    const type = upload.contentType ?? 'application/octet-stream'
    form.append('file', new Blob([upload.bytes], { type }), upload.filename)
    for (const [name, value] of Object.entries(body && typeof body === 'object' ? body : {})) form.append(name, String(value))
    return { method: method ?? 'POST', body: form }
  }
  if (body === undefined) return { method: method ?? 'GET' }
  return { method: method ?? 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}

async function answerOf(response) {
  const text = await response.text()
  const type = response.headers.get('content-type') ?? ''
  const isJson = /^application\/(?:[\w.+-]+\+)?json\b/i.test(type)
  const body = isJson ? parsed(text) : text
  if (response.ok) return text === '' ? null : body
  const problem = /^application\/problem\+json\b/i.test(type) ? (body?.type ?? null) : null
  const detail = typeof body?.detail === 'string' ? body.detail : response.statusText || 'no reason given'
  throw new BackendError(`${response.status}: ${detail.slice(0, ERROR_UNITS)}`, { status: response.status, type: problem, body })
}

function parsed(data) {
  if (typeof data !== 'string') return data
  try {
    return JSON.parse(data)
  } catch {
    return data
  }
}

function wordsOf(error) {
  try {
    return String(error?.message ?? error).slice(0, ERROR_UNITS)
  } catch {
    return 'an error without words'
  }
}
