// The hooks. While a component renders, `rendering` says whose hooks they are; outside of a render they throw.
//
// A component's hooks are an array of records. Each render works on copies, which replace the old records only when
// the render ended well: a render that throws or suspends leaves no trace.

import { problem } from '@@host'
import { CONTEXT, describe, track, typeName } from '@@elements'

const RENDERS_IN_A_ROW = 25

/** What `use` throws while its promise is pending; the nearest Suspense catches it. */
export class Suspended {
  constructor(thenable) {
    this.thenable = thenable
  }
}

// The component that renders now: {instance, hooks, old, index, again}. Null outside of a render.
let rendering = null
let scheduleUpdate = () => {}
let readContext = (instance, context) => context.defaultValue
let reportError = () => {}
let idCount = 0

/** The renderer says how an instance is marked for an update, how a context is read, and where errors of an effect go. */
export function connectRenderer(renderer) {
  scheduleUpdate = renderer.scheduleUpdate
  readContext = renderer.readContext
  reportError = renderer.reportError
}

/**
 * Calls `component(props, second)` with hooks for `instance`.
 * → {result, hooks, changed}: `changed` is true when state, a store or a context differs from the last render.
 */
export function renderWithHooks(instance, component, props, second) {
  const outer = rendering
  let old = instance.hooks
  try {
    let changed = false
    for (let round = 0; ; round += 1) {
      if (round >= RENDERS_IN_A_ROW) {
        throw new Error(`Too many re-renders: ${typeName(instance.type)} sets state while it renders, every time it renders.`)
      }
      rendering = { instance, hooks: [], old, index: 0, again: false, changed: false }
      const result = component(props, second)
      const { hooks, again } = rendering
      changed ||= rendering.changed
      if (old !== null && hooks.length < old.length) {
        throw new Error(
          `${typeName(instance.type)} called fewer hooks than in its last render: a return or a condition stands before a hook.`,
        )
      }
      if (!again) return { result, hooks, changed }
      old = hooks
    }
  } finally {
    rendering = outer
  }
}

/** A render ended well: its hooks are the instance's own now, and the updates that they took in are done with. */
export function adoptHooks(instance, hooks) {
  for (const hook of hooks) {
    if (hook.queue !== undefined) {
      hook.queue.pending.splice(0, hook.seen)
      hook.queue.rendered = hook.state
      hook.seen = 0
    }
  }
  instance.hooks = hooks
}

/** Nothing changed: the result is dropped, and of the hooks only the finished updates. */
export function dropHooks(instance, hooks) {
  hooks.forEach((hook, index) => {
    if (hook.queue === undefined) return
    hook.queue.pending.splice(0, hook.seen)
    const kept = instance.hooks[index]
    kept.reducer = hook.reducer
  })
}

/** The record of the next hook: a copy of the last render's, or a new one. Checks the rules of hooks. */
function nextHook(kind, make) {
  if (rendering === null) {
    const message = `Invalid hook call: ${kind} was called outside of the body of a component.`
    problem('HP406', message)
    throw new Error(message)
  }
  const { old, hooks, index, instance } = rendering
  rendering.index += 1
  let hook
  if (old === null) {
    hook = make()
    hook.kind = kind
  } else {
    if (index >= old.length) {
      throw new Error(`${typeName(instance.type)} called more hooks than in its last render: hook ${index + 1}, ${kind}, is new.`)
    }
    if (old[index].kind !== kind) {
      throw new Error(
        `${typeName(instance.type)} changed the order of its hooks: hook ${index + 1} was ${old[index].kind}, now it is ${kind}.`,
      )
    }
    hook = { ...old[index] }
  }
  hooks.push(hook)
  return hook
}

function sameDeps(before, now) {
  if (before === undefined || before === null || now === undefined || now === null) return false
  if (before.length !== now.length) return false
  for (let index = 0; index < now.length; index += 1) {
    if (!Object.is(before[index], now[index])) return false
  }
  return true
}

// ---------------------------------------------------------------- state

const plainReducer = (state, action) => (typeof action === 'function' ? action(state) : action)

function stateHook(kind, reducer, initial) {
  const { instance } = rendering ?? {}
  const hook = nextHook(kind, () => {
    const state = initial()
    const queue = { pending: [], rendered: state, instance, eager: reducer === plainReducer }
    const dispatch = (action) => enqueue(queue, action)
    return { state, queue, seen: 0, dispatch }
  })
  hook.reducer = reducer
  const { pending } = hook.queue
  const before = hook.state
  while (hook.seen < pending.length) {
    const action = pending[hook.seen]
    hook.seen += 1
    hook.state = reducer(hook.state, action)
  }
  if (!Object.is(before, hook.state)) rendering.changed = true
  return hook
}

