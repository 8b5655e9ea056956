// Elements without layout: attributes, classes, data, styles, a plausible box, focus and clicks.

import { awaits } from '@@host'
import { dispatch, makeEvent } from '@@events'
import { parseHtml, serialize } from '@@html-text'
import { DocumentFragment, Node, Text, theDocument } from '@@nodes'
import { matches } from '@@selectors'
import { StyleText } from '@@style'

export class ShadowRoot extends DocumentFragment {
  constructor(host, { mode = 'open' } = {}) {
    super()
    Object.assign(this, { host, mode, adoptedStyleSheets: [] })
  }

  get innerHTML() {
    return this.childNodes.map(serialize).join('')
  }

  set innerHTML(html) {
    this.replaceChildren(...parseHtml('' + html, theDocument))
  }
}

export class Element extends Node {
  constructor(localName, namespaceURI) {
    super(1, namespaceURI === HTML ? localName.toUpperCase() : localName)
    this.localName = localName
    this.namespaceURI = namespaceURI
    this.attributeMap = new Map()
    this.shadowRoot = null
    this.scrollTop = 0
    this.scrollLeft = 0
  }

  get tagName() {
    return this.nodeName
  }

  get prefix() {
    return null
  }

  // ------------------------------------------------------------ attributes

  get attributes() {
    return [...this.attributeMap].map(([name, value]) => ({ name, value, localName: name, ownerElement: this }))
  }

  attributeName(name) {
    return this.namespaceURI === HTML ? ('' + name).toLowerCase() : '' + name
  }

  getAttribute(name) {
    return this.attributeMap.get(this.attributeName(name)) ?? null
  }

  setAttribute(given, value) {
    const name = this.attributeName(given)
    const before = this.getAttribute(name)
    this.attributeMap.set(name, '' + value)
    if (name === 'style') this.styleText.read('' + value)
    // Nothing is fetched here: whoever waits for its load or error event waits for the app.
    if (name === 'src' || (name === 'href' && this.localName === 'link')) awaits(`<${this.localName}> ${value}`)
    this.attributeChanged(name, before, '' + value)
  }

  removeAttribute(given) {
    const name = this.attributeName(given)
    const before = this.getAttribute(name)
    if (before === null) return
    this.attributeMap.delete(name)
    if (name === 'style') this.styleText.read('')
    this.attributeChanged(name, before, null)
  }

  attributeChanged(name, before, after) {
    if (this.constructor.observedAttributes?.includes(name)) this.attributeChangedCallback?.(name, before, after)
  }

  hasAttribute(name) {
    return this.attributeMap.has(this.attributeName(name))
  }

  hasAttributes() {
    return this.attributeMap.size > 0
  }

  getAttributeNames() {
    return [...this.attributeMap.keys()]
  }

  toggleAttribute(name, force) {
    const wanted = force ?? !this.hasAttribute(name)
    if (wanted) this.setAttribute(name, this.getAttribute(name) ?? '')
    else this.removeAttribute(name)
    return wanted
  }

  setAttributeNS(_, name, value) {
    this.setAttribute(('' + name).replace(/^xlink:/, 'xlink:'), value)
  }

  getAttributeNS(_, name) {
    return this.getAttribute(name)
  }

  removeAttributeNS(_, name) {
    this.removeAttribute(name)
  }

  get classList() {
    this.tokens ??= new TokenList(this, 'class')
    return this.tokens
  }

  get className() {
    return this.getAttribute('class') ?? ''
  }

  set className(text) {
    this.setAttribute('class', text)
  }

  get styleText() {
    this.styleHolder ??= new StyleText(this)
    return this.styleHolder
  }

  get style() {
    return this.styleText.face
  }

  set style(text) {
    this.setAttribute('style', text)
  }

  get dataset() {
    this.dataFace ??= datasetOf(this)
    return this.dataFace
  }

  // ------------------------------------------------------------ the tree

  get nextElementSibling() {
    return this.elementSibling(1)
  }

  get previousElementSibling() {
    return this.elementSibling(-1)
  }

  elementSibling(step) {
    const siblings = this.parentNode?.children
    return siblings ? (siblings[siblings.indexOf(this) + step] ?? null) : null
  }

  matches(selector) {
    return matches(this, selector, this.getRootNode())
  }

  closest(selector) {
    for (let at = this; at !== null && at.nodeType === 1; at = at.parentNode) if (at.matches(selector)) return at
    return null
  }

  attachShadow(init) {
    if (this.shadowRoot) throw new DOMException('This element has a shadow root already.', 'NotSupportedError')
    this.shadowRoot = new ShadowRoot(this, init)
    return this.shadowRoot
  }

  get innerHTML() {
    return this.childNodes.map(serialize).join('')
  }

  set innerHTML(html) {
    this.replaceChildren(...parseHtml('' + html, theDocument))
  }

  get outerHTML() {
    return serialize(this)
  }

  set outerHTML(html) {
    this.replaceWith(...parseHtml('' + html, theDocument))
  }

  insertAdjacentHTML(where, html) {
    for (const node of parseHtml('' + html, theDocument)) this.insertAdjacentElement(where, node)
  }

  insertAdjacentText(where, text) {
    this.insertAdjacentElement(where, new Text(text))
  }

