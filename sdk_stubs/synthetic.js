// React's events: one native listener for each event type at the container, handlers found by the path of instances.

import { QUIET, dispatch, makeEvent, withListenerErrors } from '@@events'
import { instanceOf } from '@@host-nodes'

// Which props a native event calls, where it is not simply on<Type>.
const PROPS = {
  dblclick: ['ondoubleclick'],
  input: ['oninput', 'onchange'],
  focusin: ['onfocus'],
  focusout: ['onblur'],
  focus: [],
  blur: [],
  // The pointer events that do not bubble are made from these two.
  mouseover: ['onmouseover', 'onmouseenter'],
  mouseout: ['onmouseout', 'onmouseleave'],
}
const TARGET_ONLY = new Set(['scroll', 'load', 'error', 'toggle', 'mouseenter', 'mouseleave', 'pointerenter', 'pointerleave'])
const MOUSE = new Set(['click', 'dblclick', 'mousedown', 'mouseup', 'pointerdown', 'pointerup'])

/** Listens at the root's container for every event type that some rendered handler wants. */
export function listenFor(root, propName) {
  const name = propName.slice(2).replace(/Capture$/, '').toLowerCase()
  const types = { doubleclick: ['dblclick'], change: ['change', 'input', 'click'], focus: ['focusin'], blur: ['focusout'] }[name] ?? [name]
  for (const type of types) {
    if (root.listened.has(type)) continue
    root.listened.add(type)
    root.instance.node.addEventListener(type, (event) => callHandlers(root, event), { capture: TARGET_ONLY.has(type), quiet: QUIET })
  }
}

function pathFrom(node) {
  const path = []
  for (let at = node; at; at = at.parentNode) {
    const instance = instanceOf.get(at)
    if (instance && !instance.gone) path.push(instance)
  }
  return path
}

function propsFor(event, instance) {
  const { type } = event
  const names = PROPS[type] ?? [`on${type}`]
  // A checkbox changes by its click.
  const { type: kind } = instance.props
  if (type === 'click' && instance.type === 'input' && (kind === 'checkbox' || kind === 'radio')) return [...names, 'onchange']
  return names
}

function handlersOf(instance, event, target, capture) {
  if (MOUSE.has(event.type) && instance.props.disabled && /^(button|input|select|textarea)$/.test(instance.type)) return []
  // Of a click, only the checkbox itself knows that it is a change; its parents hear of it as of any change.
  const names = propsFor(event, target).map((name) => (capture ? `${name}capture` : name))
  return Object.keys(instance.props).filter((prop) => names.includes(prop.toLowerCase()) && typeof instance.props[prop] === 'function')
}

function callHandlers(root, event) {
  const path = pathFrom(event.target)
  if (path.length === 0) return
  const synthetic = syntheticEvent(event)
  const visit = (instance, capture) => {
    for (const prop of handlersOf(instance, event, path[0], capture)) {
      if (synthetic.isPropagationStopped()) return
      synthetic.currentTarget = instance.node
      root.handled = true
      const handler = instance.props[prop]
      try {
        const answer = handler.call(instance.props, synthetic)
        root.onAnswer?.(handler, answer)
      } catch (thrown) {
        root.eventError ??= { value: thrown }
      }
    }
  }
  const reach = TARGET_ONLY.has(event.type) ? path.slice(0, 1) : path
  for (const instance of [...reach].reverse()) visit(instance, true)
  for (const instance of reach) visit(instance, false)
}

/** The event object that handlers get: the native one's fields, and React's own questions. */
function syntheticEvent(native) {
  let stopped = false
  const event = Object.create(Object.getPrototypeOf(native))
  for (const name of Object.keys(native)) event[name] = native[name]
  return Object.assign(event, {
    nativeEvent: native,
    isDefaultPrevented: () => native.defaultPrevented,
    isPropagationStopped: () => stopped,
    persist() {},
    preventDefault() {
      native.preventDefault()
      event.defaultPrevented = native.defaultPrevented
    },
    stopPropagation() {
      stopped = true
      native.stopPropagation()
    },
  })
}

/** The form that a browser would submit after a click on this button, or Enter in this field; null for none. */
export function formSubmittedBy(instance, type, key) {
  const { props } = instance
  if (props.disabled) return null
  const kind = props.type
  const presses = type === 'click' && (instance.type === 'button' ? kind === undefined || kind === 'submit' : instance.type === 'input' && kind === 'submit')
  const enters = type === 'keydown' && key === 'Enter' && instance.type === 'input' && !/^(button|checkbox|radio|submit|reset|file)$/.test(kind)
  if (!presses && !enters) return null
  let at = instance.parent
  while (at !== null && !(at.kind === 'host' && at.type === 'form')) at = at.parent
  return at
}

/**
 * Plays an event at the node of `instance`: `init` may carry `value` (typed text, a choice) and `checked`.
 * → true when a handler or a native listener's node took part. Throws what a React handler threw first.
 */
export function play(root, instance, type, init = {}) {
  const { node, props } = instance
  const { value, checked, ...rest } = init
  if (value !== undefined && 'value' in node) node.value = value
  if (checked !== undefined) node.checked = checked
  else if (type === 'click' && props.type === 'checkbox') node.checked = !node.checked
  root.handled = false
  root.eventError = undefined
  const nativeErrors = []
  const happened = makeEvent(type, rest)
  withListenerErrors(
    (thrown) => nativeErrors.push(thrown),
    () => {
      dispatch(node, happened)
      const form = happened.defaultPrevented || instance.gone ? null : formSubmittedBy(instance, type, rest.key)
      if (form !== null) dispatch(form.node, makeEvent('submit', { submitter: type === 'click' ? node : null }))
    },
  )
  if (root.eventError) throw root.eventError.value
  if (nativeErrors.length > 0) throw nativeErrors[0]
  return root.handled
}
