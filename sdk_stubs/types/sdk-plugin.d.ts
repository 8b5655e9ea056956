// A plugin and what it gets: the default export, `ctx`, and the shapes that go through it.

declare module '@hermes/plugin-sdk' {
  import { ReactNode } from 'react'

  export interface HermesPlugin {
    /** The folder's name: a-z, 0-9, `-` and `_`, at most 64. */
    id: string
    name?: string
    description?: string
    /** false: off until the user turns it on. */
    defaultEnabled?: boolean
    /** Called once when the plugin is loaded. */
    register(ctx: PluginContext): void | Promise<void>
  }

  export interface PluginContext {
    /** `plugin:<id>`. */
    readonly source: string
    /** Adds one contribution; the id becomes `<plugin>:<id>`. The same id again replaces. → disposer */
    register(contribution: PluginContribution): () => void
    registerMany(contributions: PluginContribution[]): () => void
    /** Newer builds: a page under Settings > Plugins. */
    registerSettingsPage?(page: PluginSettingsPage): () => void
    /** Runs when the plugin is disabled, unloaded or reloaded. */
    onDispose(cleanup: () => void): void
    /** Newer builds: gateway events by type, `*` for all; ends with the plugin. */
    onEvent?(type: string, listener: GatewayEventListener): () => void
    /** Newer builds: a timer that ends with the plugin. → disposer, not a timer id */
    setTimeout?(run: () => void, delayMs: number): () => void
    setInterval?(run: () => void, everyMs: number): () => void
    /** Newer builds: a listener that ends with the plugin. */
    addEventListener?(target: EventTarget, type: string, listener: (event: any) => void, options?: AddEventListenerOptions | boolean): () => void
    /** Asks the plugin's own backend; `path` is relative to /api/plugins/<id>. */
    rest<T = any>(path: string, options?: PluginRestOptions): Promise<T>
    /** Messages of the plugin's own backend as they come. It may never connect: poll as well. → disposer */
    socket(path: string, onMessage: (data: any) => void): () => void
    readonly os: PluginOs
    /** The pet's bubble, where there is a pet: test `ctx.pet?.say`. */
    readonly pet?: PluginPet
    readonly storage: PluginStorage
    readonly i18n: PluginI18n
    /** Newer builds: runs one of the app's own actions, at once. A refusal is an answer. */
    runAction?(id: PluginAppActionId | (string & {})): PluginRunActionResult
    listActions?(): PluginAppActionInfo[]
  }

  /** JSON under a name space of the plugin's own. */
  export interface PluginStorage {
    get<T>(key: string, fallback: T): T
    set(key: string, value: unknown): void
    remove(key: string): void
  }

  export interface PluginRestOptions {
    method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | (string & {})
    body?: unknown
    upload?: { filename: string; contentType?: string; bytes: ArrayBuffer | Uint8Array }
    timeoutMs?: number
  }

  // ------------------------------------------------------------ outside of the window

  /** Every member answers with a result and never throws for something that this machine cannot do. */
  export interface PluginOs {
    /** Shown only while the app is in the background, and not too often. */
    notify(input: PluginNativeNotificationInput): void
    openExternal(url: string): Promise<boolean>
    revealPath(path: string): Promise<boolean>
    writeClipboard(text: string): Promise<boolean>
    pickSavePath?(options?: PluginFileDialog): Promise<string | null>
    pickOpenPath?(options?: PluginFileDialog & { directories?: boolean }): Promise<string | null>
    pickOpenPaths?(options?: PluginFileDialog & { directories?: boolean }): Promise<string[]>
  }
  interface PluginFileDialog {
    title?: string
    defaultPath?: string
    filters?: { name: string; extensions: string[] }[]
  }
  /** A route: `hermes://<plugin>/…`, `/<path>` or {path}. */
  export type HermesOpenTarget = string | { path: string; params?: Record<string, string> }
  export interface PluginNotificationAction {
    id: string
    label: string
    activate?: HermesOpenTarget
    onAction?: () => void
  }
  export interface PluginNativeNotificationInput {
    title: string
    body?: string
    silent?: boolean
    icon?: string
    activate?: HermesOpenTarget
    onActivate?: () => void
    actions?: PluginNotificationAction[]
  }

  // ------------------------------------------------------------ the pet

  export type PetMessageTone = 'info' | 'wait' | 'warn' | 'error'
  export interface PetSayOptions {
    /** The same id again replaces the line. */
    id?: string
    tone?: PetMessageTone
    /** 1000 to 30000; 6000 when nothing is said. */
    ttlMs?: number
  }
  export interface PluginPet {
    /** At most 120 characters, three lines at a time, ten calls in ten seconds. Never throws. → takes the line away */
    say?(text: string, options?: PetSayOptions): () => void
    clear?(id?: string): void
    readonly visible?: Atom<boolean>
  }

  // ------------------------------------------------------------ actions of the app

  export type PluginAppActionId =
    | 'view.showBrowser'
    | 'view.showFiles'
    | 'view.toggleSidebar'
    | 'view.toggleRightSidebar'
    | 'view.toggleReview'
    | 'view.toggleStatusbar'
    | 'view.findInPage'
    | 'composer.focus'
    | 'session.new'
    | 'session.focusSearch'
    | 'conversation.scrollPageUp'
    | 'conversation.scrollPageDown'
    | 'nav.commandPalette'
    | 'nav.settings'
    | 'nav.profiles'
    | 'nav.capabilities'
    | 'nav.messaging'
    | 'nav.artifacts'
    | 'nav.cron'
    | 'nav.agents'
    | 'keybinds.openPanel'
  export interface PluginAppActionInfo {
    id: PluginAppActionId
    label: string
    category: string
  }
  export type PluginRunActionResult =
    | { ok: true; reason?: undefined; error?: undefined }
    | { ok: false; reason: 'unknown' | 'denied' | 'unavailable'; error: string }
  export const PLUGIN_APP_ACTIONS: readonly PluginAppActionId[]

  // ------------------------------------------------------------ languages

  export type Locale = string
  export type BundledLocale = string
  export type PluginMessageValue = string | ((...args: any[]) => string)
  export interface PluginMessages {
    [key: string]: PluginMessageValue | PluginMessages
  }
  export type PluginLocaleBundles = Record<string, PluginMessages>
  export type PluginTranslate = (key: string, ...args: any[]) => string
  export interface AppLocaleRegistration {
    endonym?: string
    englishName?: string
    rtl?: boolean
    translations?: Record<string, unknown>
  }
  export interface LanguageOption {
    id: string
    endonym?: string
    englishName?: string
  }
  export interface PluginI18n {
    register(bundles: PluginLocaleBundles): () => void
    readonly t: PluginTranslate
    registerAppLocale?(id: string, locale: AppLocaleRegistration): () => void
    onLocaleChange?(listener: () => void): () => void
  }

  // ------------------------------------------------------------ settings

  export interface PluginSettingsSubpage {
    id: string
    title: string
    render: () => ReactNode
    icon?: ReactNode
    order?: number
  }
  export interface PluginSettingsPage extends PluginSettingsSubpage {
    children?: PluginSettingsSubpage[]
  }
}
