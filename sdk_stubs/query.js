// useQuery and useMutation over one small cache: a first render finds everything pending, and what the query function
// answers (mostly never: the app is not there) shows in the next one.

import { AbortController } from '@@abort'
import { clock } from '@@host'
import { useCallback, useEffect, useRef, useState } from '@@hooks'

const keyOf = (key) => {
  try {
    return JSON.stringify(key) ?? 'undefined'
  } catch {
    return '' + key
  }
}

class QueryClient {
  #entries = new Map()

  entry(key) {
    const name = keyOf(key)
    if (!this.#entries.has(name)) {
      this.#entries.set(name, { key, status: 'pending', data: undefined, error: null, fetching: false, updatedAt: 0, listeners: new Set(), run: null, promise: null })
    }
    return this.#entries.get(name)
  }

  change(entry, fields) {
    Object.assign(entry, fields)
    for (const listener of [...entry.listeners]) listener()
  }

  fetch(entry, queryFn) {
    if (typeof queryFn !== 'function') return undefined
    // Who asks while the answer is under way waits for the same one.
    if (entry.fetching) return entry.promise
    const signal = new AbortController().signal
    const promise = new Promise((resolve) => resolve(queryFn({ queryKey: entry.key, signal, meta: undefined })))
    this.change(entry, { fetching: true, run: queryFn, promise })
    promise.then(
      (data) => this.change(entry, { status: 'success', data, error: null, fetching: false, updatedAt: clock.now() }),
      (error) => this.change(entry, { status: 'error', error, fetching: false }),
    )
    return promise
  }

