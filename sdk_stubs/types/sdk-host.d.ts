// `host`: the app's state, its verbs, and the door to the gateway.

declare module '@hermes/plugin-sdk' {
  import { ReactNode } from 'react'

  /** A value that can be read and listened to. */
  export interface Atom<T> {
    get(): T
    /** Changes only. → stop */
    listen(listener: (value: T, before: T) => void): () => void
    /** Now and at every change. → stop */
    subscribe(listener: (value: T) => void): () => void
    readonly value?: T
  }
  export interface WritableAtom<T> extends Atom<T> {
    set(value: T): void
  }

  export interface RpcEvent {
    type: string
    payload?: any
    session_id?: string
    [field: string]: any
  }
  export type GatewayEventListener = (event: RpcEvent) => void
  export interface PluginFocusedSessionOwner {
    connectionId: string
    profile: string
  }
  export interface ViewportRect {
    width: number
    height: number
    narrow: boolean
  }
  export interface PluginProfileRoute {
    profile: string
    targetProfile: string
    connectionId: string
    mode: 'local' | 'remote'
  }
  export interface PluginProfileRequestOptions {
    spawnPriority?: string
    [option: string]: unknown
  }
  export interface PluginOpenSessionOptions {
    profile?: string | null
    intent?: 'in-place' | 'stack' | 'tab' | 'window'
    route?: PluginProfileRoute
    awaitHydration?: boolean
    expectHistory?: boolean
    forceResume?: boolean
    hydrationTimeoutMs?: number
    keepAllProfilesScope?: boolean
    retryHydrationTimeoutOnce?: boolean
    tabTitle?: string
    workspaceMode?: string
    workspaceOwnerKey?: string
  }
  export interface PluginNewChatOptions {
    workspaceMode?: string
    workspaceOwnerKey?: string
  }
  export interface StatusResponse {
    [field: string]: any
  }
  export interface HermesGateway {
    request<T = any>(method: string, params?: Record<string, unknown>): Promise<T>
    [member: string]: any
  }
  export interface SessionListRow {
    id: string
    title?: string
    [field: string]: any
  }
  export interface ProfileSessionPreview {
    id: string
    [field: string]: any
  }
  export interface DesktopSettingValues {
    'backdrop.v1': boolean
    'composerPopout.gesturesEnabled': boolean
    'embed-mode': 'ask' | 'always' | 'off'
    hideThreadTimeline: boolean
    'interfaceMode.v1': 'simple' | 'advanced'
    'intro-splash.v1': boolean
    'reasoning.collapsedByDefault': boolean
    sessionListDensity: 'compact' | 'comfortable' | 'detailed'
    tabStripDefault: 'auto' | 'always' | 'never'
    titlebarAppActions: 'left' | 'right'
    'toolView.hideCodeDiffs': boolean
    'toolView.technical': 'product' | 'technical'
    'user-bubble-transparency.v1': number
  }
  export type DesktopSettingKey = keyof DesktopSettingValues

  interface Toast {
    kind?: 'info' | 'success' | 'warning' | 'error' | (string & {})
    message: string
    title?: string
    detail?: string
    action?: { label: string; onClick: () => void }
    durationMs?: number
  }
  interface Workspace {
    id: string
    title?: string
    render: () => ReactNode
    [option: string]: unknown
  }

