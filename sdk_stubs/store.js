// Atoms and computed stores, as plugins use them: get, set, listen (changes only), subscribe (now and changes).

import { track } from '@@host'
import { useCallback, useSyncExternalStore } from '@@hooks'

// While it is above zero, subscriptions are the stubs' own (a hook's) and count for nobody.
let quiet = 0

/** Subscriptions that `work` makes are undone by React and stay out of the leak report. */
export function quietly(work) {
  quiet += 1
  try {
    return work()
  } finally {
    quiet -= 1
  }
}

/** `counted`: the name under which a forgotten listener is reported; plugin-made stores go with the plugin. */
export function atom(initial, counted) {
  let listeners = []
  const store = {
    value: initial,
    get: () => store.value,
    set(next) {
      const before = store.value
      if (Object.is(before, next)) return
      store.value = next
      for (const listener of [...listeners]) listener(next, before)
    },
    listen(listener) {
      const release = counted !== undefined && quiet === 0 ? track('subscription', counted) : undefined
      const entry = (value, before) => listener(value, before)
      listeners.push(entry)
      return () => {
        listeners = listeners.filter((other) => other !== entry)
        release?.()
      }
    },
    subscribe(listener) {
      const stop = store.listen(listener)
      listener(store.value)
      return stop
    },
    notify() {
      for (const listener of [...listeners]) listener(store.value, store.value)
    },
    off() {
      listeners = []
    },
    get lc() {
      return listeners.length
    },
  }
  return store
}

/** The same atom for reading only, as `host.state` shows it. */
export function readable(store) {
  const { get, listen, subscribe } = store
  return Object.freeze({
    get,
    listen,
    subscribe,
    get value() {
      return get()
    },
    get lc() {
      return store.lc
    },
  })
}

/** A store made from others: worked out when read, and on every change while somebody listens. */
export function computed(sources, make) {
  const list = Array.isArray(sources) ? sources : [sources]
  const inner = atom(undefined)
  let inputs
  let stops = []
  const refresh = () => {
    const next = list.map((source) => source.get())
    if (inputs !== undefined && next.every((value, index) => Object.is(value, inputs[index]))) return
    inputs = next
    inner.set(make(...next))
  }
  const store = {
    get() {
      refresh()
      return inner.get()
    },
    listen(listener) {
      refresh()
      if (stops.length === 0) stops = list.map((source) => source.listen(refresh))
      const stop = inner.listen(listener)
      let stopped = false
      return () => {
        if (stopped) return
        stopped = true
        stop()
        if (inner.lc === 0) stops.splice(0).forEach((end) => end())
      }
    },
    subscribe(listener) {
      const stop = store.listen(listener)
      listener(inner.get())
      return stop
    },
    get value() {
      return store.get()
    },
    get lc() {
      return inner.lc
    },
  }
  return store
}

/** A component's view of a store: renders again when it changes. */
export function useValue(store) {
  const subscribe = useCallback((changed) => quietly(() => store.listen(changed)), [store])
  return useSyncExternalStore(subscribe, store.get, store.get)
}
