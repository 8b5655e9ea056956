// Elements made in code. Text reaches the page through here and nowhere else, and always as text: names and messages
// of plugins are foreign, and no markup is ever parsed for the page itself.

const SVG = 'http://www.w3.org/2000/svg'

/**
 * h('button', {class: 'quiet', on: {click}, 'aria-label': 'Reload'}, 'Reload', icon)
 *
 * `class`, `data` (dataset), `css` (custom properties), `on` (listeners), `text`; booleans set or leave out an attribute;
 * `value`, `checked`, `disabled`, `selected` and `open` are set as properties. null children are left out.
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(props)) set(element, name, value)
  add(element, children)
  return element
}

function set(element, name, value) {
  if (value === null || value === undefined) return
  if (name === 'class') element.className = value
  else if (name === 'text') element.textContent = value
  else if (name === 'data') Object.assign(element.dataset, value)
  else if (name === 'css') for (const [property, set] of Object.entries(value)) element.style.setProperty(property, set)
  else if (name === 'on') for (const [type, listener] of Object.entries(value)) element.addEventListener(type, listener)
  else if (['value', 'checked', 'disabled', 'selected', 'open'].includes(name)) element[name] = value
  else if (value === true) element.setAttribute(name, '')
  else if (value !== false) element.setAttribute(name, String(value))
}

function add(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue
    element.append(child instanceof Node ? child : document.createTextNode(String(child)))
  }
}

/**
 * Gives an element these children instead of those it has. Whoever is in there with the keyboard stays where they are:
 * the focus goes to what is the same thing now, by its name (`data-focus`, `data-id`), else by its words, else its place.
 */
export function fill(element, ...children) {
  const refocus = focusWithin(element)
  element.replaceChildren()
  add(element, children)
  refocus?.()
  return element
}

function focusWithin(element) {
  const before = document.activeElement
  if (before === element || !element.contains(before)) return null
  const { selectionStart = null, selectionEnd = null } = before.matches('textarea') ? before : {}
  const place = placeWithin(element, before)
  const sign = signWithin(element, before)
  return () => {
    const there = place.reduce((found, index) => found?.children[index], element)
    const alike = [...element.querySelectorAll(before.tagName)].filter((one) => signWithin(element, one) === sign)
    const now = before.isConnected ? before : alike.includes(there) ? there : (alike[0] ?? there)
    if (now?.tagName !== before.tagName) return
    now.focus({ preventScroll: true })
    if (selectionStart !== null) now.setSelectionRange(selectionStart, selectionEnd)
  }
}

function placeWithin(element, inside) {
  const place = []
  for (let at = inside; at !== element; at = at.parentElement) place.unshift([...at.parentElement.children].indexOf(at))
  return place
}

function signWithin(element, inside) {
  const named = inside.closest('[data-focus], [data-id]')
  const name = named && element.contains(named) ? (named.dataset.focus ?? named.dataset.id) : null
  const words = name ?? inside.getAttribute('aria-label') ?? inside.getAttribute('href') ?? inside.textContent
  return `${inside.type} ${name === null} ${words}`
}

/** Sets a text only if it is another one, so that nothing is laid out anew for nothing. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text
}

const PATHS = {
  pin: 'M9.5 1.5 14.5 6.5 11.5 8 9 13.5 2.5 7 8 4.5z M5.5 10.5 1.5 14.5',
  copy: 'M5.5 5.5h8v8h-8z M10.5 5.5v-3h-8v8h3',
  reload: 'M13.5 8a5.5 5.5 0 1 1-1.6-3.9 M13.5 1.5v3h-3',
  back: 'M10 2.5 4.5 8l5.5 5.5',
  sun: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6z M8 .8v1.6 M8 13.6v1.6 M.8 8h1.6 M13.6 8h1.6 M2.9 2.9 4 4 M12 12l1.1 1.1 M13.1 2.9 12 4 M4 12l-1.1 1.1',
  moon: 'M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z',
  auto: 'M8 2a6 6 0 1 0 0 12z M8 2a6 6 0 0 1 0 12',
  key: 'M2 4.5h12v7H2z M4.5 7h.01 M7 7h.01 M9.5 7h.01 M12 7h.01 M5 9.3h6',
  pause: 'M5 3v10 M11 3v10',
  play: 'M4.5 2.5 13 8l-8.5 5.5z',
  sort: 'M5 6l3-3 3 3 M5 10l3 3 3-3',
  check: 'M3 8.5 6.5 12 13 4.5',
  cross: 'M4 4l8 8 M12 4l-8 8',
  wait: 'M3.5 8h.01 M8 8h.01 M12.5 8h.01',
}

/** A drawing of 16 by 16, in the colour of the text around it, for the eye alone. */
export function icon(name) {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 16 16')
  svg.setAttribute('class', 'icon')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute('d', PATHS[name])
  svg.append(path)
  return svg
}

const HUES = 24
const slots = new Map()
const taken = new Map()

/** A hue for a plugin: from its id, so the same every day, unless another one has it already. */
export function hueOf(id) {
  let slot = slots.get(id)
  if (slot === undefined) {
    let hash = 2166136261
    for (const letter of id) hash = Math.imul(hash ^ letter.codePointAt(0), 16777619)
    slot = (hash >>> 0) % HUES
    // With more plugins than hues some share one, as evenly as can be.
    const fewest = Math.floor(slots.size / HUES)
    while ((taken.get(slot) ?? 0) > fewest) slot = (slot + 7) % HUES
    slots.set(id, slot)
    taken.set(slot, (taken.get(slot) ?? 0) + 1)
  }
  return slot * (360 / HUES)
}

export function dot(id) {
  return h('span', { class: 'dot', css: { '--hue': hueOf(id) }, 'aria-hidden': 'true' })
}

/** Bytes for people. */
export function size(bytes) {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(bytes < 1e4 ? 1 : 0)} kB`
  return `${(bytes / 1e6).toFixed(1)} MB`
}

/** Milliseconds for people. */
export function ms(value) {
  if (value >= 1000) return `${(value / 1000).toFixed(1)} s`
  return value >= 10 ? `${Math.round(value)} ms` : `${value.toFixed(1)} ms`
}

export function time(iso) {
  const when = new Date(iso)
  return Number.isNaN(when.getTime()) ? '' : when.toLocaleTimeString([], { hour12: false })
}

/** Copies, and says so on the button for a moment. */
export function copyButton(label, text) {
  const words = h('span', {}, label)
  const button = h('button', { type: 'button', class: 'quiet' }, icon('copy'), words)
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'function' ? text() : text)
      say(words, 'Copied')
    } catch {
      say(words, 'Not allowed to copy')
    }
    setTimeout(() => say(words, label), 1500)
  })
  return button
}

/** Prose with `code` in it, as the service writes it: text nodes and code elements, nothing else. */
export function prose(text) {
  return text.split(/`([^`]+)`/).map((part, index) => (index % 2 ? h('code', {}, part) : part))
}

/** What has happened, for those who cannot see it flash. */
export function announce(text) {
  const region = document.getElementById('said')
  if (region) region.textContent = text
}
