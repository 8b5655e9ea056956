// React's data: elements, the wrappers around component types, and Children. Nothing here renders.
//
// The symbols are React's own public ones (Symbol.for), so that code which compares `$$typeof` finds what it expects.

import { problem } from '@@host'

export const ELEMENT = Symbol.for('react.transitional.element')
export const Fragment = Symbol.for('react.fragment')
export const StrictMode = Symbol.for('react.strict_mode')
export const Profiler = Symbol.for('react.profiler')
export const Suspense = Symbol.for('react.suspense')
export const Activity = Symbol.for('react.activity')
export const ViewTransition = Symbol.for('react.view_transition')
export const CONTEXT = Symbol.for('react.context')
export const CONSUMER = Symbol.for('react.consumer')
export const FORWARD_REF = Symbol.for('react.forward_ref')
export const MEMO = Symbol.for('react.memo')
export const LAZY = Symbol.for('react.lazy')

const hasOwn = (object, name) => Object.prototype.hasOwnProperty.call(object, name)

// Where an element was made that cannot be shown: the error comes much later, from inside the renderer, and the line
// that the author looks for is the one with `jsx(…)`. Keyed by the element, or by the child that is no child.
const MADE_AT = new WeakMap()
const CHILDREN_LOOKED_AT = 50

function rememberUnshowable(element, type, { children, style }) {
  if (type === undefined || type === null || type.$$typeof === ELEMENT || typeof style === 'string') MADE_AT.set(element, new Error().stack)
  const list = Array.isArray(children) ? children : [children]
  for (let at = 0; at < list.length && at < CHILDREN_LOOKED_AT; at += 1) {
    const child = list[at]
    if (typeof child === 'object' && child !== null && child.$$typeof === undefined && !Array.isArray(child)) {
      MADE_AT.set(child, new Error().stack)
    }
  }
}

/** The error, pointed to where the thing that it is about was made, if that is known. */
export function pointedTo(thing, error) {
  const made = typeof thing === 'object' && thing !== null ? MADE_AT.get(thing) : undefined
  if (made !== undefined) error.stack = made
  return error
}

// What React takes without a word: a handler that is none throws when the event comes, an unknown tag shows as nothing.
function tellSlips(type, props) {
  if (/^[A-Z].*[a-z]/.test(type)) problem('HP406', `jsx('${type}', …) names a tag in capitals: no element of a page has such a name.`)
  if (type.includes('-')) return // a custom element takes what it likes
  for (const name of Object.keys(props)) {
    const handler = /^on[A-Z]/.test(name) ? props[name] : undefined
    if (!handler || typeof handler === 'function') continue
    problem('HP406', `${name} of <${type}> is ${typeof handler === 'object' ? describe(handler) : `a ${typeof handler}`} and no function: React throws when the event comes.`)
  }
}

function makeElement(type, key, props) {
  if (typeof type === 'string') tellSlips(type, props)
  const element = { $$typeof: ELEMENT, type, key, props, _store: { validated: false } }
  rememberUnshowable(element, type, props)
  // React 19 keeps `element.ref` readable although the ref is a plain prop; not enumerable, so that copies stay clean.
  Object.defineProperty(element, 'ref', { enumerable: false, get: () => props.ref ?? null })
  return element
}

/** What `jsx(type, props, key)` of the automatic runtime makes. Without a key in it, the props object is kept as it is. */
export function jsx(type, config, maybeKey, ...more) {
  // React reads `key` from the props without a look whether there are any; only `createElement` takes null for none.
  if (config === undefined || config === null) throw new TypeError(`${called(type)} got ${config} in place of its props.`)
  if (more.length > 0 || (typeof maybeKey === 'object' && maybeKey !== null)) {
    problem('HP406', `${called(type)} got children behind its props: they are never shown. The third argument is the key.`)
  }
  let key = maybeKey === undefined ? null : '' + maybeKey
  let props = config
  if (hasOwn(props, 'key')) {
    if (props.key !== undefined) key = '' + props.key
    const { key: _, ...rest } = props
    props = rest
  }
  return makeElement(type, key, props)
}

/** `jsx` for several static children: they need no keys. */
export function jsxs(type, config, maybeKey, ...more) {
  const children = config?.children
  if (Array.isArray(children)) children.forEach(markValidated)
  return jsx(type, config, maybeKey, ...more)
}

const called = (type) => (typeof type === 'string' ? `jsx('${type}', …)` : `jsx(${typeName(type)}, …)`)