  insertAdjacentElement(where, node) {
    if (where === 'beforebegin') this.before(node)
    else if (where === 'afterbegin') this.prepend(node)
    else if (where === 'beforeend') this.append(node)
    else this.after(node)
    return node
  }

  shallowCopy() {
    const copy = theDocument.createElementNS(this.namespaceURI, this.localName)
    for (const [name, value] of this.attributeMap) copy.setAttribute(name, value)
    return copy
  }

  // ------------------------------------------------------------ a plausible box: no layout stands behind it

  getBoundingClientRect() {
    return new DOMRect(0, 0, this.offsetWidth, this.offsetHeight)
  }

  getClientRects() {
    return [this.getBoundingClientRect()]
  }

  get offsetWidth() {
    return 320
  }

  get offsetHeight() {
    return 240
  }

  get clientWidth() {
    return this.offsetWidth
  }

  get clientHeight() {
    return this.offsetHeight
  }

  get scrollWidth() {
    return this.offsetWidth
  }

  get scrollHeight() {
    return this.offsetHeight
  }

  scrollIntoView() {}

  scrollTo(x, y) {
    this.scrollTop = (typeof x === 'object' ? x?.top : y) ?? 0
  }

  scroll(x, y) {
    this.scrollTo(x, y)
  }

  scrollBy() {}

  animate() {
    return { cancel() {}, finish() {}, play() {}, pause() {}, finished: Promise.resolve(), onfinish: null }
  }

  getAnimations() {
    return []
  }

  setPointerCapture() {}

  releasePointerCapture() {}

  hasPointerCapture() {
    return false
  }

  requestFullscreen() {
    return Promise.resolve()
  }

  checkVisibility() {
    return this.isConnected
  }

  focus() {
    if (!this.isConnected || theDocument.activeElement === this) return
    theDocument.activeElement?.blur?.()
    theDocument.focused = this
    dispatch(this, makeEvent('focus'))
    dispatch(this, makeEvent('focusin', { bubbles: true }))
  }

  blur() {
    if (theDocument.focused !== this) return
    theDocument.focused = null
    dispatch(this, makeEvent('blur'))
    dispatch(this, makeEvent('focusout', { bubbles: true }))
  }

  click() {
    if (!this.disabled) dispatch(this, makeEvent('click'))
  }
}

export const HTML = 'http://www.w3.org/1999/xhtml'
export const SVG = 'http://www.w3.org/2000/svg'

export class DOMRect {
  constructor(x = 0, y = 0, width = 0, height = 0) {
    Object.assign(this, { x, y, width, height, left: x, top: y, right: x + width, bottom: y + height })
  }

  toJSON() {
    return { ...this }
  }

  static fromRect({ x, y, width, height } = {}) {
    return new DOMRect(x, y, width, height)
  }
}

class TokenList {
  constructor(element, name) {
    Object.assign(this, { element, name })
  }

  list() {
    return [...new Set((this.element.getAttribute(this.name) ?? '').split(/\s+/).filter(Boolean))]
  }

  write(list) {
    this.element.setAttribute(this.name, list.join(' '))
  }

  add(...names) {
    this.write([...new Set([...this.list(), ...names.map(String)])])
  }

  remove(...names) {
    if (this.element.hasAttribute(this.name)) this.write(this.list().filter((name) => !names.includes(name)))
  }

  toggle(name, force) {
    const wanted = force ?? !this.contains(name)
    if (wanted) this.add(name)
    else this.remove(name)
    return wanted
  }

  replace(old, name) {
    const known = this.contains(old)
    if (known) this.write(this.list().map((one) => (one === old ? name : one)))
    return known
  }

  contains(name) {
    return this.list().includes('' + name)
  }

  item(index) {
    return this.list()[index] ?? null
  }

  forEach(work) {
    this.list().forEach((name, index) => work(name, index, this))
  }

  get length() {
    return this.list().length
  }

  get value() {
    return this.element.getAttribute(this.name) ?? ''
  }

  set value(text) {
    this.element.setAttribute(this.name, text)
  }

  toString() {
    return this.value
  }

  [Symbol.iterator]() {
    return this.list()[Symbol.iterator]()
  }
}

const dataName = (property) => 'data-' + property.replace(/[A-Z]/g, (letter) => '-' + letter.toLowerCase())

function datasetOf(element) {
  return new Proxy(
    {},
    {
      get: (_, name) => (typeof name === 'string' ? (element.getAttribute(dataName(name)) ?? undefined) : undefined),
      set: (_, name, value) => {
        element.setAttribute(dataName('' + name), value)
        return true
      },
      has: (_, name) => typeof name === 'string' && element.hasAttribute(dataName(name)),
      deleteProperty: (_, name) => {
        element.removeAttribute(dataName('' + name))
        return true
      },
      ownKeys: () =>
        element
          .getAttributeNames()
          .filter((name) => name.startsWith('data-'))
          .map((name) => name.slice(5).replace(/-([a-z])/g, (_, letter) => letter.toUpperCase())),
      getOwnPropertyDescriptor: (_, name) => {
        const value = element.getAttribute(dataName('' + name))
        return value === null ? undefined : { value, enumerable: true, configurable: true, writable: true }
      },
    },
  )
}

