// Everything that would talk to somebody: requests are noted and never answered, sockets never open.

import { clock, never, track } from '@@host'
import { EventTarget, dispatch, eventClasses, makeEvent } from '@@events'
import { Blob, FormData } from '@@blob'
import { URL } from '@@url'

const addressOf = (url) => {
  try {
    return new URL('' + (url?.url ?? url), globalThis.location.href).href
  } catch {
    throw new TypeError(`Failed to parse URL from ${url?.url ?? url}`)
  }
}

export class Headers {
  #map = new Map()

  constructor(init = {}) {
    const pairs = typeof init?.[Symbol.iterator] === 'function' ? [...init] : Object.keys(init ?? {}).map((name) => [name, init[name]])
    for (const [name, value] of pairs) this.append(name, value)
  }

  append(name, value) {
    const key = ('' + name).toLowerCase()
    this.#map.set(key, this.#map.has(key) ? `${this.#map.get(key)}, ${value}` : ('' + value).trim())
  }

  set(name, value) {
    this.#map.set(('' + name).toLowerCase(), ('' + value).trim())
  }

  get(name) {
    return this.#map.get(('' + name).toLowerCase()) ?? null
  }

  has(name) {
    return this.#map.has(('' + name).toLowerCase())
  }

  delete(name) {
    this.#map.delete(('' + name).toLowerCase())
  }

  getSetCookie() {
    return []
  }

  forEach(visit) {
    for (const [name, value] of this) visit(value, name, this)
  }

  keys() {
    return [...this].map(([name]) => name)[Symbol.iterator]()
  }

  values() {
    return [...this].map(([, value]) => value)[Symbol.iterator]()
  }

  entries() {
    return [...this.#map].sort(([a], [b]) => (a < b ? -1 : 1))[Symbol.iterator]()
  }

  [Symbol.iterator]() {
    return this.entries()
  }
}

/** What Request and Response share: a body that can be read once. */
class Body {
  constructor(body) {
    this.bodyUsed = false
    this.held = body === undefined || body === null ? '' : body
  }

  get body() {
    return this.held === '' ? null : new ReadableStream()
  }

  async blob() {
    this.bodyUsed = true
    return this.held instanceof Blob ? this.held : new Blob([this.held instanceof FormData ? '' : this.held])
  }

  async text() {
    return (await this.blob()).text()
  }

  async json() {
    return JSON.parse(await this.text())
  }

  async arrayBuffer() {
    return (await this.blob()).arrayBuffer()
  }

  async bytes() {
    return (await this.blob()).bytes()
  }

  async formData() {
    return this.held instanceof FormData ? this.held : new FormData()
  }
}

export class Request extends Body {
  constructor(input, init = {}) {
    super(init.body ?? input?.held)
    Object.assign(this, { url: addressOf(input), method: ('' + (init.method ?? input?.method ?? 'GET')).toUpperCase(), headers: new Headers(init.headers ?? input?.headers) })
    Object.assign(this, { signal: init.signal ?? input?.signal ?? null, credentials: init.credentials ?? 'same-origin', mode: init.mode ?? 'cors', cache: 'default', redirect: 'follow' })
  }

  clone() {
    return new Request(this)
  }
}

export class Response extends Body {
  constructor(body, { status = 200, statusText = '', headers = {} } = {}) {
    super(body)
    Object.assign(this, { status, statusText, ok: status >= 200 && status < 300, headers: new Headers(headers), url: '', redirected: false, type: 'default' })
  }

  clone() {
    return new Response(this.held, this)
  }

  static json(data, init) {
    return new Response(JSON.stringify(data), { ...init, headers: { 'content-type': 'application/json', ...init?.headers } })
  }

  static error() {
    return Object.assign(new Response(null, { status: 0 }), { type: 'error' })
  }

  static redirect(url, status = 302) {
    return new Response(null, { status, headers: { location: addressOf(url) } })
  }
}

/** Never answers; an abort ends it. */
export function fetch(input, init = {}) {
  let request
  try {
    request = new Request(input, init)
  } catch (error) {
    return Promise.reject(error)
  }
  const { signal } = request
  if (signal?.aborted) return Promise.reject(signal.reason)
  const answer = never(`fetch ${request.method} ${request.url}`)
  if (!signal) return answer
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

export class XMLHttpRequest extends EventTarget {
  readyState = 0
  status = 0
  statusText = ''
  response = ''
  responseText = ''
  responseType = ''
  timeout = 0
  withCredentials = false
  upload = new EventTarget()

  open(method, url) {
    Object.assign(this, { readyState: 1, method: '' + method, url: addressOf(url) })
  }

  setRequestHeader() {}

  getResponseHeader() {
    return null
  }

  getAllResponseHeaders() {
    return ''
  }

  send() {
    never(`XMLHttpRequest ${this.method} ${this.url}`)
  }

  abort() {
    this.readyState = 0
    dispatch(this, new eventClasses.ProgressEvent('abort'))
  }
}
Object.assign(XMLHttpRequest, { UNSENT: 0, OPENED: 1, HEADERS_RECEIVED: 2, LOADING: 3, DONE: 4 })

/** A connection that is being made, for ever; open ones count as sockets until they are closed. */
function connection(name, schemes) {
  const made = {
    [name]: class extends EventTarget {
      #release

      constructor(url) {
        super()
        const { href, protocol } = new URL('' + url, globalThis.location.href)
        if (!schemes.includes(protocol)) throw new DOMException(`'${url}' is no address for a ${name}.`, 'SyntaxError')
        Object.assign(this, { url: href, readyState: 0, onopen: null, onmessage: null, onerror: null, onclose: null, protocol: '', extensions: '', bufferedAmount: 0, binaryType: 'blob', withCredentials: false })
        this.#release = track('socket', `${name} ${href}`)
      }

      send() {
        if (this.readyState === 0) throw new DOMException('The socket is still connecting.', 'InvalidStateError')
      }

      close() {
        if (this.readyState >= 2) return
        this.#release()
        this.readyState = 2
        clock.schedule(
          () => {
            this.readyState = 3
            dispatch(this, name === 'WebSocket' ? new eventClasses.CloseEvent('close', { code: 1006 }) : makeEvent('close'))
          },
          0,
          { untracked: true },
        )
      }
    },
  }
  const Class = made[name]
  for (const [state, value] of [
    ['CONNECTING', 0],
    ['OPEN', 1],
    ['CLOSING', 2],
    ['CLOSED', name === 'WebSocket' ? 3 : 2],
  ]) {
    Class[state] = value
    Class.prototype[state] = value
  }
  return Class
}
export const WebSocket = connection('WebSocket', ['ws:', 'wss:', 'http:', 'https:'])
export const EventSource = connection('EventSource', ['http:', 'https:'])
