// Inside the frame: one plugin, React, and a port. The page on the other side is told what happens and asked for what
// policy is for; nothing else is in reach (this document's policy: no network but modules, an opaque origin).

import { framedPolicy } from '/workbench/frame_policy.js'
import { createPluginContext } from '/workbench/shell_context.js'
import { createSdk } from '/workbench/shell_sdk.js'

const CALL_DEADLINE_MS = 5000

addEventListener(
  'message',
  ({ data, ports, source }) => {
    // Only the page that made this frame can be its parent (frame-ancestors), and only the first word counts.
    if (source === parent && data?.kind === 'start' && ports.length === 1) start(data, ports[0])
  },
  { once: true },
)

async function start({ id, name, module, theme, actions, mounted, keeps = false }, port) {
  document.documentElement.dataset.theme = theme
  document.title = name
  const waiting = new Map()
  let last = 0
  const tell = (kind, words) => port.postMessage({ kind, ...words })
  port.onmessage = ({ data }) => {
    if (data?.kind === 'actions') doors.told(data.actions, data.mounted)
    if (data?.kind !== 'answer') return
    waiting.get(data.id)?.(data.result)
    waiting.delete(data.id)
  }

  /** Asks a policy door; without an answer it is `unavailable`, as everywhere. */
  function ask(method, params) {
    const call = (last += 1)
    tell('call', { id: call, method, params })
    return new Promise((resolve) => {
      waiting.set(call, resolve)
      setTimeout(() => {
        if (waiting.delete(call)) resolve({ ok: false, reason: 'unavailable', error: 'the page did not answer' })
      }, CALL_DEADLINE_MS)
    })
  }

  const doors = framedPolicy(ask, (level, text) => tell('console', { level, text }))
  doors.told(actions, mounted)

  for (const level of ['log', 'info', 'warn', 'error']) {
    const own = console[level].bind(console)
    console[level] = (...args) => {
      own(...args)
      tell('console', { level, text: args.map(words).join(' ').slice(0, 500) })
    }
  }
  addEventListener('error', ({ message }) => tell('console', { level: 'error', text: String(message) }))
  addEventListener('unhandledrejection', ({ reason }) => tell('console', { level: 'error', text: words(reason) }))

  let react
  try {
    react = await import('/workbench/vendor/react.js')
  } catch {
    return tell('state', { text: 'no React: fetch it first (the switch above this frame says how)' })
  }
  const { React, jsxRuntime, client } = react
  const sdk = createSdk(React, { notify: (text) => tell('console', { level: 'info', text: `notify: ${text}` }) })
  globalThis[Symbol.for('hermes.modules')] = {
    '@hermes/plugin-sdk': sdk,
    react: { ...React, default: React },
    'react/jsx-runtime': jsxRuntime,
  }

  const stage = document.getElementById('stage')
  const drawn = new Map()
  const disposers = []

  class Guard extends React.Component {
    constructor(props) {
      super(props)
      this.state = { error: null }
    }
    static getDerivedStateFromError(error) {
      return { error }
    }
    componentDidCatch(error) {
      tell('console', { level: 'error', text: `render: ${words(error)}` })
    }
    render() {
      return this.state.error
        ? React.createElement('p', { className: 'trouble' }, words(this.state.error))
        : this.props.children
    }
  }

  function contribute(contribution) {
    const scoped = `${id}:${contribution.id}`
    drawn.get(scoped)?.()
    if (typeof contribution.render !== 'function') return () => {}
    const section = document.createElement('section')
    section.dataset.area = contribution.area
    const inside = document.createElement('div')
    section.append(inside)
    stage.append(section)
    const root = client.createRoot(inside)
    root.render(React.createElement(Guard, {}, React.createElement(contribution.render)))
    const undo = () => {
      drawn.delete(scoped)
      root.unmount()
      section.remove()
    }
    drawn.set(scoped, undo)
    return undo
  }

  tell('state', { text: 'importing' })
  try {
    const plugin = (await import(module)).default
    tell('state', { text: 'registering' })
    await plugin.register(
      createPluginContext({
        id,
        contribute,
        onDispose: (dispose) => disposers.push(dispose),
        policy: doors.policy,
        // A frame of an origin of its own has a storage of its own.
        store: keeps ? localStorage : new Map(),
      }),
    )
    tell('state', { text: drawn.size ? 'runs' : 'runs, and draws nothing here' })
  } catch (error) {
    tell('state', { text: `failed: ${words(error)}` })
  }
  return undefined
}

function words(value) {
  try {
    if (value instanceof Error) return `${value.name}: ${value.message}`
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
  } catch {
    return typeof value
  }
}
