// What belongs to the window: its size, address, history, storage, and the doors that lead out of it.

import { never, record } from '@@host'
import { EventTarget, countListeners, dispatch, makeEvent } from '@@events'
import { document } from '@@document'
import { StyleText } from '@@style'
import { URL } from '@@url'

const WIDTH = 1280
const HEIGHT = 800
const ORIGIN = 'https://hermes.invalid'

/** Notes that the plugin used a door of the window. */
const ask = (name, ...args) => void record('action', { name: `window.${name}`, args })

// ---------------------------------------------------------------- address and history

let address = new URL(`${ORIGIN}/index.html#/`)

const go = (url) => {
  const next = new URL('' + url, address.href)
  if (next.href.split('#')[0] !== address.href.split('#')[0]) return ask('location', next.href)
  address = next
  return undefined
}

export const location = {
  assign: go,
  replace: go,
  reload: () => ask('location.reload'),
  toString: () => address.href,
  ancestorOrigins: [],
}
for (const part of ['href', 'origin', 'protocol', 'host', 'hostname', 'port', 'pathname', 'search', 'hash']) {
  Object.defineProperty(location, part, {
    enumerable: true,
    get: () => address[part],
    set(value) {
      if (part === 'href') go(value)
      else {
        const next = new URL(address.href)
        next[part] = value
        go(next.href)
      }
    },
  })
}

export const history = {
  length: 1,
  state: null,
  scrollRestoration: 'auto',
  pushState(state, _, url) {
    history.state = state
    history.length += 1
    if (url !== undefined && url !== null) go(url)
  },
  replaceState(state, _, url) {
    history.state = state
    if (url !== undefined && url !== null) go(url)
  },
  back: () => ask('history.back'),
  forward: () => ask('history.forward'),
  go: (steps) => ask('history.go', steps),
}

// ---------------------------------------------------------------- the machine

const clipboard = {
  async writeText(text) {
    record('action', { name: 'navigator.clipboard.writeText', args: [text] })
  },
  async write() {},
  readText: () => never('navigator.clipboard.readText'),
  read: () => never('navigator.clipboard.read'),
}

export const navigator = {
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Electron/42.0.0 Safari/537.36',
  appName: 'Netscape',
  appVersion: '5.0 (X11)',
  vendor: 'Google Inc.',
  product: 'Gecko',
  platform: 'Linux x86_64',
  language: 'en-US',
  languages: ['en-US', 'en'],
  onLine: true,
  cookieEnabled: true,
  doNotTrack: null,
  hardwareConcurrency: 8,
  deviceMemory: 8,
  maxTouchPoints: 0,
  pdfViewerEnabled: false,
  webdriver: false,
  userAgentData: { brands: [{ brand: 'Chromium', version: '150' }], mobile: false, platform: 'Linux', getHighEntropyValues: () => never('navigator.userAgentData') },
  clipboard,
  permissions: { query: () => never('navigator.permissions.query') },
  mediaDevices: Object.assign(new EventTarget(), { getUserMedia: () => never('getUserMedia'), getDisplayMedia: () => never('getDisplayMedia'), enumerateDevices: async () => [] }),
  storage: { estimate: async () => ({ quota: 1e9, usage: 0 }), persist: async () => false, persisted: async () => false, getDirectory: async () => new FileSystemDirectoryHandle() },
  connection: Object.assign(new EventTarget(), { effectiveType: '4g', saveData: false, downlink: 10, rtt: 50 }),
  mediaSession: { metadata: null, playbackState: 'none', setActionHandler() {} },
  locks: { request: () => never('navigator.locks.request'), query: async () => ({ held: [], pending: [] }) },
  sendBeacon(url) {
    ask('navigator.sendBeacon', '' + url)
    return true
  },
  share: () => never('navigator.share'),
  canShare: () => false,
  vibrate: () => false,
  getBattery: () => never('navigator.getBattery'),
  getGamepads: () => [],
  javaEnabled: () => false,
}

export const screen = { width: 1920, height: 1080, availWidth: 1920, availHeight: 1040, availLeft: 0, availTop: 0, colorDepth: 24, pixelDepth: 24, orientation: Object.assign(new EventTarget(), { type: 'landscape-primary', angle: 0 }) }
export const visualViewport = Object.assign(new EventTarget(), { width: WIDTH, height: HEIGHT, offsetLeft: 0, offsetTop: 0, pageLeft: 0, pageTop: 0, scale: 1 })

// ---------------------------------------------------------------- media queries

