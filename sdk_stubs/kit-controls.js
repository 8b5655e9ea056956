// Buttons, fields and choices of the UI kit.

import { Children, createContext, createElement, isValidElement } from '@@elements'
import { useContext } from '@@hooks'
import { adopt, simple, splitProps, useHeld } from '@@kit'

const button = (name, options) => simple(name, 'button', { type: 'button' }, { slots: [], ...options })

export const Button = button('Button')
export const RowButton = button('RowButton')
export const PanelAction = simple('PanelAction', 'button', { type: 'button' })
export const PanelAddButton = simple('PanelAddButton', 'button', { type: 'button' })
export const SidePanelAction = simple('SidePanelAction', 'button', { type: 'button' })
export const SidePanelClose = simple('SidePanelClose', 'button', { type: 'button', 'aria-label': 'Close' })
export const WorkspacePageHeaderControl = simple('WorkspacePageHeaderControl', 'div')

export const Input = simple('Input', 'input', {}, { slots: [], empty: true })
export const Textarea = simple('Textarea', 'textarea', {}, { slots: [], empty: true })
export const SidePanelTitleInput = simple('SidePanelTitleInput', 'input', {}, { slots: [], empty: true })

/** onChange gets the text, not the event. */
export function SearchField(props) {
  const { host } = splitProps('SearchField', props, { taken: ['onChange', 'onClear', 'hints', 'loading', 'containerClassName', 'inputClassName', 'trailingAction', 'leadingContent', 'inputRef'], slots: [] })
  const onChange = typeof props.onChange === 'function' ? (event) => props.onChange(event.target.value) : undefined
  return createElement('input', { type: 'text', 'aria-label': props.placeholder, ...host, value: props.value ?? '', onChange, ref: props.inputRef ?? props.ref })
}

/** onCheckedChange gets the new state; a bare child is its label. */
function toggle(name, role) {
  const Toggle = (props) => {
    const [checked, change] = useHeld(props.checked, Boolean(props.defaultChecked), props.onCheckedChange)
    const { host, shown } = splitProps(name, props, { taken: ['checked', 'defaultChecked', 'onCheckedChange'] })
    const onClick = (event) => {
      props.onClick?.(event)
      change(!checked)
    }
    const state = checked === 'indeterminate' ? 'mixed' : Boolean(checked)
    return createElement('button', { type: 'button', ...host, role, 'aria-checked': state, onClick }, ...shown, props.children)
  }
  Toggle.displayName = name
  return Toggle
}
export const Switch = toggle('Switch', 'switch')
export const Checkbox = toggle('Checkbox', 'checkbox')

/** A settings row with a switch at its end. */
export function ToggleRow(props) {
  const { host, shown } = splitProps('ToggleRow', props, { taken: ['checked', 'defaultChecked', 'onChange', 'onCheckedChange', 'disabled'] })
  const onCheckedChange = props.onCheckedChange ?? props.onChange
  const { checked, defaultChecked, disabled } = props
  return createElement('div', host, ...shown, props.children, createElement(Switch, { checked, defaultChecked, disabled, onCheckedChange, 'aria-label': typeof props.label === 'string' ? props.label : undefined }))
}

/** One of several: options are {id | value, label, icon?}; onChange gets the id. */
export function SegmentedControl(props) {
  const { options = [], value, onChange, onValueChange } = props
  const { host } = splitProps('SegmentedControl', props, { taken: ['options', 'value', 'onChange', 'onValueChange'], slots: [] })
  const parts = [...options].map((option) => {
    const id = option?.id ?? option?.value ?? option
    return createElement(
      'button',
      { key: '' + id, type: 'button', 'aria-pressed': id === value, disabled: props.disabled || option?.disabled, onClick: () => (onChange ?? onValueChange)?.(id) },
      typeof option?.icon === 'function' ? createElement(option.icon) : (option?.icon ?? null),
      option?.label ?? '' + id,
    )
  })
  return createElement('div', { role: 'group', ...host }, ...parts)
}

// ---------------------------------------------------------------- select

const Choice = createContext({ value: undefined, choose() {}, open: false, setOpen() {} })

export function Select(props) {
  const [value, change] = useHeld(props.value, props.defaultValue, props.onValueChange)
  const [open, setOpen] = useHeld(props.open, Boolean(props.defaultOpen), props.onOpenChange)
  const choose = (next) => {
    change(next)
    setOpen(false)
  }
  const { host } = splitProps('Select', props, { taken: ['value', 'defaultValue', 'onValueChange', 'open', 'defaultOpen', 'onOpenChange', 'name'], slots: [] })
  return createElement(Choice, { value: { value, choose, open, setOpen, disabled: props.disabled } }, createElement('div', { ...host, 'data-value': value }, props.children))
}

