// Contributions: the areas by their values, and what each takes.

declare module '@hermes/plugin-sdk' {
  import { ComponentType, ReactNode } from 'react'

  export const PANES_AREA: 'panes'
  export const ROUTES_AREA: 'routes'
  export const SIDEBAR_NAV_AREA: 'sidebar.nav'
  export const STATUSBAR_AREAS: { readonly left: 'statusBar.left'; readonly right: 'statusBar.right' }
  export const TITLEBAR_AREAS: { readonly left: 'titleBar.left'; readonly center: 'titleBar.center'; readonly right: 'titleBar.right' }
  export const PALETTE_AREA: 'palette'
  export const KEYBINDS_AREA: 'keybinds'
  export const THEMES_AREA: 'themes'
  export const COMPOSER_AREAS: {
    readonly top: 'composer.top'
    readonly bottom: 'composer.bottom'
    readonly leading: 'composer.leading'
    readonly actions: 'composer.actions'
    readonly attachments: 'composer.attachments'
    readonly middleware: 'composer.middleware'
    readonly underside: 'composer.underside'
    readonly microActions: 'composer.microActions'
    readonly atCompletions: 'composer.atCompletions'
    readonly modelPill: 'composer.modelPill'
  }
  export const TRANSCRIPT_DIRECTIVE_AREA: 'transcript.directives'
  export const CHAT_EMPTY_AREA: 'chat.empty'
  export const WORKSPACE_PAGE_HEADER_AREA: 'workspace.pageHeader'
  export const SESSION_ROW_AREAS: { readonly leading: 'sessionRow.leading'; readonly trailing: 'sessionRow.trailing' }
  export const MODEL_MENU_ROW_AREA: 'modelMenu.row'
  export const APPEARANCE_AREAS: { readonly extra: 'appearance.extra' }
  export const SETTINGS_PLUGINS_AREA: 'settings.plugins'
  export const SIDEBAR_NAV_PREFS_AREA: 'sidebarNav.prefs'
  export const SIDEBAR_PROFILE_GROUP_HEADER_AREA: string

  // ------------------------------------------------------------ contributions

  interface ContributionBase {
    id: string
    title?: string
    /** Smaller comes first. */
    order?: number
    /** Shown while it is true. */
    when?: { get(): boolean; listen(listener: (value: boolean) => void): () => void }
    /** false hides it. */
    enabled?: boolean
  }
  interface Shown extends ContributionBase {
    /** A component: hooks work in it. */
    render: () => ReactNode
  }

  /** What ctx.register takes: the area decides which of `render` and `data` are wanted. */
  export type PluginContribution =
    | (Shown & { area: 'panes'; data: PaneData })
    | (Shown & { area: 'routes'; data: RouteContribution })
    | (ContributionBase & { area: 'sidebar.nav'; data: SidebarNavContribution })
    | (ContributionBase & { area: 'statusBar.left' | 'statusBar.right'; data: StatusbarItem; render?: () => ReactNode })
    | (Shown & { area: 'statusBar.left' | 'statusBar.right'; data?: undefined })
    | (ContributionBase & { area: 'titleBar.left' | 'titleBar.center' | 'titleBar.right'; data: TitlebarTool; render?: () => ReactNode })
    | (Shown & { area: 'titleBar.left' | 'titleBar.center' | 'titleBar.right'; data?: undefined })
    | (ContributionBase & { area: 'palette'; data: PaletteContribution })
    | (ContributionBase & { area: 'keybinds'; data: KeybindContribution })
    | (ContributionBase & { area: 'themes'; data: DesktopTheme })
    | (Shown & { area: 'composer.top' | 'composer.bottom' | 'composer.leading' | 'composer.actions' | 'composer.underside' | 'appearance.extra'; data?: unknown })
    | (ContributionBase & { area: 'composer.middleware'; data: ComposerMiddleware })
    | (ContributionBase & { area: 'composer.attachments'; data: ComposerAttachmentProvider })
    | (ContributionBase & { area: 'composer.atCompletions'; data: ComposerAtCompletionSource })
    | (ContributionBase & { area: 'composer.modelPill'; data: ComposerModelPillProvider })
    | (ContributionBase & { area: 'composer.microActions' | 'workspace.pageHeader'; data?: unknown; render?: () => ReactNode })
    | (ContributionBase & { area: 'transcript.directives'; data: TranscriptDirectiveContribution })
    | (ContributionBase & { area: 'chat.empty'; data: ChatEmptyContribution; render?: () => ReactNode })
    | (ContributionBase & { area: 'sessionRow.leading' | 'sessionRow.trailing'; data: SessionRowSlotContribution })
    | (ContributionBase & { area: 'modelMenu.row'; data: ModelMenuRowContribution })
    | (Shown & { area: 'settings.plugins'; data?: { icon?: ReactNode; children?: PluginSettingsSubpage[] } })
    | (ContributionBase & { area: 'sidebarNav.prefs'; data: SidebarNavPrefsContribution })

  /** A contribution as the app keeps it: id and source are the app's. */
  export interface Contribution extends ContributionBase {
    area: string
    source?: string
    render?: () => ReactNode
    data?: unknown
  }
  export interface ContributeProps {
    area: string
    /** Namespaced with the plugin's id: `my-plugin:control`. */
    id: string
    title?: string
    order?: number
    data?: unknown
    enabled?: boolean
    children?: ReactNode
  }

  // ------------------------------------------------------------ payloads

