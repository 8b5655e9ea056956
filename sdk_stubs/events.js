// Events and their targets. Listeners on what outlives the plugin are counted for the leak report.

import { problem, safe, track } from '@@host'

const listenersOf = new WeakMap()
// Targets whose listeners stay behind when the plugin goes: window, document, html, head, body, media queries …
const lasting = new WeakMap()

/** From now on each listener on `target` counts; `name` is how the report calls it ('window'). */
export function countListeners(target, name) {
  lasting.set(target, name)
}

/** `capture`, `once` and `signal` of the third argument, which may be a boolean. */
function optionsOf(options) {
  if (typeof options !== 'object' || options === null) return { capture: Boolean(options), once: false, signal: undefined, quiet: false }
  const { capture = false, once = false, signal = undefined, quiet = false } = options
  return { capture: Boolean(capture), once: Boolean(once), signal, quiet: quiet === QUIET }
}

/** An option for listeners of the stubs themselves: they count for nobody. */
export const QUIET = Symbol('quiet')

export class EventTarget {
  // The window is one too, although its prototype is not ours to set.
  static [Symbol.hasInstance](value) {
    return (this === EventTarget && value === globalThis) || Function.prototype[Symbol.hasInstance].call(this, value)
  }

  addEventListener(type, callback, options) {
    listen(this ?? globalThis, '' + type, callback, options)
  }

  removeEventListener(type, callback, options) {
    unlisten(this ?? globalThis, '' + type, callback, optionsOf(options).capture)
  }

  dispatchEvent(event) {
    return dispatch(this ?? globalThis, event)
  }
}

function listen(target, type, callback, options) {
  if (typeof callback !== 'function' && typeof callback?.handleEvent !== 'function') return
  const { capture, once, signal, quiet } = optionsOf(options)
  if (signal?.aborted) return
  const list = listenersOf.get(target) ?? []
  listenersOf.set(target, list)
  if (list.some((entry) => entry.type === type && entry.callback === callback && entry.capture === capture)) return
  const name = quiet ? undefined : countedName(target)
  const release = name === undefined ? undefined : track('listener', `${name} '${type}'`)
  list.push({ type, callback, capture, once, release })
  signal?.addEventListener('abort', () => unlisten(target, type, callback, capture), { once: true, quiet: QUIET })
}

/** The type of an event that somebody listens to on `target`, '' where nobody does. */
export const listenedTo = (target) => listenersOf.get(target)?.[0]?.type ?? ''

const countedName = (target) => lasting.get(target) ?? target.countedName?.()

function unlisten(target, type, callback, capture) {
  const list = listenersOf.get(target)
  const index = (list ?? []).findIndex((entry) => entry.type === type && entry.callback === callback && entry.capture === capture)
  if (index < 0) return
  const [entry] = list.splice(index, 1)
  entry.release?.()
}

/** The target is gone for good, and its listeners with it. */
export function forgetListeners(target) {
  for (const entry of listenersOf.get(target) ?? []) entry.release?.()
}

/** Called with what a listener threw; the window's own way is to report and go on. */
let onListenerError = (thrown) => {
  const { name, message } = safe.error(thrown)
  problem('HP406', `An event listener threw ${name}: ${message}`)
}

/** Runs `work` with another receiver for errors of listeners. */
export function withListenerErrors(receive, work) {
  const before = onListenerError
  onListenerError = receive
  try {
    return work()
  } finally {
    onListenerError = before
  }
}

function call(callback, self, event) {
  try {
    if (typeof callback === 'function') safe.apply(callback, self, [event])
    else callback.handleEvent(event)
  } catch (thrown) {
    onListenerError(thrown)
  }
}

function callListeners(target, event, capture) {
  event.currentTarget = target
  for (const entry of [...(listenersOf.get(target) ?? [])]) {
    if (entry.type !== event.type || entry.capture !== capture || event.halted) continue
    if (entry.once) unlisten(target, entry.type, entry.callback, entry.capture)
    call(entry.callback, target, event)
  }
  const handler = capture ? undefined : target[`on${event.type}`]
  if (typeof handler === 'function' && !event.halted) call(handler, target, event)
}

