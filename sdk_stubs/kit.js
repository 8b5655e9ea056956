// The parts that the kit's components are made of: a host element that a person recognises, with `data-ui` naming the
// component, the plain props kept, and texts and elements in props shown where the component would show them.

import { Children, cloneElement, createContext, createElement, isValidElement } from '@@elements'
import { useContext, useState } from '@@hooks'
import { WORD } from '@@words'

// Props that a host element takes as they are; every other plain one becomes a data-* attribute.
const NATIVE = new Set(
  `id className style title role tabIndex ref key href target rel src alt type name value defaultValue checked defaultChecked disabled
  readOnly required placeholder autoFocus autoComplete rows cols min max step maxLength pattern multiple accept htmlFor form hidden
  dir lang draggable width height colSpan rowSpan spellCheck inputMode`.split(/\s+/),
)

// Props in which components take something to show, in the order of reading.
const SLOTS = `icon lead leading label title subtitle name text description detail message hint badge count meta status error trigger
  actions action trailing header content footer emptyState`.split(/\s+/)

const dashed = (name) => 'data-' + name.replace(/[A-Z]/g, (letter) => '-' + letter.toLowerCase())

const showable = (value) => typeof value === 'string' || typeof value === 'number' || isValidElement(value) || (typeof value === 'function' && typeof value[WORD] === 'string') || (Array.isArray(value) && value.some(isValidElement))

/** Splits props into those of the host element and the slots to show. `taken` are props that the component handles itself. */
export function splitProps(name, props, { taken = [], slots = SLOTS, slotTag = 'span' } = {}) {
  const host = { 'data-ui': name }
  const shown = []
  for (const prop of Object.keys(props)) {
    const value = props[prop]
    if (prop === 'children' || prop === 'asChild' || taken.includes(prop)) continue
    if (slots.includes(prop) && showable(value)) continue
    if (NATIVE.has(prop) || /^(aria|data)-/.test(prop)) host[prop] = value
    else if (/^on[A-Z]/.test(prop) && typeof value === 'function') host[prop] = value
    else if (['string', 'number', 'boolean'].includes(typeof value)) host[dashed(prop)] = value
  }
  for (const slot of slots) {
    if (!taken.includes(slot) && showable(props[slot])) shown.push(createElement(slotTag, { key: slot, 'data-slot': slot }, props[slot]))
  }
  return { host, shown }
}

const INLINE = new Set(['span', 'button', 'kbd', 'i', 'h2', 'p'])

/** A component that is one element: `tag` with fixed attributes, slots before the children. */
export function simple(name, tag, fixed = {}, options = {}) {
  const Component = (props) => {
    const { host, shown } = splitProps(name, props, { slotTag: INLINE.has(tag) ? 'span' : 'div', ...options })
    const merged = { ...fixed, ...host }
    if (props.asChild && isValidElement(props.children)) return adopt(props.children, merged)
    if (options.empty) return createElement(tag, merged)
    return createElement(tag, merged, ...shown, ...spread(props.children))
  }
  Component.displayName = name
  return Component
}

// Children as given: one is passed as it is, an array as static children would be.
const spread = (children) => (children === undefined ? [] : [children])

/** `asChild`: the only child takes over the props; handlers of both run, the child's first. */
export function adopt(child, props) {
  const merged = { ...props }
  for (const name of Object.keys(child.props)) {
    const [own, given] = [child.props[name], props[name]]
    if (/^on[A-Z]/.test(name) && typeof own === 'function' && typeof given === 'function') {
      merged[name] = (...args) => {
        own(...args)
        given(...args)
      }
    } else if (name === 'className' && given) merged.className = `${given} ${own}`
    else if (name === 'style' && given) merged.style = { ...given, ...own }
    else merged[name] = own
  }
  return cloneElement(child, merged)
}

/** A value that the parent holds, or the component itself from `defaultValue` on. → [value, change]. */
export function useHeld(value, initial, onChange) {
  const [own, setOwn] = useState(initial)
  const change = (next) => {
    if (value === undefined) setOwn(next)
    onChange?.(next)
  }
  return [value === undefined ? own : value, change]
}

// ---------------------------------------------------------------- what opens and closes

/**
 * A family of Root, Trigger and Content (dialogs, menus, popovers): the root holds `open`, the trigger changes it, the
 * content is there while it is open.
 */
export function overlay(name, { content = 'div', role, hover = false }) {
  const Open = createContext({ open: false, setOpen() {} })
  const Root = (props) => {
    const [open, setOpen] = useHeld(props.open, Boolean(props.defaultOpen), props.onOpenChange)
    return createElement(Open, { value: { open, setOpen } }, ...spread(props.children))
  }
  const Trigger = (props) => {
    const { open, setOpen } = useContext(Open)
    const { host } = splitProps(`${name}Trigger`, props)
    const act = hover ? { onFocus: () => setOpen(true), onBlur: () => setOpen(false) } : { onClick: () => setOpen(!open), 'aria-expanded': open }
    const merged = { ...host, ...joined(host, act) }
    if (props.asChild && isValidElement(props.children)) return adopt(props.children, merged)
    return createElement('button', { type: 'button', ...merged }, ...spread(props.children))
  }
  const Content = (props) => {
    const { open } = useContext(Open)
    if (!open && !props.forceMount) return null
    const { host, shown } = splitProps(`${name}Content`, props)
    return createElement(content, { role, ...host }, ...shown, ...spread(props.children))
  }
  Root.displayName = name
  Trigger.displayName = `${name}Trigger`
  Content.displayName = `${name}Content`
  return { Root, Trigger, Content, useOpen: () => useContext(Open) }
}

function joined(host, act) {
  const both = {}
  for (const name of Object.keys(act)) {
    const [given, own] = [host[name], act[name]]
    both[name] =
      typeof given === 'function' && typeof own === 'function'
        ? (...args) => {
            given(...args)
            own(...args)
          }
        : own
  }
  return both
}

/** A row of a menu: choosing it calls onSelect. */
export function menuItem(name, role = 'menuitem') {
  const Item = (props) => {
    const { host, shown } = splitProps(name, props, { taken: ['onSelect', 'checked', 'onCheckedChange'] })
    const choose = (event) => {
      if (props.disabled) return
      props.onClick?.(event)
      props.onSelect?.(event)
      props.onCheckedChange?.(!props.checked)
    }
    const checked = role === 'menuitemcheckbox' ? { 'aria-checked': Boolean(props.checked) } : {}
    const { disabled, ...rest } = host
    return createElement('div', { ...rest, role, tabIndex: -1, 'aria-disabled': disabled ? true : undefined, ...checked, onClick: choose }, ...shown, ...spread(props.children))
  }
  Item.displayName = name
  return Item
}

/** The text in a tree of children, for labels. */
export function textIn(children) {
  let text = ''
  Children.forEach(children, (child) => {
    if (typeof child === 'string' || typeof child === 'number') text += child
    else if (isValidElement(child)) text += textIn(child.props.children)
  })
  return text
}
