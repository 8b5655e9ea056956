// Types of `window.meithPlugin`: what a plugin from elsewhere has of the app, behind its wall. Each namespace is there only
// where a person approved it: test for it, and read docs/wall.md for what each call answers.

/** A namespace of the bridge, as a manifest asks for it in `requestedApis`. */
type PluginBridgeApi = 'tools' | 'storage' | 'cdp' | 'ai'
/** What a tool can do, as a manifest asks for it in `permissions`. */
type PluginBridgeCapability = 'read-only' | 'controls-browser'

type PluginBridgeErrorCode =
  /** Not approved; the message names what lacks. */
  | 'PERMISSION_DENIED'
  /** No such tool, or none for plugins. */
  | 'NOT_FOUND'
  /** Arguments of another form, or too large. */
  | 'INVALID'
  /** No app window offers it, or it left, or it did not answer in time. */
  | 'UNAVAILABLE'
  /** Too many calls at a time, or in a second. */
  | 'BUSY'
  /** The app window tried, and it failed. */
  | 'FAILED'
  /** The answer is more than a plugin is handed. */
  | 'TOO_LARGE'
  | 'CANCELLED'
  /** The plugin was switched off, changed or removed: open it again. */
  | 'CLOSED'

/** A refusal is a value. What a namespace gives as a plain value instead throws an Error with `code`. */
type PluginBridgeResult<T = unknown> =
  | { ok: true; data: T }
  | { ok: false; error: { code: PluginBridgeErrorCode; message: string } }

interface PluginBridgeIdentity {
  readonly pluginId: string
  readonly name: string
  readonly version: string
  /** Approved, not asked for. */
  readonly apis: readonly PluginBridgeApi[]
  readonly capabilities: readonly PluginBridgeCapability[]
}

interface PluginBridgeTool {
  name: string
  description: string
  capability: PluginBridgeCapability
  /** JSON schema of the arguments. */
  inputSchema: Record<string, unknown>
}

interface PluginBridgeTools {
  /** The tools that a call would be let through to now. */
  list(): Promise<PluginBridgeTool[]>
  /** Never rejects. Arguments are at most 64 KiB of JSON, data at most 256 KiB. */
  call<T = unknown>(name: string, args?: Record<string, unknown>): Promise<PluginBridgeResult<T>>
}

interface PluginBridgeBrowserTab {
  id: string
  title?: string
  url?: string
  active?: boolean
}
interface PluginBridgeWorkspaceTab {
  id: string
  title?: string
  kind?: string
  active?: boolean
}

/** Lists of the app's tabs, to read; tabs of plugins are not in them. For data of your own there is `localStorage`. */
interface PluginBridgeStorage {
  getBrowserTabs(): Promise<PluginBridgeBrowserTab[]>
  getWorkspaceTabs(): Promise<PluginBridgeWorkspaceTab[]>
}

interface PluginBridgeCdp {
  /** Needs `controls-browser` too. Never rejects. */
  send<T = unknown>(tabId: string, method: string, params?: Record<string, unknown>): Promise<PluginBridgeResult<T>>
}

interface PluginBridgeAi {
  /** One answer of the app's model; the session behind it is deleted at the end, whichever it is. */
  streamText(options: {
    prompt: string
    onText?: (delta: string) => void
    onStart?: (controls: { cancel: () => void }) => void
  }): Promise<{ text: string }>
}

interface PluginBridge {
  readonly identity: PluginBridgeIdentity
  readonly tools?: PluginBridgeTools
  readonly storage?: PluginBridgeStorage
  readonly cdp?: PluginBridgeCdp
  readonly ai?: PluginBridgeAi
}

interface Window {
  /** There in a plugin's own frame, before its first script, and nowhere else. */
  readonly meithPlugin?: PluginBridge
}
interface WindowEventMap {
  /** The plugin's authority has ended; every open call has answered `CLOSED`. */
  'meithplugin:closed': Event
}