/** Capture, target, bubble. → false when a listener prevented the default. */
export function dispatch(target, event) {
  const path = [target]
  for (let at = target; (at = at.eventParent?.() ?? null) !== null && path.length < 500; ) path.push(at)
  event.target ??= target
  event.path = path
  for (let index = path.length - 1; index >= 0 && !event.stopped; index -= 1) {
    event.eventPhase = index === 0 ? 2 : 1
    callListeners(path[index], event, true)
  }
  for (let index = 0; index < path.length && !event.stopped; index += 1) {
    if (index > 0 && !event.bubbles) break
    event.eventPhase = index === 0 ? 2 : 3
    callListeners(path[index], event, false)
  }
  event.eventPhase = 0
  event.currentTarget = null
  return !event.defaultPrevented
}

export class Event {
  constructor(type, init = {}) {
    this.type = '' + type
    this.bubbles = Boolean(init?.bubbles)
    this.cancelable = Boolean(init?.cancelable)
    this.composed = Boolean(init?.composed)
    this.defaultPrevented = false
    this.isTrusted = false
    this.target = null
    this.currentTarget = null
    this.eventPhase = 0
    this.timeStamp = globalThis.performance?.now() ?? 0
    hide(this, { stopped: false, halted: false, path: [] })
  }

  preventDefault() {
    if (this.cancelable) this.defaultPrevented = true
  }

  stopPropagation() {
    this.stopped = true
  }

  stopImmediatePropagation() {
    this.stopped = true
    this.halted = true
  }

  composedPath() {
    return [...this.path]
  }

  get srcElement() {
    return this.target
  }

  get cancelBubble() {
    return this.stopped
  }

  get returnValue() {
    return !this.defaultPrevented
  }

  initEvent(type, bubbles = false, cancelable = false) {
    Object.assign(this, { type: '' + type, bubbles: Boolean(bubbles), cancelable: Boolean(cancelable) })
  }
}
Object.assign(Event, { NONE: 0, CAPTURING_PHASE: 1, AT_TARGET: 2, BUBBLING_PHASE: 3 })

function hide(object, fields) {
  for (const name of Object.keys(fields)) {
    Object.defineProperty(object, name, { value: fields[name], writable: true, enumerable: false, configurable: true })
  }
}

/** A subclass of `Base` whose instances carry `fields`, each from the init or with its default. */
function eventClass(name, Base, fields) {
  const made = {
    [name]: class extends Base {
      constructor(type, init = {}) {
        super(type, init)
        for (const field of Object.keys(fields)) this[field] = init?.[field] ?? fields[field]
      }
    },
  }
  return made[name]
}

const KEYS = { ctrlKey: false, shiftKey: false, altKey: false, metaKey: false }
const POINT = { clientX: 0, clientY: 0, screenX: 0, screenY: 0, pageX: 0, pageY: 0, offsetX: 0, offsetY: 0, x: 0, y: 0 }

const CustomEvent = eventClass('CustomEvent', Event, { detail: null })
const UIEvent = eventClass('UIEvent', Event, { view: null, detail: 0 })
const MouseEvent = eventClass('MouseEvent', UIEvent, { ...KEYS, ...POINT, button: 0, buttons: 0, movementX: 0, movementY: 0, relatedTarget: null })
const PointerEvent = eventClass('PointerEvent', MouseEvent, { pointerId: 1, pointerType: 'mouse', isPrimary: true, pressure: 0, width: 1, height: 1 })
const KeyboardEvent = eventClass('KeyboardEvent', UIEvent, { ...KEYS, key: '', code: '', location: 0, repeat: false, isComposing: false, keyCode: 0 })

const MODIFIERS = new Map([['Control', 'ctrlKey'], ['Shift', 'shiftKey'], ['Alt', 'altKey'], ['Meta', 'metaKey']])
for (const Class of [MouseEvent, KeyboardEvent]) {
  Class.prototype.getModifierState = function (key) {
    return Boolean(this[MODIFIERS.get(key)])
  }
}
for (const name of ['getCoalescedEvents', 'getPredictedEvents']) PointerEvent.prototype[name] = () => []

