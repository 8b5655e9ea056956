// How a person gets in and stays in: a one-time code for a token, the token in this tab's sessionStorage, nowhere else.

const KEY = 'hermes.session'
const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('hermes.session') : null

/** An error that says what the service answered. `status` 0: it did not answer. */
export class Refused extends Error {
  constructor(status, title, detail, reason = null) {
    super(detail || title)
    this.status = status
    this.title = title
    this.reason = reason
  }
}

export function token() {
  return sessionStorage.getItem(KEY)
}

export function forget() {
  sessionStorage.removeItem(KEY)
}

/** The code in an address that `hermes-desktop open` made, or in what a person typed. */
export function codeIn(text) {
  const found = /(?:#|^)code=([\w-]+)/.exec(text) ?? /^([\w-]{8,})$/.exec(text.trim())
  return found ? found[1] : null
}

/** Trades a code for a session. Other tabs of this page that wait to get in are let in too. */
export async function enter(code) {
  const answer = await call('POST', '/v1/session', { code })
  sessionStorage.setItem(KEY, answer.token)
  channel?.postMessage(answer.token)
}

/** Calls back when another tab has got in: same origin, same person. */
export function onEntered(callback) {
  channel?.addEventListener('message', ({ data }) => {
    if (typeof data !== 'string') return
    if (callback()) sessionStorage.setItem(KEY, data)
  })
}

let over = () => {}

/** Calls back when the service no longer knows our token: the connection may not have heard of it yet. */
export function onOver(callback) {
  over = callback
}

/** Asks the service. Throws Refused; a 401 means that the session is over. */
export async function call(method, path, body) {
  const headers = {}
  const bearer = token()
  if (bearer) headers.authorization = `Bearer ${bearer}`
  if (body !== undefined) headers['content-type'] = 'application/json'
  let response
  try {
    response = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) })
  } catch {
    throw new Refused(0, 'The service does not answer', 'The service does not answer. Is it running? Start it with: hermes-desktop serve')
  }
  const answer = await response.json().catch(() => ({}))
  if (response.status === 401) {
    // What was asked before somebody entered says nothing of the session they have now.
    if (bearer && bearer === token()) over()
    // The service's own words for it are for programs.
    throw new Refused(401, 'The session is over', 'The session is over: enter again with a new code.')
  }
  if (!response.ok) throw new Refused(response.status, answer.title ?? response.statusText, answer.detail, answer.reason)
  return answer
}

export const get = (path) => call('GET', path)

export function plugin(key, rest = '') {
  return `/v1/plugins/${encodeURIComponent(key)}${rest}`
}
