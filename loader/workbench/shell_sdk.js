// `@hermes/plugin-sdk` for this shell: real atoms, hooks and colours, and plain elements for the app's components.
// It is no copy of the app: what it lacks is a component that shows its children, or a function that does nothing.

import * as areas from '/workbench/shared/areas.js'
import * as colors from '/workbench/shared/color.js'

const TAGS = {
  Button: 'button',
  RowButton: 'button',
  PanelAction: 'button',
  Input: 'input',
  SearchField: 'input',
  Textarea: 'textarea',
  Select: 'div',
  Separator: 'hr',
  Kbd: 'kbd',
  Badge: 'span',
  Codicon: 'span',
  StatusDot: 'span',
  Tip: 'span',
  Checkbox: 'input',
  Switch: 'input',
}
const VOID = new Set(['input', 'textarea', 'hr'])
const KEPT =
  /^(aria-.+|data-.+|className|style|title|id|role|value|defaultValue|checked|disabled|placeholder|type|name|rows|href|on[A-Z].*)$/
const SLOTS = ['icon', 'label', 'title', 'description', 'message', 'action', 'actions']

/** @param {any} React @param {{notify?: (text: string) => void}} [doors] */
export function createSdk(React, doors = {}) {
  const { createElement, useSyncExternalStore, useState, useEffect } = React

  function atom(initial) {
    let value = initial
    const listeners = new Set()
    return {
      get: () => value,
      get value() {
        return value
      },
      set(next) {
        if (Object.is(next, value)) return
        value = next
        for (const listener of [...listeners]) listener(value)
      },
      listen(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      subscribe(listener) {
        listener(value)
        return this.listen(listener)
      },
    }
  }

  function computed(stores, compute) {
    const list = Array.isArray(stores) ? stores : [stores]
    const now = () => compute(...list.map((store) => store.get()))
    const derived = atom(now())
    for (const store of list) store.listen(() => derived.set(now()))
    return derived
  }

  const useValue = (store) =>
    useSyncExternalStore(
      (listener) => store.listen(listener),
      () => store.get(),
    )

  function component(name) {
    const tag = TAGS[name] ?? 'div'
    const draw = (props) => {
      const kept = { 'data-ui': name }
      for (const [key, value] of Object.entries(props)) if (KEPT.test(key) && !SLOTS.includes(key)) kept[key] = value
      if (name === 'Checkbox' || name === 'Switch') kept.type = 'checkbox'
      if (typeof props.onCheckedChange === 'function')
        kept.onChange = (event) => props.onCheckedChange(event.target.checked)
      if (typeof props.onValueChange === 'function') kept.onChange = (event) => props.onValueChange(event.target.value)
      if (name === 'SearchField' && typeof props.onChange === 'function')
        kept.onChange = (event) => props.onChange(event.target.value)
      if (VOID.has(tag)) return createElement(tag, kept)
      const slots = SLOTS.filter(
        (slot) => props[slot] !== undefined && typeof props[slot] !== 'boolean' && typeof props[slot] !== 'function',
      )
      return createElement(
        tag,
        kept,
        ...slots.map((slot) => createElement('span', { key: slot, 'data-slot': slot }, props[slot])),
        props.children,
      )
    }
    draw.displayName = name
    return draw
  }

  const idle = {
    activeSessionId: null,
    awaitingResponse: false,
    busy: false,
    busyBySession: {},
    connectionId: null,
    cwd: '',
    focusedSessionId: null,
    focusedUsage: null,
    gateway: 'idle',
    model: 'none',
    profile: 'default',
    viewport: { width: innerWidth, height: innerHeight, narrow: innerWidth < 700 },
  }
  const never = () => new Promise(() => {})
  const anything = (known) =>
    new Proxy(known, {
      get: (target, name) => (name in target || typeof name === 'symbol' ? target[name] : () => undefined),
    })
  const state = new Proxy(
    {},
    {
      get(target, name) {
        if (typeof name === 'symbol') return undefined
        return (target[name] ??= atom(idle[name] ?? null))
      },
    },
  )
  const host = anything({
    state,
    notify: (input) =>
      doors.notify?.(typeof input === 'string' ? input : (input?.message ?? input?.title ?? 'notification')),
    navigate: (path) => doors.notify?.(`navigate ${path}`),
    onEvent: () => () => {},
    request: never,
    settings: anything({ subscribe: () => () => {} }),
    composer: anything({ subscribe: () => () => {} }),
  })

  function useQuery({ queryFn, enabled = true, initialData }) {
    const [result, setResult] = useState({
      data: initialData,
      error: null,
      isLoading: enabled,
      isPending: enabled,
      isError: false,
      isSuccess: false,
    })
    useEffect(() => {
      if (!enabled || typeof queryFn !== 'function') return undefined
      let live = true
      Promise.resolve()
        .then(() => queryFn({ signal: new AbortController().signal }))
        .then(
          (data) =>
            live &&
            setResult({ data, error: null, isLoading: false, isPending: false, isError: false, isSuccess: true }),
          (error) =>
            live &&
            setResult({ data: undefined, error, isLoading: false, isPending: false, isError: true, isSuccess: false }),
        )
      return () => {
        live = false
      }
    }, [enabled])
    return { ...result, refetch: async () => result, isFetching: result.isLoading }
  }

  const cn = (...parts) =>
    parts
      .flat(Infinity)
      .filter((part) => typeof part === 'string' && part)
      .join(' ')
  const known = {
    ...areas,
    ...colors,
    atom,
    computed,
    useValue,
    cn,
    host,
    useQuery,
    useMutation: ({ mutationFn }) => ({ mutate: mutationFn, mutateAsync: mutationFn, isPending: false, error: null }),
    useQueryClient: () => anything({}),
    queryClient: anything({}),
    useTheme: () => ({ name: 'workbench', mode: 'light' }),
    useI18n: () => ({ t: (key) => key, locale: 'en' }),
    usePluginI18n: () => ({ t: (key) => key, locale: 'en' }),
    relativeTime: (when) => new Date(when).toLocaleString(),
    compactNumber: (number) => new Intl.NumberFormat('en', { notation: 'compact' }).format(number),
    fmtDateTime: (when) => new Date(when).toLocaleString(),
    coarseElapsed: (passedMs) => {
      const s = Math.round(passedMs / 1000)
      if (s < 60) return { unit: 'second', value: s }
      if (s < 3600) return { unit: 'minute', value: Math.round(s / 60) }
      return s < 86_400 ? { unit: 'hour', value: Math.round(s / 3600) } : { unit: 'day', value: Math.round(s / 86_400) }
    },
    icons: new Proxy({}, { get: (_, name) => (typeof name === 'symbol' ? undefined : component('Icon')) }),
    Contribute: () => null,
    LruCache: Map,
    PLUGIN_APP_ACTIONS: [],
  }
  const made = new Map()

  /** Any name has a value, so that a plugin for any build links and runs. */
  function valueOf(name) {
    if (name in known) return known[name]
    if (!made.has(name)) {
      if (/^[A-Z][a-z]/.test(name)) made.set(name, component(name))
      else if (/^use[A-Z]/.test(name)) made.set(name, () => undefined)
      else if (/^[A-Z0-9_$]+$/.test(name)) made.set(name, name.startsWith('$') ? atom(null) : {})
      else made.set(name, name.startsWith('$') ? atom(null) : () => undefined)
    }
    return made.get(name)
  }

  return new Proxy(known, {
    get: (_, name) => (typeof name === 'symbol' || name === 'default' ? undefined : valueOf(name)),
    has: (_, name) => typeof name === 'string' && name !== 'default',
  })
}
