// What lies over the page: dialogs, menus, popovers, tooltips.

import { createElement } from '@@elements'
import { menuItem, overlay, simple, splitProps } from '@@kit'
import { Button } from '@@kit-controls'

const dialog = overlay('Dialog', { role: 'dialog' })
export const { Root: Dialog, Trigger: DialogTrigger, Content: DialogContent } = dialog
export const DialogHeader = simple('DialogHeader', 'header')
export const DialogFooter = simple('DialogFooter', 'footer')
export const DialogTitle = simple('DialogTitle', 'h2')
export const DialogDescription = simple('DialogDescription', 'p')

const dropdown = overlay('DropdownMenu', { role: 'menu' })
export const { Root: DropdownMenu, Trigger: DropdownMenuTrigger, Content: DropdownMenuContent } = dropdown
export const DropdownMenuItem = menuItem('DropdownMenuItem')
export const DropdownMenuSeparator = simple('DropdownMenuSeparator', 'hr', {}, { empty: true })

const context = overlay('ContextMenu', { role: 'menu' })
export const { Root: ContextMenu, Content: ContextMenuContent } = context

/** Opens by the context menu event, not by a click. */
export function ContextMenuTrigger(props) {
  const { setOpen } = context.useOpen()
  const { host } = splitProps('ContextMenuTrigger', props)
  return createElement('div', { ...host, onContextMenu: () => setOpen(true) }, props.children)
}
export const ContextMenuItem = menuItem('ContextMenuItem')
export const ContextMenuCheckboxItem = menuItem('ContextMenuCheckboxItem', 'menuitemcheckbox')
export const ContextMenuSeparator = simple('ContextMenuSeparator', 'hr', {}, { empty: true })
const sub = overlay('ContextMenuSub', { role: 'menu' })
export const { Root: ContextMenuSub, Trigger: ContextMenuSubTrigger, Content: ContextMenuSubContent } = sub

const popover = overlay('Popover', { role: 'dialog' })
export const { Root: Popover, Trigger: PopoverTrigger, Content: PopoverContent } = popover

const tooltip = overlay('Tooltip', { role: 'tooltip', hover: true })
export const { Root: Tooltip, Trigger: TooltipTrigger, Content: TooltipContent } = tooltip
export const TooltipProvider = ({ children }) => children ?? null

/** The short form: the label shows as the title of what it explains. */
export function Tip(props) {
  const { host } = splitProps('Tip', props, { taken: ['label', 'content', 'side'], slots: [] })
  const label = props.label ?? props.content
  return createElement('span', { ...host, title: typeof label === 'string' ? label : undefined }, props.children)
}

/** A question with two answers, while `open` is true. */
export function ConfirmDialog(props) {
  const { open, title, description, children, confirmLabel = 'Confirm', cancelLabel = 'Cancel', destructive, onConfirm, onClose, onOpenChange } = props
  if (!open) return null
  const close = () => {
    onClose?.()
    onOpenChange?.(false)
  }
  const confirm = async () => {
    await onConfirm?.()
    close()
  }
  return createElement(
    'div',
    { role: 'alertdialog', 'data-ui': 'ConfirmDialog', 'data-destructive': destructive },
    createElement(DialogTitle, null, title),
    description ? createElement(DialogDescription, null, description) : null,
    children,
    createElement(DialogFooter, null, createElement(Button, { onClick: close }, cancelLabel), createElement(Button, { onClick: confirm }, confirmLabel)),
  )
}
