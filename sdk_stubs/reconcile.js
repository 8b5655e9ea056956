// The render phase: from elements to a tree of instances, reusing what has the same key and type.
//
// Nothing here touches the document or runs an effect. A subtree that throws leaves the instances that were committed
// before in place; whoever catches (an error boundary, Suspense, the root) decides what becomes of them.

import { problem } from '@@host'
import { CONTEXT, FORWARD_REF, LAZY, isValidElement, jsx, notAChild, resolveLazy, track, typeName } from '@@elements'
import { pointedTo, withDefaults } from '@@elements'
import { Suspended, adoptHooks, dropHooks, renderWithHooks } from '@@hooks'
import { Instance, LIST, componentStack, kindOf, markReaders, readContext, scheduleUpdate } from '@@instances'
import { WORD } from '@@words'
import { isBoundary, makeClass, renderClassAgain, showError } from '@@classes'

/** Renders `node` below the root instance. Throws what nothing in the tree caught. */
export function renderRoot(root, node) {
  const { instance } = root
  if (node !== instance.element || instance.incomplete) {
    instance.element = node
    reconcileChildren(instance, node)
  } else {
    refresh(instance)
  }
  instance.childDirty = false
}

// ---------------------------------------------------------------- children

function reconcileChildren(parent, node) {
  parent.incomplete = true
  const before = new Map(parent.children.map((child) => [child.slot, child]))
  const after = []
  for (const [slot, child] of slotsOf(parent, node)) {
    const known = before.get(slot)
    if (known !== undefined && fits(known, child)) {
      before.delete(slot)
      update(known, child)
      after.push(known)
    } else {
      after.push(mount(parent, slot, child))
    }
  }
  for (const leftover of before.values()) remove(leftover)
  parent.children = after
  parent.incomplete = false
}

export function remove(instance) {
  instance.root.deletions.push(instance)
}

/** The children with the names by which they are found again: their keys, else their positions. */
function slotsOf(parent, node) {
  const slots = []
  const list = isList(node) ? [...node] : [node]
  const keys = new Set()
  list.forEach((given, index) => {
    const child = settle(parent, given)
    if (child === null) return
    const key = isValidElement(child) ? child.key : null
    if (key !== null && keys.has(key)) warn(parent, 'twice', `Two children have the same key "${key}"`)
    if (key === null && isList(node) && isValidElement(child) && child._store?.validated === false) {
      warn(parent, 'missing', 'Each child in a list needs a key')
    }
    keys.add(key)
    slots.push([key === null ? `i${index}` : `k${key}`, child])
  })
  return slots
}

const isList = (node) => typeof node === 'object' && node !== null && typeof node[Symbol.iterator] === 'function'

/** A child as text, element or list; null for what shows nothing. */
function settle(parent, child) {
  if (child === null || child === undefined || typeof child === 'boolean' || child === '') return null
  if (typeof child === 'string') return child
  if (typeof child === 'number' || typeof child === 'bigint') return '' + child
  if (typeof child === 'function' && typeof child[WORD] === 'string') return child[WORD]
  if (typeof child === 'function' || typeof child === 'symbol') {
    warn(parent, 'function', `A ${typeof child} is no child: nothing is shown for it`)
    return null
  }
  if (isValidElement(child) || isList(child)) return child
  if (child.$$typeof === LAZY) return settle(parent, resolveLazy(child))
  if (child.$$typeof === CONTEXT) return settle(parent, readContext(parent, child))
  if (typeof child.then === 'function') return settle(parent, settledValue(child))
  throw notAChild(child)
}

function settledValue(promise) {
  const { status, value, reason } = track(promise)
  if (status === 'fulfilled') return value
  if (status === 'rejected') throw reason
  throw new Suspended(promise)
}

const warned = new WeakMap()

function warn(parent, what, text) {
  const owner = ownerOf(parent)
  const known = warned.get(owner) ?? new Set()
  if (known.has(what)) return
  warned.set(owner, known.add(what))
  console.warn(`${text}. Look at what ${typeName(owner.type)} renders.`)
}

function ownerOf(instance) {
  let at = instance
  while (at.parent !== null && at.kind !== 'function' && at.kind !== 'class') at = at.parent
  return at
}