  export type FloatingAnchor = 'top-left' | 'top-right' | 'bottom-left' | 'bottom-right'
  interface PaneData {
    placement: 'main' | 'left' | 'right' | 'top' | 'bottom' | 'floating'
    dock?: { pane: string; pos?: 'top' | 'bottom' | 'left' | 'right' | 'center' }
    width?: string | number
    height?: string | number
    minWidth?: string | number
    /** Floating panes: the corner where they appear. */
    anchor?: FloatingAnchor
    tabTitle?: string
  }
  export interface RouteContribution {
    /** One absolute segment: '/my-page'. */
    path: string
  }
  export interface SidebarNavContribution {
    path: string
    label: string
    /** A name of @vscode/codicons. */
    codicon: string
  }
  export interface SidebarNavPrefsContribution {
    hide?: string[]
    order?: string[]
  }
  export interface StatusbarItem {
    id: string
    render?: () => ReactNode
    label?: ReactNode
    detail?: ReactNode
    icon?: ReactNode
    title?: string
    to?: string
    href?: string
    className?: string
    disabled?: boolean
    hidden?: boolean
    variant?: 'action' | 'link' | 'menu' | 'text'
    menuItems?: unknown[]
    menuContent?: ReactNode | ((close: () => void) => ReactNode)
    menuAlign?: 'start' | 'center' | 'end'
    menuClassName?: string
    toggleLabel?: string
    lockedVisible?: boolean
    onSelect?: (modifiers?: { shiftKey: boolean }) => void
  }
  export interface TitlebarTool {
    id: string
    /** The tooltip, and what a screen reader says. */
    label: string
    icon: ReactNode
    active?: boolean
    badge?: number
    className?: string
    disabled?: boolean
    hidden?: boolean
    href?: string
    to?: string
    title?: string
    actionId?: string
    onSelect?: (event?: MouseEvent) => void
  }
  export interface PaletteContribution {
    id: string
    label: string
    run: () => void
    keywords?: string[]
    icon?: ComponentType<any>
    /** The key of this action is shown beside the row. */
    action?: string
    detail?: () => string
    detailVariant?: 'muted' | 'state'
    keepOpen?: boolean
  }
  export interface KeybindContribution {
    /** Not one of the app's own actions: those win, silently. */
    id: string
    label: string
    run: () => void
    category?: 'composer' | 'profiles' | 'session' | 'navigation' | 'view'
    /** 'mod+shift+k'; empty: no key until the user gives one. */
    defaults?: readonly string[]
  }
  export interface TranscriptDirectiveProps {
    /** The model's words: strings, not to be trusted. */
    attrs: Readonly<Record<string, string>>
    source?: string
    streaming: boolean
  }
  export interface TranscriptDirectiveContribution {
    /** `::name{key="value"}`; the first plugin that registers it owns it. */
    name: string
    render: (props: TranscriptDirectiveProps) => ReactNode
  }
  export interface ChatEmptyProps {
    sessionId: string | null
    [field: string]: unknown
  }
  export interface ChatEmptyContribution {
    claims?: (props: ChatEmptyProps) => boolean
    render?: (props: ChatEmptyProps) => ReactNode
    [field: string]: unknown
  }
  export interface SessionRowSlotProps {
    /** The stored, durable id. */
    sessionId: string
  }
  export interface SessionRowSlotContribution {
    render: (props: SessionRowSlotProps) => ReactNode
  }
  export interface ModelMenuRowContext {
    provider: string
    model: string
    label: string
  }
  export interface ModelMenuRowDecoration {
    icon?: ReactNode
    badge?: ReactNode
  }
  export interface ModelMenuRowContribution {
    decorate: (row: ModelMenuRowContext) => ModelMenuRowDecoration | null
  }
  export interface ProfileGroupRoute {
    profile: string
    connectionId?: string
  }
  export interface ProfileGroupHeaderContribution {
    [field: string]: unknown
  }
  export interface ComposerMiddleware {
    /** The draft as it should be sent; null keeps it from being sent. */
    handler: (draft: any) => any
  }
  export interface ComposerAttachmentProvider {
    id?: string
    label?: string
    [field: string]: unknown
  }
  export interface ComposerAtCompletionItem {
    id: string
    label: string
    insertText?: string
    [field: string]: unknown
  }
  export interface ComposerAtCompletionSource {
    complete?: (query: string) => ComposerAtCompletionItem[] | Promise<ComposerAtCompletionItem[]>
    [field: string]: unknown
  }
  export interface ComposerModelPillContext {
    model: string
    reasoningEffort?: string
    compact?: boolean
  }
  export interface ComposerModelPillProvider {
    label: (context: ComposerModelPillContext) => string | null
  }

  // ------------------------------------------------------------ themes

  export interface DesktopThemeColors {
    background: string
    foreground: string
    card: string
    cardForeground: string
    muted: string
    mutedForeground: string
    popover: string
    popoverForeground: string
    primary: string
    primaryForeground: string
    secondary: string
    secondaryForeground: string
    accent: string
    accentForeground: string
    border: string
    input: string
    ring: string
    destructive: string
    destructiveForeground: string
    midground?: string
    midgroundForeground?: string
    composerRing?: string
    sidebarBackground?: string
    sidebarBorder?: string
    userBubble?: string
    userBubbleBorder?: string
  }
  export interface DesktopTheme {
    name: string
    label: string
    description?: string
    /** For light mode, and for dark mode where darkColors is missing. */
    colors: DesktopThemeColors
    darkColors?: DesktopThemeColors
    typography?: { fontSans?: string; fontMono?: string; fontUrl?: string }
    terminal?: Record<string, string>
    darkTerminal?: Record<string, string>
    variants?: unknown[]
    customCSS?: string
  }
}
