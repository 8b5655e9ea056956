// React as plugins use it: small on purpose, without JSX syntax (nothing compiles it).

declare module 'react' {
  export type Key = string | number | bigint
  export interface ReactElement {
    type: unknown
    props: any
    key: string | null
  }
  export type ReactNode = ReactElement | string | number | bigint | boolean | null | undefined | Iterable<ReactNode> | PromiseLike<ReactNode>
  export interface FunctionComponent<P = any> {
    (props: P): ReactNode | Promise<ReactNode>
    displayName?: string
  }
  export type FC<P = any> = FunctionComponent<P>
  export interface ComponentClass<P = any> {
    new (props: P): Component<P>
    displayName?: string
  }
  export type ComponentType<P = any> = FunctionComponent<P> | ComponentClass<P>
  export type ElementType = string | ComponentType<any> | ExoticComponent<any>
  /** What memo, forwardRef, lazy, createContext and the built-ins give: rendered, never called. */
  export interface ExoticComponent<P = any> {
    (props: P): ReactNode
    readonly $$typeof: symbol
  }
  export interface CSSProperties {
    [property: string]: string | number | undefined
  }
  export interface RefObject<T> {
    current: T
  }
  export type Ref<T> = ((value: T | null) => void | (() => void)) | RefObject<T | null> | null
  export type Dispatch<A> = (action: A) => void
  export type SetStateAction<S> = S | ((before: S) => S)
  export type DependencyList = readonly unknown[]
  export type EffectCallback = () => void | (() => void)

  /** The event that handlers get, as far as plugins read it. */
  export interface SyntheticEvent<T = any> {
    target: any
    currentTarget: T
    type: string
    nativeEvent: any
    defaultPrevented: boolean
    preventDefault(): void
    stopPropagation(): void
    persist(): void
    [field: string]: any
  }

  /** Props of host elements: the common ones by name, everything else as it comes. */
  export interface HostProps {
    children?: ReactNode
    className?: string
    id?: string
    title?: string
    role?: string
    tabIndex?: number
    hidden?: boolean
    disabled?: boolean
    style?: CSSProperties
    ref?: Ref<any>
    dangerouslySetInnerHTML?: { __html: string }
    onClick?: (event: SyntheticEvent) => void
    onChange?: (event: SyntheticEvent) => void
    onInput?: (event: SyntheticEvent) => void
    onKeyDown?: (event: SyntheticEvent) => void
    onSubmit?: (event: SyntheticEvent) => void
    onFocus?: (event: SyntheticEvent) => void
    onBlur?: (event: SyntheticEvent) => void
    [attribute: string]: any
  }
  export type PropsOf<T> = T extends string ? HostProps : T extends (props: infer P) => any ? P : T extends new (props: infer P) => any ? P : any

  export interface Context<T> extends ExoticComponent<{ value: T; children?: ReactNode }> {
    Provider: ExoticComponent<{ value: T; children?: ReactNode }>
    Consumer: ExoticComponent<{ children: (value: T) => ReactNode }>
    displayName?: string
  }

  export class Component<P = any, S = any> {
    constructor(props: P)
    readonly props: P
    state: S
    context: any
    setState(partial: Partial<S> | ((state: S, props: P) => Partial<S> | null), callback?: () => void): void
    forceUpdate(callback?: () => void): void
    render(): ReactNode
    componentDidMount?(): void
    componentDidUpdate?(props: P, state: S, snapshot?: any): void
    componentWillUnmount?(): void
    componentDidCatch?(error: unknown, info: { componentStack: string }): void
  }
  export class PureComponent<P = any, S = any> extends Component<P, S> {}

  export const Fragment: ExoticComponent<{ children?: ReactNode }>
  export const StrictMode: ExoticComponent<{ children?: ReactNode }>
  export const Suspense: ExoticComponent<{ fallback?: ReactNode; children?: ReactNode }>
  export const Profiler: ExoticComponent<{ id: string; onRender: (...args: any[]) => void; children?: ReactNode }>
  export const Activity: ExoticComponent<{ mode?: 'visible' | 'hidden'; children?: ReactNode }>
  export const ViewTransition: ExoticComponent<{ name?: string; children?: ReactNode; [option: string]: any }>
  export const version: string

