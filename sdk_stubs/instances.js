// What stands behind a rendered element: its place in the tree, its hooks or class, its marks for the next pass.

import { ELEMENT, Activity, CONSUMER, CONTEXT, FORWARD_REF, Fragment, LAZY, MEMO, Profiler, StrictMode, Suspense, pointedTo } from '@@elements'
import { ViewTransition, describe, typeName } from '@@elements'

/** Deeper than any screen. In the app a component that renders itself never ends; here it must not end the engine's stack. */
const DEPTH_LIMIT = 400

/** The type of the instance behind an array of children. */
export const LIST = Symbol('list')

export class Instance {
  /** `element` is what was rendered here: an element, a text or a list; `slot` tells it from its siblings. */
  constructor(kind, type, element, slot, parent) {
    this.kind = kind
    this.type = type
    this.element = element
    this.props = element?.props
    this.slot = slot
    this.parent = parent
    this.root = parent?.root ?? null
    this.depth = parent === null ? 0 : parent.depth + 1
    this.children = []
    this.hooks = null
    this.contexts = null
    // Marks for the next pass: `dirty` asks for a render, `childDirty` says that some descendant does, `incomplete`
    // that the last pass broke off between the render and the children.
    this.dirty = false
    this.childDirty = false
    this.incomplete = false
    // `mounted` once committed, `gone` once removed.
    this.mounted = false
    this.gone = false
    this.hidden = false
    this.node = null
    // How a tree names a host element for `dispatch`: unique within the root, from 1.
    this.serial = kind === 'host' ? (this.root.serials += 1) : 0
    this.detachRef = undefined
    if (this.depth > DEPTH_LIMIT) {
      throw new Error(`${typeName(type)} stands deeper than ${DEPTH_LIMIT} levels: does a component render itself?`)
    }
  }
}

/** What renders a type; `element` is what asks for it, for the place in an error. */
export function kindOf(type, element) {
  if (typeof type === 'string') return 'host'
  if (typeof type === 'function') return type.prototype?.isReactComponent ? 'class' : 'function'
  if (type === Suspense) return 'suspense'
  if (type === Activity) return 'activity'
  if (type === Fragment || type === StrictMode || type === Profiler || type === ViewTransition) return 'fragment'
  switch (type?.$$typeof) {
    case FORWARD_REF:
      return 'function'
    case MEMO:
      return 'memo'
    case LAZY:
      return 'lazy'
    case CONTEXT:
      return 'provider'
    case CONSUMER:
      return 'consumer'
    case ELEMENT:
      throw pointedTo(element, new Error(`An element stands where a component belongs: jsx() got <${typeName(type.type)} /> for a type.`))
    default:
      throw pointedTo(
        element,
        new Error(`Element type is invalid: a component or a tag name belongs here, but it is ${describe(type)}. A name that is not exported is undefined.`),
      )
  }
}

export function scheduleUpdate(instance) {
  if (instance === undefined || instance === null || instance.gone) return
  instance.dirty = true
  instance.root.asked = instance
  let above = instance.parent
  while (above !== null && !above.childDirty) {
    above.childDirty = true
    above = above.parent
  }
  instance.root.pending = true
}

export function readContext(instance, context) {
  instance.contexts ??= new Set()
  instance.contexts.add(context)
  for (let above = instance.parent; above !== null; above = above.parent) {
    if (above.kind === 'provider' && above.type === context) return above.props.value
  }
  return context.defaultValue
}

/** Marks everything below `provider` that reads its context: memo and equal elements must not hide the change. */
export function markReaders(provider) {
  const visit = (instance) => {
    for (const child of instance.children) {
      if (child.contexts?.has(provider.type)) {
        child.contextChanged = true
        scheduleUpdate(child)
      }
      if (child.kind !== 'provider' || child.type !== provider.type) visit(child)
    }
  }
  visit(provider)
}

/** 'in Row (in List (in Panel))' as lines, nearest first: what React calls a component stack. */
export function componentStack(instance) {
  const lines = []
  for (let at = instance; at !== null && lines.length < 50; at = at.parent) {
    if (at.kind !== 'root' && at.kind !== 'text' && at.kind !== 'part' && at.type !== LIST) lines.push(`\n    in ${typeName(at.type)}`)
  }
  return lines.join('')
}