export const eventClasses = {
  Event,
  CustomEvent,
  UIEvent,
  MouseEvent,
  PointerEvent,
  KeyboardEvent,
  WheelEvent: eventClass('WheelEvent', MouseEvent, { deltaX: 0, deltaY: 0, deltaZ: 0, deltaMode: 0 }),
  DragEvent: eventClass('DragEvent', MouseEvent, { dataTransfer: null }),
  TouchEvent: eventClass('TouchEvent', UIEvent, { ...KEYS, touches: [], targetTouches: [], changedTouches: [] }),
  FocusEvent: eventClass('FocusEvent', UIEvent, { relatedTarget: null }),
  InputEvent: eventClass('InputEvent', UIEvent, { data: null, inputType: '', isComposing: false }),
  CompositionEvent: eventClass('CompositionEvent', UIEvent, { data: '' }),
  ClipboardEvent: eventClass('ClipboardEvent', Event, { clipboardData: null }),
  SubmitEvent: eventClass('SubmitEvent', Event, { submitter: null }),
  ToggleEvent: eventClass('ToggleEvent', Event, { oldState: '', newState: '' }),
  MessageEvent: eventClass('MessageEvent', Event, { data: null, origin: '', lastEventId: '', source: null, ports: [] }),
  CloseEvent: eventClass('CloseEvent', Event, { code: 0, reason: '', wasClean: false }),
  ErrorEvent: eventClass('ErrorEvent', Event, { message: '', filename: '', lineno: 0, colno: 0, error: null }),
  ProgressEvent: eventClass('ProgressEvent', Event, { lengthComputable: false, loaded: 0, total: 0 }),
  StorageEvent: eventClass('StorageEvent', Event, { key: null, oldValue: null, newValue: null, url: '', storageArea: null }),
  PopStateEvent: eventClass('PopStateEvent', Event, { state: null }),
  HashChangeEvent: eventClass('HashChangeEvent', Event, { oldURL: '', newURL: '' }),
  PageTransitionEvent: eventClass('PageTransitionEvent', Event, { persisted: false }),
  PromiseRejectionEvent: eventClass('PromiseRejectionEvent', Event, { promise: null, reason: undefined }),
  AnimationEvent: eventClass('AnimationEvent', Event, { animationName: '', elapsedTime: 0, pseudoElement: '' }),
  TransitionEvent: eventClass('TransitionEvent', Event, { propertyName: '', elapsedTime: 0, pseudoElement: '' }),
  MediaQueryListEvent: eventClass('MediaQueryListEvent', Event, { matches: false, media: '' }),
  BeforeUnloadEvent: eventClass('BeforeUnloadEvent', Event, {}),
}

const BY_TYPE = [
  [/^(click|dblclick|auxclick|contextmenu|mouse)/, MouseEvent],
  [/^(pointer|gotpointer|lostpointer)/, PointerEvent],
  [/^key/, KeyboardEvent],
  [/^(focus|blur)/, eventClasses.FocusEvent],
  [/^wheel/, eventClasses.WheelEvent],
  [/^(drag|drop)/, eventClasses.DragEvent],
  [/^(input|beforeinput)$/, eventClasses.InputEvent],
  [/^submit$/, eventClasses.SubmitEvent],
]
const STAY = /^(focus|blur|mouseenter|mouseleave|pointerenter|pointerleave|load|error|scroll|toggle)$/

/** An event as the browser would make it for `type`: the right class, bubbling unless it is of the kind that does not. */
export function makeEvent(type, init) {
  const [, EventClass] = BY_TYPE.find(([pattern]) => pattern.test(type)) ?? [null, Event]
  const event = new EventClass(type, { bubbles: !STAY.test(type), cancelable: true, composed: true, ...init })
  event.isTrusted = true
  return event
}