export function createElement(type, config, ...children) {
  const { key = undefined, ...props } = config ?? {}
  // A `key` of undefined in the config counts as none; React's older pragmas are no props either.
  delete props.__self
  delete props.__source
  if (children.length > 0) {
    children.forEach(markValidated)
    props.children = children.length === 1 ? children[0] : children
  }
  applyDefaults(type, props)
  return makeElement(type, key === undefined ? null : '' + key, props)
}

export function cloneElement(element, config, ...children) {
  if (element === null || element === undefined) {
    throw new Error(`cloneElement needs an element, but it got ${element}.`)
  }
  const props = { ...element.props }
  let key = element.key
  for (const name of Object.keys(config ?? {})) {
    if (name === 'key') {
      if (config.key !== undefined) key = '' + config.key
    } else if (name === 'ref' && config.ref === undefined) {
      continue
    } else if (name !== '__self' && name !== '__source') {
      props[name] = config[name]
    }
  }
  if (children.length > 0) {
    children.forEach(markValidated)
    props.children = children.length === 1 ? children[0] : children
  }
  return makeElement(element.type, key, props)
}

function applyDefaults(type, props) {
  const defaults = type?.defaultProps
  if (!defaults || typeof defaults !== 'object') return
  for (const name of Object.keys(defaults)) {
    if (props[name] === undefined) props[name] = defaults[name]
  }
}

/** Class components get their defaults at render time too, since `jsx` leaves the props as they are. */
export function withDefaults(type, props) {
  if (!type.defaultProps) return props
  const full = { ...props }
  applyDefaults(type, full)
  return full
}

function markValidated(child) {
  if (isValidElement(child) && child._store) child._store.validated = true
}

export function isValidElement(value) {
  return typeof value === 'object' && value !== null && value.$$typeof === ELEMENT
}

// ---------------------------------------------------------------- wrappers around types

export function createContext(defaultValue) {
  const context = { $$typeof: CONTEXT, defaultValue, displayName: undefined }
  // Since React 19 the context is its own provider.
  context.Provider = context
  context.Consumer = { $$typeof: CONSUMER, context }
  return context
}

export const createRef = () => ({ current: null })
export const forwardRef = (render) => ({ $$typeof: FORWARD_REF, render })
export const memo = (type, compare) => ({ $$typeof: MEMO, type, compare: compare === undefined ? null : compare })

/** `lazy(load)`: the loader runs at the first render; its module's default export becomes the type. */
export function lazy(load) {
  return { $$typeof: LAZY, load, thenable: null }
}

/** The type behind a lazy wrapper; throws the promise while it is loading, its error when it failed. */
export function resolveLazy(wrapper) {
  if (wrapper.thenable === null) wrapper.thenable = track(wrapper.load())
  const { status, value, reason } = wrapper.thenable
  if (status === 'rejected') throw reason
  if (status !== 'fulfilled') throw wrapper.thenable
  const type = value?.default
  if (type === undefined) {
    throw new Error(`lazy() wants a module with a default export, but the loader's promise gave ${describe(value)}.`)
  }
  return type
}

/** Marks a thenable with the `status`, `value` and `reason` fields by which React remembers how it ended. */
export function track(thenable) {
  if (typeof thenable?.then !== 'function') {
    throw new Error(`A promise was expected, but this came: ${describe(thenable)}.`)
  }
  if (thenable.status !== undefined) return thenable
  thenable.status = 'pending'
  thenable.then(
    (value) => Object.assign(thenable, { status: 'fulfilled', value }),
    (reason) => Object.assign(thenable, { status: 'rejected', reason }),
  )
  return thenable
}

export function Component(props, context, updater) {
  this.props = props
  this.context = context
  this.refs = {}
  this.updater = updater ?? idleUpdater
}
Component.prototype.isReactComponent = {}
Component.prototype.setState = function (partial, callback) {
  this.updater.enqueueSetState(this, partial, callback)
}
Component.prototype.forceUpdate = function (callback) {
  this.updater.enqueueForceUpdate(this, callback)
}

export function PureComponent(props, context, updater) {
  Component.call(this, props, context, updater)
}
PureComponent.prototype = Object.create(Component.prototype)
PureComponent.prototype.constructor = PureComponent
PureComponent.prototype.isPureReactComponent = true

// setState in a constructor has no component to update yet; React ignores it too.
const idleUpdater = { enqueueSetState() {}, enqueueForceUpdate() {} }

// ---------------------------------------------------------------- names for people

