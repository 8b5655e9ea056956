// Stores, queries, texts, colours and small helpers.

declare module '@hermes/plugin-sdk' {
  // ------------------------------------------------------------ stores

  export function atom<T>(initial: T): WritableAtom<T>
  export function computed<A, T>(source: Atom<A>, make: (value: A) => T): Atom<T>
  export function computed<A, T>(sources: readonly [Atom<A>], make: (a: A) => T): Atom<T>
  export function computed<A, B, T>(sources: readonly [Atom<A>, Atom<B>], make: (a: A, b: B) => T): Atom<T>
  export function computed<A, B, C, T>(sources: readonly [Atom<A>, Atom<B>, Atom<C>], make: (a: A, b: B, c: C) => T): Atom<T>
  export function computed<T>(sources: readonly Atom<any>[], make: (...values: any[]) => T): Atom<T>
  /** The value in a component, which renders again when it changes. */
  export function useValue<T>(store: Atom<T>): T

  // ------------------------------------------------------------ queries

  interface QueryOptions<T, S = T> {
    /** Begin with the plugin's id: the cache is the whole app's. */
    queryKey: readonly unknown[]
    queryFn?: (context: { queryKey: readonly unknown[]; signal: AbortSignal }) => T | Promise<T>
    enabled?: boolean
    select?: (data: T) => S
    initialData?: T | (() => T)
    placeholderData?: T | ((before: T | undefined) => T | undefined)
    refetchInterval?: number | false | ((query: any) => number | false | undefined)
    staleTime?: number
    retry?: boolean | number
    [option: string]: unknown
  }
  interface QueryResult<T> {
    data: T | undefined
    error: any
    status: 'pending' | 'success' | 'error'
    fetchStatus: 'fetching' | 'paused' | 'idle'
    isPending: boolean
    isLoading: boolean
    isFetching: boolean
    isSuccess: boolean
    isError: boolean
    isStale: boolean
    isPlaceholderData: boolean
    dataUpdatedAt: number
    refetch(): Promise<any>
    [field: string]: any
  }
  export function useQuery<T = any, S = T>(options: QueryOptions<T, S>): QueryResult<S>
  interface MutationOptions<T, V> {
    mutationFn: (variables: V) => Promise<T> | T
    onMutate?: (variables: V) => any
    onSuccess?: (data: T, variables: V, context: any) => any
    onError?: (error: any, variables: V, context: any) => any
    onSettled?: (data: T | undefined, error: any, variables: V, context: any) => any
    [option: string]: unknown
  }
  interface MutationResult<T, V> {
    data: T | undefined
    error: any
    status: 'idle' | 'pending' | 'success' | 'error'
    isIdle: boolean
    isPending: boolean
    isSuccess: boolean
    isError: boolean
    mutate(variables: V, options?: Partial<MutationOptions<T, V>>): void
    mutateAsync(variables: V, options?: Partial<MutationOptions<T, V>>): Promise<T>
    reset(): void
  }
  export function useMutation<T = any, V = void>(options: MutationOptions<T, V>): MutationResult<T, V>
  interface QueryClient {
    getQueryData<T = any>(key: readonly unknown[]): T | undefined
    setQueryData<T = any>(key: readonly unknown[], update: T | ((before: T | undefined) => T | undefined)): T | undefined
    invalidateQueries(filters?: { queryKey?: readonly unknown[]; [option: string]: unknown }): Promise<void>
    fetchQuery<T = any>(options: QueryOptions<T>): Promise<T>
    prefetchQuery<T = any>(options: QueryOptions<T>): Promise<void>
    cancelQueries(filters?: any): Promise<void>
    removeQueries(filters?: any): void
    [member: string]: any
  }
  export function useQueryClient(): QueryClient
  export const queryClient: QueryClient

  // ------------------------------------------------------------ texts and times

  export function useI18n(): { t: any; locale: Locale; [field: string]: any }
  /** The translator itself: const t = usePluginI18n('my-plugin'). */
  export function usePluginI18n(pluginId: string): PluginTranslate
  export function translateNow(key: string, ...args: any[]): string
  export function cn(...inputs: any[]): string
  export function compactNumber(value: number): string
  export function coarseElapsed(deltaMs: number): { unit: 'day' | 'hour' | 'minute' | 'second'; value: number }
  /** 'in 5 min', '2 hr ago'. */
  export function relativeTime(targetMs: number, nowMs?: number): string
  export interface AgoLabels {
    ageNow: string
    ageSeconds: (seconds: number) => string
    ageMinutes: (minutes: number) => string
    ageHours: (hours: number) => string
    ageDays: (days: number) => string
  }
  export function formatAgo(fromMs: number, labels: AgoLabels, nowMs?: number): string
  /** A formatter, not a function: fmtDateTime.format(ms). */
  export const fmtDateTime: Intl.DateTimeFormat
  export const fmtDayTime: Intl.DateTimeFormat
  export function formatModifierToken(token: string): string
  export function isSubmitEnter(event: any): boolean
  export function nextRunOverdueMs(job: any, nowMs?: number): number | null

