// The connection to /v1/events: it comes back by itself, asks for what it missed, and says how it stands.

const FIRST_WAIT_MS = 400
const LONGEST_WAIT_MS = 8000

/**
 * @param {{token: () => string | null, onEvent: (method: string, params: any) => void,
 *   onState: (state: 'connecting' | 'live' | 'away' | 'locked') => void, alive: () => Promise<'yes' | 'no' | 'locked'>}} options
 *   `alive` asks whether the service answers and still knows us, since a WebSocket does not say why it was refused
 */
export function connectLive({ token, onEvent, onState, alive }) {
  let socket = null
  let since = null
  let waitMs = FIRST_WAIT_MS
  let timer = 0
  let stopped = false
  let last = 0
  const waiting = new Map()

  function open() {
    clearTimeout(timer)
    if (stopped || socket) return
    const bearer = token()
    if (!bearer) return onState('locked')
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:'
    const query = since ? `?since=${encodeURIComponent(`${since.instance}:${since.seq}`)}` : ''
    onState('connecting')
    const opened = new WebSocket(`${scheme}//${location.host}/v1/events${query}`, [
      'hermes-plugins.v1',
      `bearer.${bearer}`,
    ])
    socket = opened
    opened.addEventListener('open', () => {
      waitMs = FIRST_WAIT_MS
      onState('live')
    })
    opened.addEventListener('message', ({ data }) => receive(JSON.parse(data)))
    opened.addEventListener('close', () => lost(opened))
  }

  async function lost(closed) {
    if (socket !== closed) return
    socket = null
    for (const { reject } of waiting.values()) reject(new Error('the service is away'))
    waiting.clear()
    if (stopped) return
    const found = await alive()
    if (stopped || socket) return
    if (found === 'locked') return onState('locked')
    onState('away')
    timer = setTimeout(open, waitMs)
    waitMs = Math.min(waitMs * 1.6, LONGEST_WAIT_MS)
  }

  function receive(frame) {
    if (frame.method && frame.id === undefined) {
      const { method, params } = frame
      if (method === 'hello') since = { instance: params.instance, seq: params.seq }
      else if (since && typeof params.seq === 'number') since.seq = params.seq
      onEvent(method, params)
    } else if (frame.method) {
      // We never mounted as a shell, so nothing is asked of us.
      socket?.send(JSON.stringify({ jsonrpc: '2.0', id: frame.id, error: { code: -32601, message: 'no such method' } }))
    } else if (waiting.has(frame.id)) {
      const { resolve, reject } = waiting.get(frame.id)
      waiting.delete(frame.id)
      if (frame.error) reject(new Error(frame.error.message))
      else resolve(frame.result)
    }
  }

  addEventListener('online', open)
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && !socket) open()
  })

  return {
    open,
    /** A JSON-RPC request; rejects when the service is away or says no. */
    request(method, params = {}) {
      return new Promise((resolve, reject) => {
        if (socket?.readyState !== WebSocket.OPEN) return reject(new Error('the service is away'))
        const id = (last += 1)
        waiting.set(id, { resolve, reject })
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
      })
    },
    /** Begin anew, which shows whether the service still knows us. */
    check() {
      socket?.close()
    },
    /** Try again now, also after the session was over. */
    retry() {
      waitMs = FIRST_WAIT_MS
      clearTimeout(timer)
      open()
    },
    stop() {
      stopped = true
      clearTimeout(timer)
      socket?.close()
    },
  }
}
