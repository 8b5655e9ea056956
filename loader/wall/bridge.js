// The first script of a walled plugin's page: `window.meithPlugin`, with the namespaces that were approved and no other.
//
// It only speaks for the page. Who the plugin is, and what it may, is decided on the other side of the port, by the
// frame that the host opened: a page that changes this script, or does without it, has changed nothing there.

'use strict'
;((granted) => {
  // A page that is developed on a server of its own loads this by itself, and keeps that line when it is installed.
  if ('meithPlugin' in window) return
  // A peer connection is no fetch. Where the browser holds them back it ends a page that tries one, so a page that
  // merely looks for the name shall not find it.
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (/^(webkit)?RTC|^WebTransport/.test(name)) delete globalThis[name]
  }
  // The address was good for this one load.
  const address = new URL(location.href)
  if (address.searchParams.has(granted.ticket)) {
    address.searchParams.delete(granted.ticket)
    history.replaceState(history.state, '', address)
  }
  if (parent === window) return

  const { identity } = granted
  const waiting = new Map()
  const early = []
  let port = null
  let last = 0
  let ended = false

  function settle(id, result) {
    const call = waiting.get(id)
    waiting.delete(id)
    call?.done(result)
  }

  function end() {
    ended = true
    for (const id of [...waiting.keys()]) settle(id, closed())
    dispatchEvent(new Event('meithplugin:closed'))
  }

  const closed = () => ({ ok: false, error: { code: 'CLOSED', message: "this frame's authority has ended" } })

  function receive({ data }) {
    if (data?.kind === 'answer') settle(data.id, data.result)
    else if (data?.kind === 'text') waiting.get(data.id)?.onText(String(data.text))
    else if (data?.kind === 'closed') end()
  }

  function send(message) {
    if (port) port.postMessage(message)
    else early.push(message)
  }

  function ask(method, params, onText = () => {}) {
    const id = (last += 1)
    const answer = new Promise((done) => {
      if (ended) return done(closed())
      waiting.set(id, { done, onText })
      try {
        send({ kind: 'call', id, method, params })
      } catch {
        settle(id, { ok: false, error: { code: 'INVALID', message: 'what is passed has to be plain data' } })
      }
    })
    return { id, answer }
  }

  const call = (method, params) => ask(method, params).answer

  /** For what gives a value and not a result: a refusal is an Error with its code. */
  async function value(answer) {
    const result = await answer
    if (result?.ok === true) return result.data
    throw Object.assign(new Error(result?.error?.message ?? 'no answer'), { code: result?.error?.code ?? 'FAILED' })
  }

  const namespaces = {
    tools: {
      list: () => value(call('tools.list', {})),
      call: (name, args = {}) => call('tools.call', { name, arguments: args }),
    },
    storage: {
      getBrowserTabs: () => value(call('storage.getBrowserTabs', {})),
      getWorkspaceTabs: () => value(call('storage.getWorkspaceTabs', {})),
    },
    cdp: {
      send: (tabId, method, params = {}) => call('cdp.send', { tabId, method, params }),
    },
    ai: {
      streamText(options) {
        const { prompt, onText, onStart } = options ?? {}
        const { id, answer } = ask('ai.streamText', { prompt }, (text) => onText?.(text))
        onStart?.(Object.freeze({ cancel: () => send({ kind: 'cancel', id }) }))
        return value(answer)
      },
    },
  }

  const api = { identity: Object.freeze({ ...identity, apis: Object.freeze(identity.apis), capabilities: Object.freeze(identity.capabilities) }) }
  for (const name of identity.apis) if (Object.hasOwn(namespaces, name)) api[name] = Object.freeze(namespaces[name])
  Object.defineProperty(window, 'meithPlugin', { value: Object.freeze(api), enumerable: true })

  addEventListener('message', function handed({ source, data, ports }) {
    // Whoever may embed this page is our own (frame-ancestors); only the first port counts.
    if (source !== parent || data?.kind !== 'hermes:port' || ports.length !== 1) return
    removeEventListener('message', handed)
    port = ports[0]
    port.onmessage = receive
    for (const message of early.splice(0)) port.postMessage(message)
  })
  parent.postMessage({ kind: 'hermes:ready' }, '*')
})(/* granted */ null)