const FEATURES = [
  [/prefers-color-scheme:\s*(\w+)/, ([, scheme]) => scheme === 'dark'],
  [/prefers-reduced-motion:\s*([\w-]+)/, ([, value]) => value === 'no-preference'],
  [/prefers-contrast:\s*([\w-]+)/, ([, value]) => value === 'no-preference'],
  [/min-width:\s*([\d.]+)px/, ([, limit]) => WIDTH >= limit],
  [/max-width:\s*([\d.]+)px/, ([, limit]) => WIDTH <= limit],
  [/min-height:\s*([\d.]+)px/, ([, limit]) => HEIGHT >= limit],
  [/max-height:\s*([\d.]+)px/, ([, limit]) => HEIGHT <= limit],
  [/orientation:\s*(\w+)/, ([, value]) => value === 'landscape'],
  [/pointer:\s*(\w+)/, ([, value]) => value === 'fine'],
  [/hover:\s*(\w+)/, ([, value]) => value === 'hover'],
]

const holds = (part) => FEATURES.every(([pattern, judge]) => {
  const found = pattern.exec(part)
  return found === null || judge(found)
})

/** A dark, wide window with a mouse and no wish for less motion. */
export function matchMedia(query) {
  const media = ('' + query).trim()
  const list = Object.assign(new EventTarget(), { media, matches: media.split(',').some((part) => (/^\s*not\b/.test(part) ? !holds(part) : !/\bprint\b/.test(part) && holds(part))), onchange: null })
  list.addListener = (listener) => list.addEventListener('change', listener)
  list.removeListener = (listener) => list.removeEventListener('change', listener)
  countListeners(list, 'matchMedia')
  return list
}

// ---------------------------------------------------------------- styles

// The theme variables by which plugins draw, with the values of a dark window.
const VARIABLES = { '--ui-text-primary': '#e6e6e6', '--ui-text-secondary': '#b5b8bd', '--ui-text-tertiary': '#8a8d93', '--ui-text-quaternary': '#5f6268', '--ui-stroke-secondary': '#2a2d33', '--ui-accent': '#5b8def', '--ui-bg-editor': '#101113' }

export function getComputedStyle(element) {
  const computed = new StyleText(null)
  computed.read(element?.styleText?.text() ?? '')
  const usual = { display: 'block', position: 'static', visibility: 'visible', opacity: '1', color: 'rgb(230, 230, 230)', 'background-color': 'rgba(0, 0, 0, 0)', 'font-size': '13px', 'font-family': 'sans-serif', 'line-height': '18px', width: '320px', height: '240px', direction: 'ltr', ...VARIABLES }
  for (const name of Object.keys(usual)) if (!computed.values.has(name)) computed.values.set(name, usual[name])
  return computed.face
}

export const CSS = {
  escape: (text) => ('' + text).replace(/[^\w\u0080-\uffff-]/g, (letter) => (letter === '\0' ? '\ufffd' : `\\${letter}`)).replace(/^(-?)(\d)/, (_, dash, digit) => `${dash}\\3${digit} `),
  supports: () => true,
  registerProperty() {},
  px: (value) => ({ value, unit: 'px', toString: () => `${value}px` }),
}

export class CSSStyleSheet {
  cssRules = []

  insertRule(rule, index = 0) {
    this.cssRules.splice(index, 0, { cssText: '' + rule })
    return index
  }

  deleteRule(index) {
    this.cssRules.splice(index, 1)
  }

  replaceSync(text) {
    this.cssRules = [{ cssText: '' + text }]
  }

  async replace(text) {
    this.replaceSync(text)
    return this
  }
}

// ---------------------------------------------------------------- doors

/** The window's own functions and sizes, by name. */
export const windowMembers = {
  innerWidth: WIDTH,
  innerHeight: HEIGHT,
  outerWidth: WIDTH,
  outerHeight: HEIGHT + 28,
  devicePixelRatio: 1,
  scrollX: 0,
  scrollY: 0,
  pageXOffset: 0,
  pageYOffset: 0,
  screenX: 0,
  screenY: 0,
  screenLeft: 0,
  screenTop: 0,
  name: '',
  closed: false,
  opener: null,
  frameElement: null,
  isSecureContext: true,
  crossOriginIsolated: false,
  origin: ORIGIN,
  alert: (text) => ask('alert', text),
  confirm(text) {
    ask('confirm', text)
    return false
  },
  prompt(text) {
    ask('prompt', text)
    return null
  },
  open(url) {
    ask('open', '' + (url ?? ''))
    return null
  },
  close: () => ask('close'),
  print: () => ask('print'),
  stop() {},
  focus() {},
  blur() {},
  moveTo() {},
  resizeTo() {},
  scroll() {},
  scrollTo() {},
  scrollBy() {},
  getSelection: () => document.getSelection(),
  reportError(error) {
    dispatch(globalThis, makeEvent('error', { bubbles: false }))
    console.error(error)
  },
  createImageBitmap: () => never('createImageBitmap'),
  find: () => false,
}
