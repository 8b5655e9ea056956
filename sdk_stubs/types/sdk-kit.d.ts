// The UI kit: components by the props that plugins use; what is not named here is passed on.

declare module '@hermes/plugin-sdk' {
  import { CSSProperties, ExoticComponent, ReactNode, SyntheticEvent } from 'react'

  /** A component of the kit: rendered with jsx(), never called. */
  type Kit<P = {}> = ExoticComponent<P & KitProps>
  interface KitProps {
    children?: ReactNode
    className?: string
    style?: CSSProperties
    [prop: string]: any
  }
  type Size = 'default' | 'xs' | 'sm' | 'lg' | 'inline' | 'micro' | 'icon' | 'icon-2xs' | 'icon-xs' | 'icon-sm' | 'icon-lg' | 'icon-titlebar'
  export type StatusTone = 'good' | 'muted' | 'warn' | 'bad' | (string & {})
  export type PanelPillTone = string
  export type LoaderType = string
  export type SpinnerName = string
  export type FieldStatus = string | { tone?: string; text: ReactNode }
  export interface ControlVariantProps {
    size?: string
    className?: string
  }

  // ------------------------------------------------------------ buttons, fields, choices

  export const Button: Kit<{
    variant?: 'default' | 'destructive' | 'outline' | 'secondary' | 'ghost' | 'link' | 'text' | 'textStrong'
    size?: Size
    asChild?: boolean
    type?: 'button' | 'submit' | 'reset'
    disabled?: boolean
    onClick?: (event: SyntheticEvent) => void
  }>
  export const RowButton: Kit<{ onClick?: (event: SyntheticEvent) => void; disabled?: boolean }>
  export const CopyButton: Kit<{
    text: string | (() => string | Promise<string>)
    label?: string
    appearance?: 'button' | 'icon' | 'inline' | 'menu-item' | 'tool-row'
    onCopied?: () => void
    onCopyError?: (error: unknown) => void
  }>
  export const Input: Kit<{ value?: string; defaultValue?: string; placeholder?: string; type?: string; disabled?: boolean; onChange?: (event: SyntheticEvent) => void }>
  export const Textarea: Kit<{ value?: string; defaultValue?: string; placeholder?: string; rows?: number; onChange?: (event: SyntheticEvent) => void }>
  /** onChange gets the text, not an event. */
  export const SearchField: Kit<{ value: string; onChange: (value: string) => void; placeholder: string; loading?: boolean; hints?: string[]; onClear?: () => void; trailingAction?: ReactNode; variant?: 'underline' | 'box' }>
  interface ToggleProps {
    checked?: boolean
    defaultChecked?: boolean
    disabled?: boolean
    onCheckedChange?: (checked: boolean) => void
  }
  export const Checkbox: Kit<ToggleProps>
  export const Switch: Kit<ToggleProps>
  export const ToggleRow: Kit<ToggleProps & { label?: ReactNode; description?: ReactNode; onChange?: (checked: boolean) => void }>
  export const SegmentedControl: Kit<{ options: readonly { id: string; label: string; icon?: ExoticComponent<any> }[]; value: string; onChange: (id: any) => void; disabled?: boolean }>
  interface ValueProps {
    value?: string
    defaultValue?: string
    disabled?: boolean
    onValueChange?: (value: string) => void
  }
  export const Select: Kit<ValueProps>
  export const SelectTrigger: Kit
  export const SelectValue: Kit<{ placeholder?: ReactNode }>
  export const SelectContent: Kit
  export const SelectItem: Kit<{ value: string; disabled?: boolean }>
  export const SelectGroup: Kit
  export const SelectLabel: Kit
  export const Tabs: Kit<ValueProps>
  export const TabsList: Kit
  export const TabsTrigger: Kit<{ value: string; disabled?: boolean }>
  export const TextTab: Kit<{ active?: boolean; onClick?: (event: SyntheticEvent) => void }>
  export const TextTabMeta: Kit
  export const Stepper: Kit<{ value: number; min?: number; max?: number; step?: number; onChange?: (value: number) => void }>
  export const ColorSwatches: Kit<{ value?: string | null; swatches?: readonly string[]; onChange?: (color: string | null) => void }>
  export const Field: Kit<{ label?: ReactNode; hint?: ReactNode; status?: FieldStatus; htmlFor?: string }>
  export const FieldHint: Kit
  export const FieldStatusSlot: Kit<{ status?: FieldStatus }>
  export function useFieldControl(): Record<string, unknown>
  export function controlVariants(options?: ControlVariantProps): string

  // ------------------------------------------------------------ over the page

