// The face of `react`: every name of the npm package, made for first renders, re-renders and effects in the rehearsal.

import { useMemo } from '@@hooks'
import * as React from '@@react'

export {
  Activity,
  Children,
  Component,
  Fragment,
  Profiler,
  PureComponent,
  StrictMode,
  Suspense,
  ViewTransition,
  cloneElement,
  createContext,
  createElement,
  createRef,
  forwardRef,
  isValidElement,
  lazy,
  memo,
} from '@@elements'
export {
  startTransition,
  use,
  useActionState,
  useCallback,
  useContext,
  useDebugValue,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useInsertionEffect,
  useLayoutEffect,
  useMemo,
  useOptimistic,
  useReducer,
  useRef,
  useState,
  useSyncExternalStore,
  useTransition,
} from '@@hooks'

/** The npm version whose behaviour the tests compare with. */
const version = '19.3.1'

/** Outside of server components a cached function is the function itself. */
const cache = (fn) => (...args) => fn(...args)
const cacheSignal = () => null
const addTransitionType = () => {}
const captureOwnerStack = () => null

/** Runs `work`; the roots of the rehearsal are flushed by the driver. */
function act(work) {
  const returned = work()
  return typeof returned?.then === 'function' ? returned : { then: (done) => done(returned) }
}

const unstable_useCacheRefresh = () => () => {}

/** What the React compiler's output asks for: a memo array of `size` slots that lives as long as the component. */
const __COMPILER_RUNTIME = {
  c: (size) => useMemo(() => new Array(size).fill(Symbol.for('react.memo_cache_sentinel')), []),
}

const __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE = { H: null, A: null, T: null, S: null }

export {
  version,
  cache,
  cacheSignal,
  addTransitionType,
  captureOwnerStack,
  act,
  unstable_useCacheRefresh,
  __COMPILER_RUNTIME,
  __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE,
}

// In npm's CommonJS the default is an object of all names; this module's own namespace knows them.
const names = Reflect.ownKeys(React).filter((name) => typeof name === 'string' && name !== 'default')
export default Object.fromEntries(names.map((name) => [name, React[name]]))