function enqueue(queue, action) {
  const { instance } = queue
  if (rendering !== null && rendering.instance === instance) {
    queue.pending.push(action)
    rendering.again = true
    return
  }
  // A value that is already there needs no render; with a reducer only the render can know.
  if (queue.eager && queue.pending.length === 0 && !instance.dirty) {
    try {
      if (Object.is(plainReducer(queue.rendered, action), queue.rendered)) return
    } catch {
      // An updater that throws throws again in the render, where a boundary can catch it.
    }
  }
  queue.pending.push(action)
  scheduleUpdate(instance)
}

export function useState(initial) {
  const hook = stateHook('useState', plainReducer, () => (typeof initial === 'function' ? initial() : initial))
  return [hook.state, hook.dispatch]
}

export function useReducer(reducer, initialArg, init) {
  const hook = stateHook('useReducer', reducer, () => (init === undefined ? initialArg : init(initialArg)))
  return [hook.state, hook.dispatch]
}

export function useSyncExternalStore(subscribe, getSnapshot) {
  const { instance } = rendering ?? {}
  const hook = nextHook('useSyncExternalStore', () => ({ store: {}, snapshot: undefined, fresh: true, ...effectRecord() }))
  const snapshot = getSnapshot()
  if (!hook.fresh && !Object.is(hook.snapshot, snapshot)) rendering.changed = true
  hook.fresh = false
  hook.snapshot = snapshot
  const { store } = hook
  hook.check = () => {
    store.getSnapshot = getSnapshot
    store.snapshot = snapshot
    // The store may have changed between the render and this commit.
    if (!Object.is(getSnapshot(), snapshot)) scheduleUpdate(instance)
  }
  const listen = () => {
    let changed = true
    try {
      changed = !Object.is(store.getSnapshot(), store.snapshot)
    } catch {
      // It throws again in the render, where a boundary can catch it.
    }
    if (changed) scheduleUpdate(instance)
  }
  setEffect(hook, 'passive', () => subscribe(listen), [subscribe])
  return snapshot
}

export function useDeferredValue(value, initialValue) {
  const { instance } = rendering ?? {}
  const hook = nextHook('useDeferredValue', () => ({
    shown: initialValue === undefined ? value : initialValue,
    late: { value: undefined, ready: false },
  }))
  const { late } = hook
  hook.check = undefined
  if (Object.is(hook.shown, value)) return value
  rendering.changed = true
  if (late.ready && Object.is(late.value, value)) {
    hook.shown = value
  } else {
    // The render with the value itself follows as soon as this one is on the screen.
    hook.check = () => {
      Object.assign(late, { value, ready: true })
      scheduleUpdate(instance)
    }
  }
  return hook.shown
}

// ---------------------------------------------------------------- effects

// `box` is shared by all copies of the hook: it holds the clean-up of the effect that ran last.
const effectRecord = () => ({ box: { cleanup: undefined }, due: false, deps: undefined })

function setEffect(hook, phase, create, deps) {
  if (hook.due || hook.create === undefined || !sameDeps(hook.deps, deps)) {
    hook.phase = phase
    hook.due = true
    hook.create = create
  }
  hook.deps = deps
}

const effectHook = (kind, phase, create, deps) => setEffect(nextHook(kind, effectRecord), phase, create, deps)

export const useEffect = (create, deps) => effectHook('useEffect', 'passive', create, deps)
export const useLayoutEffect = (create, deps) => effectHook('useLayoutEffect', 'layout', create, deps)
export const useInsertionEffect = (create, deps) => effectHook('useInsertionEffect', 'insertion', create, deps)

export function useImperativeHandle(ref, create, deps) {
  effectHook(
    'useImperativeHandle',
    'layout',
    () => attachRef(ref, create()),
    deps === undefined || deps === null ? deps : [...deps, ref],
  )
}

/** Gives `value` to a ref object or function; → the function that takes it away again. */
export function attachRef(ref, value) {
  if (typeof ref === 'function') {
    const cleanup = ref(value)
    return typeof cleanup === 'function' ? cleanup : () => void ref(null)
  }
  if (ref === null || ref === undefined) return undefined
  ref.current = value
  return () => {
    ref.current = null
  }
}

export function useEffectEvent(callback) {
  const hook = nextHook('useEffectEvent', () => {
    const box = { callback: undefined }
    const event = (...args) => {
      if (rendering !== null) throw new Error('A function made by useEffectEvent belongs into effects; it was called during a render.')
      return box.callback(...args)
    }
    return { event, latest: box }
  })
  const { latest } = hook
  hook.before = () => {
    latest.callback = callback
  }
  return hook.event
}