  #matching(filters) {
    const wanted = filters?.queryKey ?? (Array.isArray(filters) ? filters : undefined)
    if (wanted === undefined) return [...this.#entries.values()]
    const parts = wanted.map(keyOf)
    return [...this.#entries.values()].filter(({ key }) => Array.isArray(key) && parts.every((part, index) => part === keyOf(key[index])))
  }

  getQueryData(key) {
    return this.entry(key).data
  }

  setQueryData(key, update) {
    const entry = this.entry(key)
    const data = typeof update === 'function' ? update(entry.data) : update
    if (data !== undefined) this.change(entry, { status: 'success', data, error: null, updatedAt: clock.now() })
    return data
  }

  getQueriesData(filters) {
    return this.#matching(filters).map(({ key, data }) => [key, data])
  }

  setQueriesData(filters, update) {
    return this.#matching(filters).map(({ key }) => [key, this.setQueryData(key, update)])
  }

  getQueryState(key) {
    const { status, data, error, updatedAt } = this.entry(key)
    return { status, data, error, dataUpdatedAt: updatedAt }
  }

  invalidateQueries(filters) {
    const entries = this.#matching(filters)
    const watched = entries.filter(({ run, listeners }) => run && listeners.size > 0)
    // A query that fails has its error in its own state; nobody else hears of it.
    return Promise.allSettled(watched.map((entry) => this.fetch(entry, entry.run))).then(() => {})
  }

  refetchQueries(filters) {
    return this.invalidateQueries(filters)
  }

  fetchQuery({ queryKey, queryFn }) {
    return this.fetch(this.entry(queryKey), queryFn)
  }

  prefetchQuery(options) {
    return Promise.resolve(this.fetchQuery(options)).then(
      () => {},
      () => {},
    )
  }

  ensureQueryData(options) {
    const data = this.getQueryData(options.queryKey)
    return data === undefined ? this.fetchQuery(options) : Promise.resolve(data)
  }

  cancelQueries() {
    return Promise.resolve()
  }

  resetQueries(filters) {
    for (const entry of this.#matching(filters)) this.change(entry, { status: 'pending', data: undefined, error: null })
    return Promise.resolve()
  }

  removeQueries(filters) {
    for (const { key } of this.#matching(filters)) this.#entries.delete(keyOf(key))
  }

  clear() {
    this.#entries.clear()
  }

  isFetching() {
    return [...this.#entries.values()].filter(({ fetching }) => fetching).length
  }

  getDefaultOptions() {
    return {}
  }

  setDefaultOptions() {}
}

export const queryClient = new QueryClient()
export const useQueryClient = () => queryClient

const flags = (status, fetching) => ({
  status,
  fetchStatus: fetching ? 'fetching' : 'idle',
  isPending: status === 'pending',
  isSuccess: status === 'success',
  isError: status === 'error',
  isFetching: fetching,
  isLoading: fetching && status === 'pending',
  isRefetching: fetching && status !== 'pending',
  isInitialLoading: fetching && status === 'pending',
  isPaused: false,
  isStale: true,
})

export function useQuery(options) {
  const { queryKey, queryFn, enabled = true, select, initialData, placeholderData, refetchInterval } = options
  const entry = queryClient.entry(queryKey)
  const [, renderAgain] = useState(0)
  const wanted = typeof enabled === 'function' ? enabled({ queryKey, state: entry }) !== false : enabled !== false
  if (entry.data === undefined && initialData !== undefined) {
    Object.assign(entry, { status: 'success', data: typeof initialData === 'function' ? initialData() : initialData })
  }
  const latest = useRef(queryFn)
  latest.current = queryFn
  useEffect(() => {
    const changed = () => renderAgain((count) => count + 1)
    entry.listeners.add(changed)
    if (wanted) queryClient.fetch(entry, latest.current)
    return () => void entry.listeners.delete(changed)
  }, [entry, wanted])
  const every = typeof refetchInterval === 'function' ? refetchInterval({ queryKey, state: entry }) : refetchInterval
  useEffect(() => {
    if (!wanted || typeof every !== 'number' || every <= 0) return undefined
    const timer = clock.schedule(() => queryClient.fetch(entry, latest.current), every, { every: true, untracked: true })
    return () => clock.cancel(timer)
  }, [entry, wanted, every])
  // Stands in dependency lists: it stays the same function.
  const refetch = useCallback(() => Promise.resolve(queryClient.fetch(entry, latest.current)).then(() => queryClient.getQueryState(entry.key)), [entry])
  // Before the first effect the query counts as fetching already, as in the app.
  const fetching = wanted && (entry.fetching || entry.updatedAt === 0) && entry.status !== 'error'
  const shown = entry.data === undefined ? (typeof placeholderData === 'function' ? placeholderData(undefined, undefined) : placeholderData) : entry.data
  const isPlaceholderData = entry.data === undefined && shown !== undefined
  return {
    ...flags(isPlaceholderData ? 'success' : entry.status, fetching),
    data: shown !== undefined && select ? select(shown) : shown,
    error: entry.error,
    failureCount: entry.error ? 1 : 0,
    failureReason: entry.error,
    dataUpdatedAt: entry.updatedAt,
    errorUpdatedAt: 0,
    isFetched: entry.updatedAt > 0,
    isFetchedAfterMount: entry.updatedAt > 0,
    isPlaceholderData,
    isLoadingError: false,
    isRefetchError: false,
    refetch,
  }
}

const IDLE = { status: 'idle', data: undefined, error: null, variables: undefined }

export function useMutation(options) {
  const [state, setState] = useState(IDLE)
  const latest = useRef(options)
  latest.current = options
  const run = useRef(null)
  run.current ??= async (variables, own = {}) => {
    const { mutationFn, onMutate, onSuccess, onError, onSettled } = latest.current
    setState({ status: 'pending', data: undefined, error: null, variables })
    let context
    try {
      context = await onMutate?.(variables)
      const data = await mutationFn(variables)
      setState({ status: 'success', data, error: null, variables })
      for (const done of [onSuccess, own.onSuccess]) await done?.(data, variables, context)
      for (const done of [onSettled, own.onSettled]) await done?.(data, null, variables, context)
      return data
    } catch (error) {
      setState({ status: 'error', data: undefined, error, variables })
      for (const done of [onError, own.onError]) await done?.(error, variables, context)
      for (const done of [onSettled, own.onSettled]) await done?.(undefined, error, variables, context)
      throw error
    }
  }
  const mutate = useCallback((variables, own) => void run.current(variables, own).catch(() => {}), [])
  const reset = useCallback(() => setState(IDLE), [])
  const { status } = state
  return {
    ...state,
    isIdle: status === 'idle',
    isPending: status === 'pending',
    isSuccess: status === 'success',
    isError: status === 'error',
    failureCount: status === 'error' ? 1 : 0,
    mutate,
    mutateAsync: run.current,
    reset,
  }
}