  export const host: {
    readonly state: {
      readonly activeSessionId: Atom<string | null>
      /** From sending to the first word of the answer, in the focused chat. */
      readonly awaitingResponse: Atom<boolean>
      /** The focused chat is at work. */
      readonly busy: Atom<boolean>
      readonly busyBySession: Atom<Record<string, boolean>>
      readonly connectionId?: Atom<string | null>
      readonly cwd: Atom<string>
      readonly focusedSessionId: Atom<string | null>
      readonly focusedSessionOwner?: Atom<PluginFocusedSessionOwner | null>
      readonly focusedSessionProfile: Atom<string>
      readonly focusedStoredSessionId: Atom<string | null>
      readonly focusedUsage: Atom<any>
      /** The socket: 'idle', 'connecting', 'open' … It says nothing about work. */
      readonly gateway: Atom<string>
      readonly model: Atom<string>
      readonly profile: Atom<string>
      readonly viewport: Atom<ViewportRect>
    }
    /** → the toast's id */
    notify(toast: Toast): string
    notifyError(error: unknown, fallback?: string): string
    /** JSON-RPC on the active gateway; rejects when there is none. */
    request<T = any>(method: string, params?: Record<string, unknown>, timeoutMs?: number): Promise<T>
    requestProfile<T = any>(route: PluginProfileRoute | string, method: string, params?: Record<string, unknown>, timeoutMs?: number, options?: PluginProfileRequestOptions): Promise<T>
    profileRoutes(): Promise<PluginProfileRoute[]>
    /** Gateway events by type. → stop (older builds: call it yourself at unload) */
    onEvent(type: string, listener: GatewayEventListener): () => void
    logs(options?: any): Promise<any>
    status(): Promise<StatusResponse>
    restartGateway(): Promise<unknown>
    navigate(path: string): void
    openSession(storedSessionId: string, options?: PluginOpenSessionOptions): Promise<unknown>
    newChat(profile?: string | null, options?: PluginNewChatOptions): void

    // Newer builds of the app: test before use.
    openWorkspace?(workspace: Workspace): () => void
    /** For `<plugin>:<pane>`. */
    paneVisibility?(paneId: string): Atom<boolean>
    revealPane?(paneId: string): void
    undismissPane?(paneId: string): void
    readonly settings?: {
      get<K extends DesktopSettingKey>(key: K): DesktopSettingValues[K]
      set<K extends DesktopSettingKey>(key: K, value: DesktopSettingValues[K]): void
      subscribe<K extends DesktopSettingKey>(key: K, listener: (value: DesktopSettingValues[K]) => void): () => void
    }
    readonly composer?: {
      getDraft(address?: string | null): Promise<string | null>
      setDraft(address: string | null, text: string): Promise<boolean>
      insertText(address: string | null, text: string, options?: { mode?: 'block' | 'inline' | 'prefix' }): Promise<boolean>
      submit(address: string | null, text: string): boolean
      focus(address?: string | null): void
    }
    readonly sessions?: {
      pin(sessionId: string, pinned?: boolean, slot?: number): unknown
      reorder(sessionIds: string[]): unknown
      reorderPinned(sessionIds: string[]): unknown
      setColor(sessionId: string, color: string | null): unknown
    }
    readonly skills?: { list(options?: any): Promise<any[]>; setEnabled(...args: any[]): Promise<unknown> }
    readonly toolsets?: { list(options?: any): Promise<any[]>; setEnabled(...args: any[]): Promise<unknown> }
    readonly profiles?: { list(): Promise<{ name: string }[]> }
    readonly i18n?: { registerAppLocale(id: string, locale: AppLocaleRegistration): () => void; languageOptions(): LanguageOption[] }
    readonly pluginDecisions?: Atom<Readonly<Record<string, boolean>>>
    completeMcpOAuth?(...args: any[]): Promise<any>
    warmProfile?(profile: string): void
    deleteProfile?(profile: string): Promise<unknown>
    activeConnectionId?(): string | null
    connections?(): Promise<any[]>
    agents?(): Promise<any[]>
    warmAgent?(...args: any[]): void
    ensureAgent?(...args: any[]): Promise<unknown>
    setWorkspaceOwnerLabel?(owner: string, label: string | null): void
    setWorkspaceScope?(...args: any[]): boolean
    focusOpenWorkspaceSession?(owner: string): string | null
    retainProfileSocket?(profile: string): () => void
    retainProfile?(route: PluginProfileRoute | string): Promise<() => void>
    listPersistedSessions?(...args: any[]): Promise<any>
    setPersistedSessionHidden?(...args: any[]): Promise<unknown>
    getGateway?(): HermesGateway | null
    traceIdentityChange?(...args: any[]): void
  }
}