function fits(known, child) {
  if (typeof child === 'string') return known.kind === 'text'
  return isValidElement(child) ? known.kind !== 'text' && known.type === child.type : known.type === LIST
}

// ---------------------------------------------------------------- one instance

function mount(parent, slot, child) {
  if (typeof child === 'string') return new Instance('text', '#text', child, slot, parent)
  if (!isValidElement(child)) {
    const list = new Instance('fragment', LIST, child, slot, parent)
    reconcileChildren(list, child)
    return list
  }
  const instance = new Instance(kindOf(child.type, child), child.type, child, slot, parent)
  instance.incomplete = true
  noting(instance, () => render(instance, instance.props))
  instance.incomplete = false
  return instance
}

function update(instance, child) {
  if (instance.kind === 'text') {
    instance.element = child
    return
  }
  if (child === instance.element && !instance.dirty && !instance.incomplete) {
    if (instance.childDirty) noting(instance, () => renderBelow(instance))
  } else if (instance.type === LIST) {
    instance.element = child
    reconcileChildren(instance, child)
  } else {
    const before = instance.props
    const force = child !== instance.element || instance.incomplete
    instance.element = child
    instance.props = child.props
    noting(instance, () => render(instance, before, force))
  }
  instance.dirty = false
  instance.contextChanged = false
  instance.childDirty = false
  instance.incomplete = false
}

/** Only descendants asked for a render. Boundaries guard this way down like any other. */
function renderBelow(instance) {
  if (instance.kind === 'suspense') renderSuspense(instance, false)
  else if (instance.kind === 'class') guarded(instance, () => refresh(instance))
  else refresh(instance)
}

function refresh(instance) {
  for (const child of instance.children) update(child, child.element)
}

// Where something was thrown first, for the component stack that boundaries get.
const places = new WeakMap()

function noting(instance, work) {
  try {
    work()
  } catch (thrown) {
    instance.incomplete = true
    if (typeof thrown === 'object' && thrown !== null && !places.has(thrown)) places.set(thrown, componentStack(instance))
    throw thrown
  }
}

/** The component stack of a thrown object, '' for what cannot be remembered. */
export const placeOf = (thrown) => (typeof thrown === 'object' && thrown !== null && places.get(thrown)) || ''

/** Renders by kind. `before`: the props of the last render; `force` is false when only state or a context may differ. */
function render(instance, before, force = true) {
  const { kind, type, props } = instance
  switch (kind) {
    case 'host':
      return reconcileChildren(instance, hostChildren(instance))
    case 'fragment':
    case 'activity':
      instance.hidden = kind === 'activity' && props.mode === 'hidden'
      return reconcileChildren(instance, props.children)
    case 'provider':
      if (instance.mounted && !Object.is(before.value, props.value)) markReaders(instance)
      return reconcileChildren(instance, props.children)
    case 'consumer':
      if (typeof props.children !== 'function') throw new Error('A context consumer wants a function as its only child.')
      return reconcileChildren(instance, props.children(readContext(instance, type.context)))
    case 'memo':
      return renderMemo(instance, before)
    case 'lazy':
      return reconcileChildren(instance, wrapped(resolveLazy(type), props))
    case 'suspense':
      return renderSuspense(instance, true)
    case 'class':
      return renderClass(instance, force)
    default:
      return renderFunction(instance, force)
  }
}

function hostChildren({ type, props, element }) {
  const { children, dangerouslySetInnerHTML: raw } = props
  if (raw !== undefined && raw !== null) {
    if (children !== undefined && children !== null) throw new Error(`<${type}> has both children and dangerouslySetInnerHTML.`)
    if (typeof raw !== 'object' || !('__html' in raw)) throw new Error('dangerouslySetInnerHTML wants an object {__html: text}.')
    return null
  }
  if (children !== undefined && children !== null && VOID_TAGS.has(type)) throw new Error(`<${type}> is empty by nature and takes no children.`)
  if (props.style !== undefined && props.style !== null && typeof props.style !== 'object') {
    throw pointedTo(element, new Error(`The style of <${type}> must be an object such as {marginTop: 4}, not a ${typeof props.style}.`))
  }
  return type === 'textarea' ? null : children
}

