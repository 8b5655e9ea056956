// The page's side of a walled plugin: a frame of its own origin, a port for its bridge, and the credential that speaks
// for it, which never enters the frame. Who asks is known by the port; what it may is decided by the service.
//
//   const opened = await call('POST', `/v1/wall/${id}/frames`, {})
//   const frame = walledFrame({ opened, request, title: opened.identity.name, onEnd: (why) => … })
//   container.append(frame.element)
//   // each `wall/…` notification of the connection: frame.told(method, params); after a reconnect: frame.attach()

import { plainData } from '/workbench/plain_data.js'

// What a frame may ask in a second; what is more is refused here, so that it can fill no socket.
const CALLS_A_SECOND = 40
const LONGEST_MARK = 64
// Its own origin (allow-same-origin) is a plugin's storage; the host page's is another one, which stays out of reach.
// Forms tell a page of a press; none is ever sent (form-action). No windows, no downloads, no dialogs, no way to the top.
const SANDBOX = 'allow-scripts allow-same-origin allow-forms'
const DOORS = new Set(['runAction', 'pet.say', 'pet.clear'])
const ENDS = {
  disabled: 'it was switched off',
  changed: 'it, or what it may do, was changed',
  removed: 'it no longer stands behind the wall',
  closed: 'it was closed',
  left: 'it left its page',
}

/** What a call is known by, as text; null for what is none: it goes to the service with the call, however large. */
const markOf = (id) => (Number.isSafeInteger(id) || (typeof id === 'string' && id.length <= LONGEST_MARK) ? String(id) : null)
const refusal = (code, message) => ({ ok: false, error: { code, message } })

/**
 * @param {object} options
 * @param {object} options.opened what `POST /v1/wall/<id>/frames` has answered
 * @param {(method: string, params: object) => Promise<any>} options.request JSON-RPC over the connection to the service
 * @param {string} options.title of the frame, for those who cannot see it
 * @param {object} [options.start] for a plugin.js: what its frame is started with
 * @param {boolean} [options.reloads] for a development address: its page may come anew, and is handed a new port then
 * @param {(said: object) => void} [options.onSay] what a plugin.js tells of itself: {kind: 'state' | 'console', …}
 * @param {(why: string, reason: string) => void} [options.onEnd] called once, when its authority has ended
 */
export function walledFrame({ opened, request, title, start = null, reloads = false, onSay = () => {}, onEnd = () => {} }) {
  const element = document.createElement('iframe')
  element.setAttribute('sandbox', SANDBOX)
  element.setAttribute('allow', '')
  element.setAttribute('referrerpolicy', 'no-referrer')
  element.title = title
  element.className = 'walled-frame'
  element.src = opened.frame_url
  // A development server sends its own address where it likes; only its origin is known.
  const { origin, token } = opened
  let bridge = listening()
  const plugin = start ? new MessageChannel() : null
  let ready = false
  let loads = 0
  let ended = false
  let windowStart = 0
  let calls = 0

  function allowedNow() {
    const now = performance.now()
    if (now - windowStart > 1000) {
      windowStart = now
      calls = 0
    }
    return (calls += 1) <= CALLS_A_SECOND
  }

  async function ask(method, params, call) {
    if (!allowedNow()) return refusal('BUSY', `more than ${CALLS_A_SECOND} calls in a second`)
    const sent = plainData(params)
    if (sent === null) return refusal('INVALID', 'arguments are plain data, and not so large')
    try {
      return await request('wall/call', { frame_token: token, method: String(method).slice(0, 80), arguments: sent, call })
    } catch (error) {
      return refusal('UNAVAILABLE', error.message)
    }
  }

  function listening() {
    const channel = new MessageChannel()
    /** calls under way, by their mark; what is cancelled is cancelled once */
    const running = new Set()
    channel.port1.onmessage = async ({ data }) => {
      if (ended || !data || typeof data !== 'object') return
      const mark = markOf(data.id)
      if (mark === null) return
      if (data.kind === 'cancel' && running.delete(mark)) request('wall/cancel', { frame_token: token, call: mark }).catch(() => {})
      if (data.kind !== 'call') return
      running.add(mark)
      const result = await ask(data.method, data.params, mark)
      running.delete(mark)
      if (!ended) channel.port1.postMessage({ kind: 'answer', id: data.id, result })
    }
    return channel
  }

  if (plugin)
    plugin.port1.onmessage = async ({ data }) => {
      if (ended || !data || typeof data !== 'object') return
      if (data.kind !== 'call') {
        if (allowedNow()) onSay(data)
      } else if (DOORS.has(data.method)) {
        const result = await ask(data.method, data.params, '')
        const answer = typeof result.error === 'object' ? { ok: false, reason: 'unavailable', error: result.error.message } : result
        onSay({ kind: 'door', method: data.method, result: answer })
        if (!ended) plugin.port1.postMessage({ kind: 'answer', id: data.id, result: answer })
      }
    }

  /** The origin is given, so that the browser hands a port to no other page that the frame might have gone to. */
  function hand(message, port) {
    element.contentWindow.postMessage(message, origin, [port])
  }

  function heard({ source, origin: from, data }) {
    if (source !== element.contentWindow || source === null || data?.kind !== 'hermes:ready') return
    if (from !== origin || (ready && !reloads)) return end('left')
    if (ready) {
      // What the page before it still asks is answered to nobody.
      bridge.port1.close()
      bridge = listening()
    }
    ready = true
    // A plugin.js is started first, when all of its frame's modules listen.
    if (!plugin) hand({ kind: 'hermes:port' }, bridge.port2)
    return undefined
  }

  function loaded() {
    if (ended) return
    if ((loads += 1) > 1 && !reloads) return end('left')
    if (plugin) {
      hand({ kind: 'start', ...start }, plugin.port2)
      hand({ kind: 'hermes:port' }, bridge.port2)
    }
    return undefined
  }

  function end(reason) {
    if (ended) return
    ended = true
    removeEventListener('message', heard)
    for (const port of [bridge.port1, plugin?.port1]) {
      port?.postMessage({ kind: 'closed' })
      port?.close()
    }
    element.remove()
    if (reason === 'left' || reason === 'closed') request('wall/close', { frame_token: token }).catch(() => {})
    onEnd(ENDS[reason] ?? ENDS.closed, reason)
  }

  async function attach() {
    const answer = await request('wall/attach', { frame_token: token }).catch(() => null)
    if (answer?.ok === false) end('changed')
  }

  addEventListener('message', heard)
  element.addEventListener('load', loaded)
  attach()

  return {
    element,
    id: opened.frame,
    attach,
    /** For a plugin.js: what its frame is told while it runs. */
    tell: (message) => plugin?.port1.postMessage(message),
    /** A notification of the service; the others' are passed over. */
    told(method, params) {
      if (ended || params.frame !== opened.frame) return
      if (method === 'wall/closed') end(params.reason)
      if (method === 'wall/text') bridge.port1.postMessage({ kind: 'text', id: Number(params.call), text: params.text })
    },
    stop: () => end('closed'),
  }
}
