// Class components: their state, their updates and what an error boundary shows.

import { typeName } from '@@elements'
import { readContext, scheduleUpdate } from '@@instances'

const own = new WeakMap()

/** The updater that setState and forceUpdate of every class talk to. */
const updater = {
  enqueueSetState(component, partial, callback) {
    push(component, { partial, callback })
  },
  enqueueForceUpdate(component, callback) {
    push(component, { force: true, callback })
  },
}

function push(component, entry) {
  const instance = own.get(component)
  if (instance === undefined) return
  instance.updates.push(entry)
  scheduleUpdate(instance)
}

const contextOf = (instance) => (instance.type.contextType ? readContext(instance, instance.type.contextType) : {})

export function makeClass(instance, props) {
  const { type } = instance
  instance.updates = []
  instance.callbacks = []
  const context = contextOf(instance)
  const component = new type(props, context)
  component.props = props
  component.context = context
  component.updater = updater
  component.state ??= null
  component.refs ??= {}
  if (typeof component.render !== 'function') throw new Error(`${typeName(type)} is a class component without a render method.`)
  own.set(component, instance)
  instance.public = component
  if (type.getDerivedStateFromProps === undefined) {
    component.componentWillMount?.()
    component.UNSAFE_componentWillMount?.()
  }
  instance.fresh = true
}

function derived(instance, props, state) {
  const partial = instance.type.getDerivedStateFromProps?.(props, state)
  return partial === null || partial === undefined ? state : { ...state, ...partial }
}

/** Applies updates and renders; → {node}, or null when the component says that nothing is to be done. */
export function renderClassAgain(instance, props, forced) {
  const { public: component, type } = instance
  instance.renderingSelf = true
  const before = { props: component.props, state: component.state }
  let force = instance.fresh || instance.contextChanged === true
  if (!instance.fresh && before.props !== props && type.getDerivedStateFromProps === undefined) {
    component.componentWillReceiveProps?.(props, contextOf(instance))
    component.UNSAFE_componentWillReceiveProps?.(props, contextOf(instance))
  }
  let { state } = component
  const updates = instance.updates.splice(0)
  for (const { partial, force: always, callback } of updates) {
    const change = typeof partial === 'function' ? partial.call(component, state, props) : partial
    if (change !== null && change !== undefined) state = { ...state, ...change }
    if (always) force = true
    if (callback) instance.callbacks.push(callback)
  }
  state = derived(instance, props, state)
  const context = contextOf(instance)
  const wanted = force || wantsUpdate(instance, before, { props, state, context }, forced)
  if (wanted && !instance.fresh && type.getDerivedStateFromProps === undefined) {
    component.componentWillUpdate?.(props, state, context)
    component.UNSAFE_componentWillUpdate?.(props, state, context)
  }
  component.props = props
  component.state = state
  component.context = context
  if (!wanted) {
    instance.renderingSelf = false
    return null
  }
  if (!instance.fresh) instance.updated = before
  const node = component.render()
  instance.fresh = false
  instance.renderingSelf = false
  return { node }
}

function wantsUpdate(instance, before, next, forced) {
  const { public: component } = instance
  if (component.shouldComponentUpdate) return Boolean(component.shouldComponentUpdate(next.props, next.state, next.context))
  if (component.isPureReactComponent) return !(shallow(before.props, next.props) && shallow(before.state, next.state))
  return forced || before.props !== next.props || before.state !== next.state
}

function shallow(before, after) {
  if (Object.is(before, after)) return true
  if (!before || !after) return false
  const names = Object.keys(before)
  return names.length === Object.keys(after).length && names.every((name) => Object.is(before[name], after[name]))
}

export function isBoundary(instance) {
  if (instance.kind !== 'class' || instance.public === undefined) return false
  return typeof instance.type.getDerivedStateFromError === 'function' || typeof instance.public.componentDidCatch === 'function'
}

/** What a boundary shows for an error; → {node} or null for nothing. Throws when its own render fails again. */
export function showError(instance, thrown, componentStack) {
  const { public: component, type } = instance
  if (typeof component.componentDidCatch === 'function') {
    instance.callbacks.push(() => component.componentDidCatch(thrown, { componentStack }))
  }
  instance.fresh = false
  if (typeof type.getDerivedStateFromError !== 'function') return null
  component.state = { ...component.state, ...type.getDerivedStateFromError(thrown) }
  return { node: component.render() }
}

/** The boundary above an instance whose effect threw; null when there is none. */
export function boundaryAbove(instance) {
  for (let at = instance.parent; at !== null; at = at.parent) {
    if (isBoundary(at) && !at.gone) return at
  }
  return null
}