  export function createElement<T extends ElementType>(type: T, props?: (PropsOf<T> & { key?: Key }) | null, ...children: ReactNode[]): ReactElement
  export function cloneElement(element: ReactElement, props?: any, ...children: ReactNode[]): ReactElement
  export function isValidElement(value: unknown): value is ReactElement
  export const Children: {
    map<T>(children: ReactNode, map: (child: any, index: number) => T): T[]
    forEach(children: ReactNode, visit: (child: any, index: number) => void): void
    count(children: ReactNode): number
    toArray(children: ReactNode): any[]
    only(children: ReactNode): ReactElement
  }
  export function createContext<T>(value: T): Context<T>
  export function createRef<T = any>(): RefObject<T | null>
  export function forwardRef<P = any>(render: (props: P, ref: any) => ReactNode): ExoticComponent<P>
  export function memo<T extends ComponentType<any>>(type: T, equal?: (before: PropsOf<T>, after: PropsOf<T>) => boolean): ExoticComponent<PropsOf<T>>
  export function lazy<P = any>(load: () => Promise<{ default: ComponentType<P> }>): ExoticComponent<P>
  export function cache<F extends (...args: any[]) => any>(fn: F): F
  export function cacheSignal(): AbortSignal | null
  export function captureOwnerStack(): string | null
  export function act<T>(work: () => T): T
  export function addTransitionType(type: string): void
  export function unstable_useCacheRefresh(): () => void
  export const __COMPILER_RUNTIME: any
  export const __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: any

  export function useState<S>(initial: S | (() => S)): [S, Dispatch<SetStateAction<S>>]
  export function useState<S = undefined>(): [S | undefined, Dispatch<SetStateAction<S | undefined>>]
  export function useReducer<S, A>(reducer: (state: S, action: A) => S, initial: S): [S, Dispatch<A>]
  export function useReducer<S, A, I>(reducer: (state: S, action: A) => S, initial: I, init: (initial: I) => S): [S, Dispatch<A>]
  export function useEffect(effect: EffectCallback, deps?: DependencyList): void
  export function useLayoutEffect(effect: EffectCallback, deps?: DependencyList): void
  export function useInsertionEffect(effect: EffectCallback, deps?: DependencyList): void
  export function useEffectEvent<F extends (...args: any[]) => any>(callback: F): F
  export function useMemo<T>(make: () => T, deps: DependencyList): T
  export function useCallback<F extends (...args: any[]) => any>(callback: F, deps: DependencyList): F
  export function useRef<T>(initial: T): RefObject<T>
  export function useRef<T = any>(): RefObject<T | undefined>
  export function useContext<T>(context: Context<T>): T
  export function useId(): string
  export function useImperativeHandle<T>(ref: Ref<T> | undefined, make: () => T, deps?: DependencyList): void
  export function useDebugValue(value: unknown, format?: (value: any) => unknown): void
  export function useDeferredValue<T>(value: T, initial?: T): T
  export function useTransition(): [boolean, (action: () => void | Promise<void>) => void]
  export function startTransition(action: () => void | Promise<void>): void
  export function useSyncExternalStore<T>(subscribe: (changed: () => void) => () => void, get: () => T, getServer?: () => T): T
  export function useOptimistic<T, A = T>(value: T, reduce?: (value: T, action: A) => T): [T, (action: A) => void]
  export function useActionState<S, P = void>(action: (state: S, payload: P) => S | Promise<S>, initial: S): [S, (payload: P) => void, boolean]
  export function use<T>(usable: PromiseLike<T> | Context<T>): T
}

declare module 'react/jsx-runtime' {
  import { ElementType, Fragment, Key, PropsOf, ReactElement } from 'react'
  export function jsx<T extends ElementType>(type: T, props: PropsOf<T>, key?: Key): ReactElement
  export function jsxs<T extends ElementType>(type: T, props: PropsOf<T>, key?: Key): ReactElement
  export { Fragment }
}