  interface OpenProps {
    open?: boolean
    defaultOpen?: boolean
    onOpenChange?: (open: boolean) => void
  }
  interface TriggerProps {
    asChild?: boolean
    disabled?: boolean
  }
  interface ItemProps {
    disabled?: boolean
    onSelect?: (event: any) => void
  }
  export const Dialog: Kit<OpenProps>
  export const DialogTrigger: Kit<TriggerProps>
  export const DialogContent: Kit
  export const DialogHeader: Kit
  export const DialogFooter: Kit
  export const DialogTitle: Kit
  export const DialogDescription: Kit
  export const ConfirmDialog: Kit<{
    open: boolean
    onClose: () => void
    /** Throw to show the error and keep the dialog open. */
    onConfirm: () => void | Promise<void>
    title: ReactNode
    description?: ReactNode
    confirmLabel?: string
    busyLabel?: string
    doneLabel?: string
    cancelLabel?: string
    destructive?: boolean
    dismissOnConfirm?: boolean
    typedConfirmation?: string
  }>
  export const DropdownMenu: Kit<OpenProps>
  export const DropdownMenuTrigger: Kit<TriggerProps>
  export const DropdownMenuContent: Kit<{ align?: 'start' | 'center' | 'end'; side?: 'top' | 'right' | 'bottom' | 'left' }>
  export const DropdownMenuItem: Kit<ItemProps>
  export const DropdownMenuSeparator: Kit
  export const ContextMenu: Kit<OpenProps>
  export const ContextMenuTrigger: Kit<TriggerProps>
  export const ContextMenuContent: Kit
  export const ContextMenuItem: Kit<ItemProps>
  export const ContextMenuCheckboxItem: Kit<ItemProps & { checked?: boolean; onCheckedChange?: (checked: boolean) => void }>
  export const ContextMenuSeparator: Kit
  export const ContextMenuSub: Kit<OpenProps>
  export const ContextMenuSubTrigger: Kit
  export const ContextMenuSubContent: Kit
  export const Popover: Kit<OpenProps>
  export const PopoverTrigger: Kit<TriggerProps>
  export const PopoverContent: Kit<{ align?: 'start' | 'center' | 'end'; side?: 'top' | 'right' | 'bottom' | 'left' }>
  export const Tip: Kit<{ label: ReactNode; side?: 'top' | 'right' | 'bottom' | 'left' }>
  export const Tooltip: Kit<OpenProps>
  export const TooltipTrigger: Kit<TriggerProps>
  export const TooltipContent: Kit
  export const TooltipProvider: Kit

  // ------------------------------------------------------------ what is shown

  interface StateProps {
    title: ReactNode
    description?: ReactNode
  }
  export const Badge: Kit<{ variant?: string }>
  /** A name of @vscode/codicons. */
  export const Codicon: Kit<{ name: string; size?: string | number; spinning?: boolean }>
  export const Kbd: Kit
  export const KbdGroup: Kit
  export const EmptyState: Kit<StateProps>
  export const ErrorState: Kit<StateProps & { icon?: ReactNode }>
  export const Loader: Kit<{ type?: LoaderType; label?: string }>
  export const GlyphSpinner: Kit<{ name?: SpinnerName }>
  export const Skeleton: Kit
  export const Separator: Kit<{ orientation?: 'horizontal' | 'vertical' }>
  export const StatusDot: Kit<{ tone?: StatusTone }>
  export interface SessionStatusDotProps extends KitProps {
    sessionId?: string
  }
  export const SessionStatusDot: Kit<SessionStatusDotProps>
  export const ConnectionGlyph: Kit
  export const DisclosureCaret: Kit<{ open?: boolean }>
  export const DecodeText: Kit<{ text?: string }>
  export const LogView: Kit<{ lines?: readonly unknown[] }>
  export const ScrollArea: Kit
  export const FadeScroll: Kit
  export const Callout: Kit<{ tone?: string }>
  export const ListRow: Kit<{ label?: ReactNode; description?: ReactNode }>
  export const LocalizedTabTitle: Kit
  export const MessageTextContent: Kit<{ text: string; media?: boolean }>
  export const Streamdown: Kit
  export const Wordmark: Kit<{ text?: string }>
  export const Blobatar: Kit<{ name?: string; size?: number }>
  export const SidebarRowLead: Kit
  export const WorkspacePageHeaderControl: Kit
  /** The app's icon set by name: icons.RefreshCw. */
  export const icons: Record<string, ExoticComponent<any>>
  /** While it is mounted, its children stand in the slot of an area. */
  export const Contribute: ExoticComponent<ContributeProps>
}