/** How a type is called in messages: 'div', 'MyPanel', 'Memo(Row)', 'Suspense'. */
export function typeName(type) {
  if (typeof type === 'string') return type
  if (typeof type === 'function') return ownText(type, 'displayName') || ownText(type, 'name') || 'Anonymous'
  if (typeof type === 'symbol') return type.description.replace('react.', '').replace(/(^|_)([a-z])/g, (_, __, letter) => letter.toUpperCase())
  if (typeof type !== 'object' || type === null) return describe(type)
  const given = ownText(type, 'displayName')
  if (given) return given
  if (type.$$typeof === MEMO) return `Memo(${typeName(type.type)})`
  if (type.$$typeof === FORWARD_REF) return typeName(type.render)
  if (type.$$typeof === CONTEXT) return 'Context'
  if (type.$$typeof === CONSUMER) return 'Context.Consumer'
  if (type.$$typeof === LAZY) return 'Lazy'
  return describe(type)
}

function ownText(object, name) {
  const value = object[name]
  return typeof value === 'string' ? value : ''
}

/** A value in a few words, for messages: what it is, never what it holds. */
export function describe(value) {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value !== 'object') return typeof value
  if (value instanceof Promise) return 'a promise'
  if (typeof value.nodeType === 'number') return 'a DOM node'
  if (isValidElement(value)) return `<${typeName(value.type)} />`
  if (Object.prototype.toString.call(value) !== '[object Object]') return Object.prototype.toString.call(value).slice(8, -1)
  return `an object with keys {${Object.keys(value).slice(0, 8).join(', ')}}`
}

export function notAChild(value) {
  const error = new Error(`React cannot show ${describe(value)} as a child: give it text, a number, an element or an array of these.`)
  return pointedTo(value, error)
}

// ---------------------------------------------------------------- Children

const isNothing = (child) => child === null || child === undefined || typeof child === 'boolean'

/** Calls `visit(child, path)` for each leaf of nested arrays and iterables; null stands for every empty child. */
function walkChildren(children, path, visit) {
  if (isNothing(children)) return visit(null, path)
  if (typeof children === 'object' && !isValidElement(children)) {
    if (children.$$typeof === LAZY) return walkChildren(resolveLazy(children), path, visit)
    if (typeof children[Symbol.iterator] === 'function') {
      let index = 0
      for (const child of children) {
        walkChildren(child, `${path}${path === '' || path.endsWith(':') ? '' : ':'}${childKey(child, index)}`, visit)
        index += 1
      }
      return undefined
    }
    throw notAChild(children)
  }
  return visit(children, path)
}

const escapeKey = (key) => '$' + key.replace(/[=:]/g, (letter) => (letter === '=' ? '=0' : '=2'))
const childKey = (child, index) => (isValidElement(child) && child.key !== null ? escapeKey(child.key) : index.toString(36))

function mapInto(children, prefix, map, result) {
  let index = 0
  const single = isNothing(children) || isValidElement(children) || typeof children[Symbol.iterator] !== 'function' || typeof children === 'string'
  walkChildren(children, '', (child, path) => {
    const place = '.' + (single ? childKey(child, 0) : path)
    const mapped = map(child, index++)
    if (Array.isArray(mapped)) {
      mapInto(mapped, prefix + place.replace(/\/+/g, '$&/') + '/', (inner) => inner, result)
    } else if (!isNothing(mapped)) {
      result.push(isValidElement(mapped) ? rekey(mapped, child, prefix, place) : mapped)
    }
  })
  return result
}

function rekey(mapped, child, prefix, place) {
  const own = mapped.key !== null && (!child || child.key !== mapped.key) ? ('' + mapped.key).replace(/\/+/g, '$&/') + '/' : ''
  const copy = makeElement(mapped.type, prefix + own + place, mapped.props)
  copy._store.validated = true
  return copy
}

export const Children = {
  map(children, map, self) {
    if (children === null || children === undefined) return children
    return mapInto(children, '', (child, index) => map.call(self, child, index), [])
  },
  forEach(children, visit, self) {
    Children.map(children, (child, index) => void visit.call(self, child, index))
  },
  count(children) {
    let count = 0
    if (children !== null && children !== undefined) walkChildren(children, '', () => void count++)
    return count
  },
  toArray: (children) => Children.map(children, (child) => child) ?? [],
  only(children) {
    if (!isValidElement(children)) throw new Error(`Children.only() wants exactly one element, but it got ${describe(children)}.`)
    return children
  },
}