// ---------------------------------------------------------------- values

export function useMemo(create, deps) {
  const hook = nextHook('useMemo', () => ({ value: undefined, deps: undefined, made: false }))
  if (!hook.made || !sameDeps(hook.deps, deps)) hook.value = create()
  hook.made = true
  hook.deps = deps
  return hook.value
}

export function useCallback(callback, deps) {
  const hook = nextHook('useCallback', () => ({ value: callback, deps }))
  if (!sameDeps(hook.deps, deps)) {
    hook.value = callback
    hook.deps = deps
  }
  return hook.value
}

export const useRef = (initial) => nextHook('useRef', () => ({ ref: { current: initial } })).ref

export const useId = () => nextHook('useId', () => ({ id: `_r_${(idCount++).toString(32)}_` })).id

export function useDebugValue() {
  if (rendering === null) nextHook('useDebugValue')
}

export function useContext(context) {
  if (rendering === null) nextHook('useContext')
  if (context?.$$typeof !== CONTEXT) throw new Error(`useContext wants a context of createContext, but it got ${describe(context)}.`)
  return readContext(rendering.instance, context)
}

/** `use` may stand in conditions and loops: it keeps no record. */
export function use(usable) {
  if (rendering === null) nextHook('use')
  if (usable?.$$typeof === CONTEXT) return readContext(rendering.instance, usable)
  if (typeof usable?.then !== 'function') throw new Error(`use() wants a promise or a context, but it got ${describe(usable)}.`)
  track(usable)
  if (usable.status === 'fulfilled') return usable.value
  if (usable.status === 'rejected') throw usable.reason
  throw new Suspended(usable)
}

// ---------------------------------------------------------------- transitions and actions

// Optimistic values hold while an action runs; `settled` of the running transition drops them.
let transition = null

/** Runs `action`; `settle(error)` is called when it and the promise it may return are done. */
function runTransition(action, settle) {
  const outer = transition
  const own = { settled: [] }
  const finish = (error) => {
    own.settled.forEach((done) => done())
    settle(error)
  }
  transition = own
  try {
    const returned = action()
    if (typeof returned?.then === 'function') returned.then(() => finish(null), (value) => finish({ value }))
    else finish(null)
  } catch (value) {
    finish({ value })
  } finally {
    transition = outer
  }
}

export function startTransition(action) {
  runTransition(action, (error) => {
    if (error) reportError(null, error.value)
  })
}

export function useTransition() {
  const { instance } = rendering ?? {}
  const hook = stateHook('useTransition', plainReducer, () => false)
  hook.start ??= (action) => {
    hook.dispatch(true)
    runTransition(action, (error) => {
      hook.dispatch(false)
      if (error) reportError(instance, error.value)
    })
  }
  return [hook.state, hook.start]
}

export function useActionState(action, initialState) {
  const { instance } = rendering ?? {}
  const hook = stateHook('useActionState', plainReducer, () => ({ state: initialState, pending: false }))
  hook.box ??= { last: initialState, chain: null }
  const { box, dispatch } = hook
  box.action = action
  hook.run ??= (payload) => {
    const step = () => {
      dispatch((before) => ({ ...before, pending: true }))
      let returned
      runTransition(
        () => {
          returned = box.action(box.last, payload)
          return returned
        },
        (error) => {
          box.chain = null
          if (error) return reportError(instance, error.value)
          if (typeof returned?.then !== 'function') {
            box.last = returned
            dispatch({ state: returned, pending: false })
          }
          return undefined
        },
      )
      if (typeof returned?.then !== 'function') return null
      return returned.then(
        (state) => {
          box.last = state
          dispatch({ state, pending: false })
        },
        () => {},
      )
    }
    // Actions run one after the other, each with the state that the one before left.
    box.chain = box.chain ? box.chain.then(step) : step()
  }
  return [hook.state.state, hook.run, hook.state.pending]
}

export function useOptimistic(passthrough, reducer) {
  const apply = typeof reducer === 'function' ? reducer : plainReducer
  const hook = stateHook('useOptimistic', plainReducer, () => [])
  const { dispatch } = hook
  hook.add ??= (action) => {
    const entry = { action }
    dispatch((before) => [...before, entry])
    const drop = () => dispatch((before) => before.filter((other) => other !== entry))
    if (transition !== null) transition.settled.push(drop)
    else drop()
  }
  return [hook.state.reduce((value, entry) => apply(value, entry.action), passthrough), hook.add]
}