  // ------------------------------------------------------------ colours and themes

  export interface Oklch {
    /** 0 to 1. */
    l: number
    c: number
    /** 0 to 360. */
    h: number
  }
  export function normalizeHex(input: string | null | undefined, backdrop?: string): string | null
  export function hexToOklch(hex: string): Oklch | null
  export function oklchToHex(color: Oklch): string
  export function oklchToSrgb255(color: Oklch): [number, number, number] | null
  export function maxChroma(lightness: number, hue: number): number
  export function hueDelta(from: number, to: number): number
  export function mixOklab(first: string, second: string, amount: number): string
  /** WCAG, 1 to 21. */
  export function contrastRatio(first: string, second: string): number
  export function readableOn(hex: string): string
  export const PROFILE_SWATCHES: readonly string[]
  export function profileColor(name: string | null | undefined): string | null
  export function profileColorSoft(color: string | null | undefined, percent?: number): string | null
  export function themeHue(theme: DesktopTheme): number
  export function retintTheme(theme: DesktopTheme, accent: string): DesktopTheme
  export const $accentOverride: Atom<string | null>
  /** Clear it (null) when the plugin goes. */
  export function setAccentOverride(color: string | null): void
  /** false when there is no such theme. */
  export function requestTheme(name: string): boolean
  export function useTheme(): { theme: DesktopTheme; themeName: string; mode: string; resolvedMode: 'light' | 'dark'; setTheme(name: string): void; setMode(mode: string): void; [field: string]: any }

  // ------------------------------------------------------------ models and readiness

  export type ReasoningEffort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | (string & {})
  export const DEFAULT_REASONING_EFFORT: ReasoningEffort
  export const REASONING_EFFORT_VALUES: readonly ReasoningEffort[]
  export const REASONING_EFFORTS: readonly any[]
  export function reasoningEffortLabel(effort: ReasoningEffort): string
  export interface RuntimeReadinessResult {
    ready?: boolean
    [field: string]: any
  }
  /** Give it host.request. */
  export function evaluateRuntimeReadiness(request: typeof host.request): Promise<RuntimeReadinessResult>
  export interface GuardedModelSwitchResult {
    confirm_required?: boolean
    [field: string]: any
  }
  export interface SurfaceModelSwitchConfirmOptions {
    [option: string]: any
  }
  export function surfaceModelSwitchConfirm(options: SurfaceModelSwitchConfirmOptions): unknown
  export function catalogProviderMatches(provider: any, query: string): boolean

  // ------------------------------------------------------------ others

  export class LruCache<K, V> {
    constructor(limit?: number)
    get(key: K): V | undefined
    set(key: K, value: V): this
    has(key: K): boolean
    delete(key: K): boolean
    clear(): void
    readonly size: number
  }
  export interface BudgetedLoopOptions {
    /** Frames in a second; 15 when nothing is said. */
    fps?: number
    idleWhen?: () => boolean
    pauseWhenUnfocused?: boolean
  }
  export interface BudgetedLoop {
    wake(): void
    isDormant(): boolean
    /** Call it at clean-up. */
    dispose(): void
  }
  export function createBudgetedLoop(draw: (nowMs: number) => void, options?: BudgetedLoopOptions): BudgetedLoop
  export function haptic(kind?: string): void
  export function ackStoredSessionId(sessionId: string, ...args: any[]): void
  export function forgetSessionUnread(sessionId: string, ...args: any[]): void
  export function markSessionUnreadFinished(sessionId: string, ...args: any[]): void
  export function captureGatewayFileDownload(...args: any[]): any
  export function blobatarSvg(name: string, options?: { size?: number; [option: string]: unknown }): string
  export function pluginSettingsHref(pluginId: string, page?: string): string
  export interface SiblingWsRoute {
    [field: string]: any
  }
  export function resolveSiblingWsUrl(route: SiblingWsRoute, ...args: any[]): any
  export interface DisplayLease {
    [field: string]: any
  }
  export interface DisplayStatus {
    [field: string]: any
  }
  export interface DisplayObserveResult {
    [field: string]: any
  }
  export interface DisplayThumbnailResult {
    [field: string]: any
  }
  export const APPROVAL_RESPOND_TIMEOUT_MS: number
  export const BOT_CHAT_SESSION_HYDRATION_TIMEOUT_MS: number
  export const DEFAULT_SESSION_HYDRATION_TIMEOUT_MS: number
  export const HYDRATION_SYNC_BADGE_TIMEOUT_MS: number
}