export function SelectTrigger(props) {
  const { open, setOpen, disabled } = useContext(Choice)
  const { host } = splitProps('SelectTrigger', props)
  const act = { disabled, ...host, role: 'combobox', 'aria-expanded': open, onClick: () => setOpen(!open) }
  if (props.asChild && isValidElement(props.children)) return adopt(props.children, act)
  return createElement('button', { type: 'button', ...act }, props.children)
}

export function SelectValue(props) {
  const { value } = useContext(Choice)
  const nothing = value === undefined || value === null || value === ''
  return createElement('span', { 'data-ui': 'SelectValue', className: props.className }, props.children ?? (nothing ? props.placeholder : '' + value))
}

export function SelectContent(props) {
  const { open } = useContext(Choice)
  if (!open) return null
  const { host } = splitProps('SelectContent', props)
  return createElement('div', { role: 'listbox', ...host }, props.children)
}

export function SelectItem(props) {
  const { value, choose } = useContext(Choice)
  const { host } = splitProps('SelectItem', props, { taken: ['value'], slots: [] })
  return createElement('div', { role: 'option', ...host, 'data-value': props.value, 'aria-selected': value === props.value, onClick: () => props.disabled || choose(props.value) }, props.children)
}

export const SelectGroup = simple('SelectGroup', 'div', { role: 'group' })
export const SelectLabel = simple('SelectLabel', 'span')

// ---------------------------------------------------------------- tabs

const Tab = createContext({ value: undefined, choose() {} })

export function Tabs(props) {
  const [value, choose] = useHeld(props.value, props.defaultValue, props.onValueChange)
  const { host } = splitProps('Tabs', props, { taken: ['value', 'defaultValue', 'onValueChange'], slots: [] })
  return createElement(Tab, { value: { value, choose } }, createElement('div', { ...host, 'data-value': value }, props.children))
}

export const TabsList = simple('TabsList', 'div', { role: 'tablist' })

export function TabsTrigger(props) {
  const { value, choose } = useContext(Tab)
  const { host } = splitProps('TabsTrigger', props, { taken: ['value'] })
  const onClick = (event) => {
    props.onClick?.(event)
    choose(props.value)
  }
  return createElement('button', { type: 'button', role: 'tab', ...host, 'aria-selected': value === props.value, onClick }, props.children)
}

export const TextTab = simple('TextTab', 'button', { type: 'button', role: 'tab' })
export const TextTabMeta = simple('TextTabMeta', 'span')

// ---------------------------------------------------------------- others

export function Stepper(props) {
  const { value = 0, min = -Infinity, max = Infinity, step = 1, onChange, onValueChange } = props
  const change = (next) => (onChange ?? onValueChange)?.(Math.min(max, Math.max(min, next)))
  const { host } = splitProps('Stepper', props, { taken: ['value', 'min', 'max', 'step', 'onChange', 'onValueChange'] })
  return createElement(
    'div',
    { role: 'group', ...host },
    createElement('button', { type: 'button', 'aria-label': 'Less', onClick: () => change(value - step) }, '−'),
    createElement('output', null, value),
    createElement('button', { type: 'button', 'aria-label': 'More', onClick: () => change(value + step) }, '+'),
  )
}

export function ColorSwatches(props) {
  const { swatches = [], value, onChange, onSelect } = props
  const { host } = splitProps('ColorSwatches', props, { taken: ['swatches', 'value', 'onChange', 'onSelect'] })
  const choose = (color) => (onChange ?? onSelect)?.(color)
  const parts = [...swatches].map((color) => createElement('button', { key: color, type: 'button', 'aria-label': color, 'aria-pressed': color === value, onClick: () => choose(color) }))
  return createElement('div', { role: 'group', ...host }, ...parts, createElement('button', { type: 'button', onClick: () => choose(null) }, props.clearLabel ?? 'Clear'))
}

/** Copies nothing here: it shows what it would copy. */
export function CopyButton(props) {
  const { host } = splitProps('CopyButton', props, { taken: ['text', 'getText', 'value', 'onCopied'], slots: [] })
  return createElement('button', { type: 'button', 'aria-label': props.label ?? props.title ?? 'Copy', ...host }, props.children ?? props.label ?? 'Copy')
}

/** A label over a control, with a hint or a status under it. */
export function Field(props) {
  const { host, shown } = splitProps('Field', props, { taken: ['label', 'htmlFor', 'hint', 'status'] })
  return createElement('div', host, createElement('label', { htmlFor: props.htmlFor }, props.label), ...shown, Children.count(props.children) > 0 ? props.children : null, createElement(FieldHint, null, props.status ?? props.hint))
}

export const FieldHint = (props) => (props.children === undefined || props.children === null ? null : createElement('p', { 'data-ui': 'FieldHint', className: props.className }, props.children))
export const FieldStatusSlot = simple('FieldStatusSlot', 'div')
export const useFieldControl = () => ({})