export const VOID_TAGS = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))

function renderFunction(instance, force) {
  const { type, props } = instance
  let outcome
  if (type.$$typeof === FORWARD_REF) {
    const { ref = null, ...rest } = props
    outcome = renderWithHooks(instance, type.render, rest, ref)
  } else {
    outcome = renderWithHooks(instance, type, props, undefined)
  }
  if (!force && !outcome.changed && !instance.contextChanged && instance.hooks !== null) {
    dropHooks(instance, outcome.hooks)
    return refresh(instance)
  }
  if (isAsync(type.render ?? type)) {
    problem('HP406', `${typeName(type)} is an async component: React draws such on servers only.`)
  }
  adoptHooks(instance, outcome.hooks)
  instance.hooksDue = true
  return reconcileChildren(instance, outcome.result)
}

const isAsync = (component) => Object.prototype.toString.call(component) === '[object AsyncFunction]'

const wrapped = (type, props) => jsx(type, props)

function renderMemo(instance, before) {
  const { type, props } = instance
  const equal = type.compare ?? sameProps
  const [child] = instance.children
  if (child !== undefined && before.ref === props.ref && equal(before, props)) return refresh(instance)
  return reconcileChildren(instance, wrapped(type.type, props))
}

export function sameProps(before, after) {
  if (Object.is(before, after)) return true
  if (typeof before !== 'object' || before === null || typeof after !== 'object' || after === null) return false
  const names = Object.keys(before)
  if (names.length !== Object.keys(after).length) return false
  return names.every((name) => Object.prototype.hasOwnProperty.call(after, name) && Object.is(before[name], after[name]))
}

// ---------------------------------------------------------------- classes and error boundaries

function renderClass(instance, force) {
  if (instance.public === undefined) makeClass(instance, withDefaults(instance.type, instance.props))
  guarded(instance, () => {
    const shown = renderClassAgain(instance, withDefaults(instance.type, instance.props), force)
    if (shown === null) refresh(instance)
    else reconcileChildren(instance, shown.node)
  })
}

/** Runs `work` of a class; what it throws below itself, a boundary turns into its error state. */
function guarded(instance, work) {
  instance.renderingSelf = false
  try {
    if (instance.caught !== undefined) {
      const { value } = instance.caught
      instance.caught = undefined
      throw value
    }
    work()
  } catch (thrown) {
    // A boundary catches for its children, never for its own render.
    if (thenableOf(thrown) !== null || !isBoundary(instance) || instance.renderingSelf) throw thrown
    instance.children.forEach(remove)
    instance.children = []
    const shown = showError(instance, thrown, placeOf(thrown))
    if (shown !== null) reconcileChildren(instance, shown.node)
  }
}

/** The promise for which a render waits, or null: what `use`, lazy and older code throw. */
export function thenableOf(thrown) {
  if (thrown instanceof Suspended) return thrown.thenable
  return typeof thrown === 'object' && thrown !== null && typeof thrown.then === 'function' ? thrown : null
}

// ---------------------------------------------------------------- Suspense

function renderSuspense(instance, again) {
  const { children, fallback } = instance.props
  const primary = instance.primary ?? part(instance, 'primary')
  try {
    if (again || !primary.mounted || primary.incomplete) reconcileChildren(primary, children)
    else refresh(primary)
    primary.hidden = false
    primary.childDirty = false
    if (instance.fallback) remove(instance.fallback)
    instance.primary = primary
    instance.fallback = null
  } catch (thrown) {
    const thenable = thenableOf(thrown)
    if (thenable === null) throw thrown
    const retry = () => {
      instance.incomplete = true
      scheduleUpdate(instance)
    }
    thenable.then(retry, retry)
    // What was on the screen is hidden and keeps its state; what never was is begun anew.
    primary.hidden = true
    instance.primary = primary.mounted ? primary : null
    instance.fallback ??= part(instance, 'fallback')
    reconcileChildren(instance.fallback, fallback)
  }
  instance.children = [instance.primary, instance.fallback].filter(Boolean)
}

const part = (suspense, name) => new Instance('part', name, null, name, suspense)
