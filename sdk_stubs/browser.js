// The browser as a plugin finds it: installs the globals of the parts around this file. `browser_globals.json` lists them.
// Clock, timers, console, Date and Math.random are the host's and stand already.

import { EventTarget, countListeners, eventClasses } from '@@events'
import { AbortController, AbortSignal } from '@@abort'
import { Blob, File, FileReader, FormData } from '@@blob'
import { canvasContext } from '@@canvas'
import { BroadcastChannel, MessageChannel, MessagePort, SharedWorker, Worker, postMessage } from '@@channels'
import { structuredClone } from '@@clone'
import { Document, NodeFilter, Range, Selection, TreeWalker, document } from '@@document'
import { customElements, elementClasses } from '@@html-elements'
import { parseHtml, serialize } from '@@html-text'
import { Intl, installLocaleMethods } from '@@intl'
import { EventSource, Headers, Request, Response, WebSocket, XMLHttpRequest, fetch } from '@@network'
import { DOMRect, ShadowRoot } from '@@dom-element'
import { CharacterData, Comment, DocumentFragment, Node, Text } from '@@nodes'
import { IntersectionObserver, MutationObserver, PerformanceObserver, ResizeObserver } from '@@observers'
import { crypto } from '@@random'
import { Storage, localStorage, sessionStorage } from '@@storage'
import { TextDecoder, TextEncoder } from '@@text-codec'
import { URL, URLSearchParams } from '@@url'
import { CSS, CSSStyleSheet, getComputedStyle, history, location, matchMedia, navigator, screen, visualViewport, windowMembers } from '@@window'

/** A page parsed from text: enough to query what is in it. */
class DOMParser {
  parseFromString(text) {
    const page = new Document()
    const html = document.createElement('html')
    const parts = { head: document.createElement('head'), body: document.createElement('body') }
    html.append(parts.head, parts.body)
    page.childNodes.push(html)
    html.parentNode = page
    const place = (node) => {
      if (parts[node.localName]) parts[node.localName].append(...node.childNodes)
      else if (node.localName === 'html') [...node.childNodes].forEach(place)
      else if (/^(title|meta|link|style|base)$/.test(node.localName ?? '') && parts.body.childNodes.length === 0) parts.head.append(node)
      else parts.body.append(node)
    }
    parseHtml('' + text, document).forEach(place)
    return page
  }
}

class XMLSerializer {
  serializeToString(node) {
    return serialize(node)
  }
}

function Image(width, height) {
  const image = document.createElement('img')
  if (width !== undefined) image.setAttribute('width', width)
  if (height !== undefined) image.setAttribute('height', height)
  return image
}

function Audio(src) {
  const audio = document.createElement('audio')
  if (src !== undefined) audio.setAttribute('src', src)
  return audio
}

class Path2D {
  constructor() {
    for (const name of ['addPath', 'arc', 'arcTo', 'bezierCurveTo', 'closePath', 'ellipse', 'lineTo', 'moveTo', 'quadraticCurveTo', 'rect', 'roundRect']) this[name] = () => {}
  }
}

class OffscreenCanvas extends EventTarget {
  constructor(width, height) {
    super()
    Object.assign(this, { width, height })
  }

  getContext(kind) {
    return kind === '2d' ? canvasContext(this) : null
  }

  async convertToBlob() {
    return new Blob([], { type: 'image/png' })
  }

  transferToImageBitmap() {
    return { width: this.width, height: this.height, close() {} }
  }
}

class ImageData {
  constructor(first, second, third) {
    const given = typeof first === 'object'
    const width = given ? second : first
    const height = given ? (third ?? first.length / 4 / second) : second
    Object.assign(this, { width, height, data: given ? first : new Uint8ClampedArray(width * height * 4), colorSpace: 'srgb' })
  }
}

class DOMPoint {
  constructor(x = 0, y = 0, z = 0, w = 1) {
    Object.assign(this, { x, y, z, w })
  }
}

class Notification extends EventTarget {
  static permission = 'denied'

  static async requestPermission() {
    return 'denied'
  }

  constructor(title) {
    super()
    this.title = title
  }

  close() {}
}

class Window {
  // The window is the global object, whose prototype is not ours to set.
  static [Symbol.hasInstance](value) {
    return value === globalThis
  }
}

export const browserGlobals = {
  ...eventClasses,
  ...elementClasses,
  ...windowMembers,
  AbortController,
  AbortSignal,
  Audio,
  Blob,
  BroadcastChannel,
  CSS,
  CSSStyleSheet,
  CharacterData,
  Comment,
  DOMParser,
  DOMPoint,
  DOMRect,
  DOMRectReadOnly: DOMRect,
  Document,
  DocumentFragment,
  EventSource,
  EventTarget,
  File,
  FileReader,
  FormData,
  HTMLDocument: Document,
  Headers,
  Image,
  ImageData,
  IntersectionObserver,
  Intl,
  MessageChannel,
  MessagePort,
  MutationObserver,
  Node,
  NodeFilter,
  Notification,
  OffscreenCanvas,
  Option: function Option(text, value) {
    return Object.assign(document.createElement('option'), { textContent: text ?? '', value: value ?? text ?? '' })
  },
  Path2D,
  PerformanceObserver,
  Range,
  Request,
  ResizeObserver,
  Response,
  Selection,
  ShadowRoot,
  SharedWorker,
  Storage,
  Text,
  TextDecoder,
  TextEncoder,
  TreeWalker,
  URL,
  URLSearchParams,
  WebSocket,
  Window,
  Worker,
  XMLHttpRequest,
  XMLSerializer,
  addEventListener: EventTarget.prototype.addEventListener,
  crypto,
  customElements,
  dispatchEvent: EventTarget.prototype.dispatchEvent,
  document,
  fetch,
  frames: globalThis,
  getComputedStyle,
  history,
  localStorage,
  location,
  matchMedia,
  navigator,
  parent: globalThis,
  postMessage,
  removeEventListener: EventTarget.prototype.removeEventListener,
  screen,
  self: globalThis,
  sessionStorage,
  structuredClone,
  top: globalThis,
  visualViewport,
  window: globalThis,
}

for (const name of Object.keys(browserGlobals)) {
  Object.defineProperty(globalThis, name, { value: browserGlobals[name], writable: true, configurable: true, enumerable: false })
}
installLocaleMethods()
for (const [target, name] of [
  [globalThis, 'window'],
  [visualViewport, 'visualViewport'],
  [navigator.connection, 'navigator.connection'],
  [screen.orientation, 'screen.orientation'],
]) {
  countListeners(target, name)
}
