// Panels, pages and whole surfaces of the app.

declare module '@hermes/plugin-sdk' {
  import { ReactNode, RefObject, SyntheticEvent } from 'react'

  export interface PanelMenuItem {
    id?: string
    label: string
    icon?: ReactNode
    disabled?: boolean
    destructive?: boolean
    onSelect?: () => void
  }
  export interface PanelMetaRow {
    label: ReactNode
    value: ReactNode
  }
  export const PanelAction: Kit<{ label?: string; icon?: ReactNode; onClick?: (event: SyntheticEvent) => void }>
  export const PanelAddButton: Kit<{ label?: string; onClick?: (event: SyntheticEvent) => void }>
  export const PanelBlock: Kit<{ title?: ReactNode }>
  export const PanelBody: Kit
  export const PanelDetail: Kit
  export const PanelEmpty: Kit<{ title?: ReactNode; description?: ReactNode; icon?: ReactNode; action?: ReactNode }>
  export const PanelHeader: Kit<{ title?: ReactNode; subtitle?: ReactNode }>
  export const PanelList: Kit
  export const PanelListRow: Kit<{ title?: ReactNode; active?: boolean; lead?: ReactNode; meta?: ReactNode; menuItems?: PanelMenuItem[]; onSelect?: () => void }>
  export const PanelMeta: Kit<{ rows?: readonly PanelMetaRow[] }>
  export const PanelPill: Kit<{ tone?: PanelPillTone }>
  export const PanelRowMenu: Kit<{ items?: PanelMenuItem[] }>
  export const PanelSectionLabel: Kit

  export const PageShell: Kit
  export const PageHeader: Kit
  export const PageHeaderTitle: Kit
  export const PageHeaderCount: Kit
  export const PageHeaderActions: Kit

  export interface SidePanelProps extends KitProps {
    onClose?: () => void
    width?: number | string
  }
  export const SidePanel: Kit<SidePanelProps>
  export const SidePanelAction: Kit
  export const SidePanelBody: Kit
  export const SidePanelClose: Kit<{ onClick?: (event: SyntheticEvent) => void }>
  export const SidePanelHeader: Kit
  export const SidePanelMeta: Kit
  export const SidePanelMetaRow: Kit<{ label?: ReactNode }>
  export const SidePanelSection: Kit<{ title?: ReactNode }>
  export const SidePanelTitle: Kit
  export const SidePanelTitleInput: Kit<{ value?: string; onChange?: (event: SyntheticEvent) => void }>
  export const SidePanelToolbar: Kit

  export interface SessionChatProps extends KitProps {
    sessionId?: string
  }
  export const SessionChat: Kit<SessionChatProps>
  export interface SandboxedFrameProps extends KitProps {
    html?: string
    src?: string
    title?: string
  }
  export const SandboxedFrame: Kit<SandboxedFrameProps>
  export const CapabilitiesView: Kit<{ embedded?: boolean; fixedProfile?: string; fixedConnection?: string }>
  export const SkillsView: Kit<{ embedded?: boolean; fixedProfile?: string; fixedConnection?: string }>
  export const ConnectorsTab: Kit<{ profile?: string }>
  export const McpTab: Kit<{ gateway?: HermesGateway | null; profile?: string }>
  export const ToolsetConfigPanel: Kit<{ toolset?: unknown; profile?: string; onConfiguredChange?: (configured: boolean) => void }>

  export interface ModelChoice {
    provider: string
    model: string
    [field: string]: unknown
  }
  export interface ModelMenuController {
    [member: string]: any
  }
  export const ModelCatalogMenu: Kit<{ controller?: ModelMenuController }>
  export const ModelMenuCloseContext: import('react').Context<() => void>

  /** Grab to pan: spread over the scrolling element. */
  export interface GrabScroll {
    ref: RefObject<any>
    [handler: string]: any
  }
  export function useGrabScroll(...args: any[]): GrabScroll

  // Class names and sizes that some builds export.
  export const ACTIVE_ICON_BTN: string
  export const GHOST_ICON_BTN: string
  export const ICON_BTN: string
  export const PRIMARY_ICON_BTN: string
  export const PRIMARY_ICON_FACE: string
  export const FIELD_LABEL: string
  export const FIELD_STACK: string
  export const SIDE_PANEL_LABEL: string
  export const SIDE_PANEL_TITLE: string
  export const SIDEBAR_ROW_LEAD: string
  export const SIDEBAR_TRUNCATED_LEADING: string
  export const composerFill: string
  export const composerFloatingPill: string
  export const composerFloatingStrip: string
  export const composerPanelCard: string
  export const composerSurfaceGlass: string
  export function composerDockCard(edge: 'top' | 'bottom'): string
}
