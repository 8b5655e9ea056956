// A small document: real trees of nodes, without layout. Every upward walk ends in null.

import { EventTarget, countListeners, dispatch, forgetListeners, makeEvent } from '@@events'
import { parseHtml, serialize } from '@@html-text'
import { matches } from '@@selectors'
import { StyleText } from '@@style'

let theDocument = null

export class Node extends EventTarget {
  constructor(nodeType, nodeName) {
    super()
    this.nodeType = nodeType
    this.nodeName = nodeName
    this.parentNode = null
    this.childNodes = []
    this.removals = null
  }

  get ownerDocument() {
    return this === theDocument ? null : theDocument
  }

  get parentElement() {
    return this.parentNode?.nodeType === 1 ? this.parentNode : null
  }

  get firstChild() {
    return this.childNodes[0] ?? null
  }

  get lastChild() {
    return this.childNodes[this.childNodes.length - 1] ?? null
  }

  get nextSibling() {
    return this.sibling(1)
  }

  get previousSibling() {
    return this.sibling(-1)
  }

  sibling(step) {
    const siblings = this.parentNode?.childNodes
    return siblings ? (siblings[siblings.indexOf(this) + step] ?? null) : null
  }

  get isConnected() {
    return this.getRootNode({ composed: true }) === theDocument
  }

  getRootNode({ composed = false } = {}) {
    let at = this
    for (;;) {
      const above = at.parentNode ?? (composed ? (at.host ?? null) : null)
      if (above === null) return at
      at = above
    }
  }

  contains(other) {
    for (let at = other; at; at = at.parentNode) if (at === this) return true
    return false
  }

  hasChildNodes() {
    return this.childNodes.length > 0
  }

  appendChild(child) {
    return this.insertBefore(child, null)
  }

  insertBefore(child, before) {
    if (!(child instanceof Node)) throw new TypeError('Only a Node can be inserted into a Node.')
    if (child.contains(this)) throw new DOMException('A node cannot be put into itself.', 'HierarchyRequestError')
    if (child.nodeType === 11) {
      for (const inner of [...child.childNodes]) this.insertBefore(inner, before)
      return child
    }
    child.parentNode?.removeChild(child)
    const index = before === null || before === undefined ? this.childNodes.length : this.childNodes.indexOf(before)
    if (index < 0) throw new DOMException('The reference node is no child of this node.', 'NotFoundError')
    this.childNodes.splice(index, 0, child)
    child.parentNode = this
    if (this.isConnected) eachNode(child, (node) => node.connectedCallback?.())
    return child
  }

  removeChild(child) {
    const index = this.childNodes.indexOf(child)
    if (index < 0) throw new DOMException('The node to remove is no child of this node.', 'NotFoundError')
    const connected = this.isConnected
    this.childNodes.splice(index, 1)
    child.parentNode = null
    if (connected) eachNode(child, leaveDocument)
    return child
  }

  replaceChild(child, old) {
    this.insertBefore(child, old)
    return this.removeChild(old)
  }

  append(...items) {
    items.forEach((item) => this.appendChild(asNode(item)))
  }

  prepend(...items) {
    const first = this.firstChild
    items.forEach((item) => this.insertBefore(asNode(item), first))
  }

  replaceChildren(...items) {
    while (this.firstChild) this.removeChild(this.firstChild)
    this.append(...items)
  }

  remove() {
    this.parentNode?.removeChild(this)
  }

  before(...items) {
    items.forEach((item) => this.parentNode?.insertBefore(asNode(item), this))
  }

  after(...items) {
    const next = this.nextSibling
    items.forEach((item) => this.parentNode?.insertBefore(asNode(item), next))
  }

  replaceWith(...items) {
    this.before(...items)
    this.remove()
  }

  get textContent() {
    return this.childNodes.map((child) => (child.nodeType === 8 ? '' : child.textContent)).join('')
  }

  set textContent(text) {
    this.replaceChildren(...(text === null || text === '' ? [] : ['' + text]))
  }

  get nodeValue() {
    return null
  }

  get children() {
    return this.childNodes.filter((child) => child.nodeType === 1)
  }

  get childElementCount() {
    return this.children.length
  }

  get firstElementChild() {
    return this.children[0] ?? null
  }

  get lastElementChild() {
    const { children } = this
    return children[children.length - 1] ?? null
  }

  querySelectorAll(selector) {
    const found = []
    eachNode(this, (node) => {
      if (node !== this && node.nodeType === 1 && matches(node, selector, this)) found.push(node)
    })
    return found
  }

  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null
  }

  getElementsByTagName(name) {
    return this.querySelectorAll(name)
  }

  getElementsByClassName(names) {
    const wanted = ('' + names).split(/\s+/).filter(Boolean)
    return this.querySelectorAll('*').filter((node) => wanted.every((name) => node.classList.contains(name)))
  }

  cloneNode(deep = false) {
    const copy = this.shallowCopy()
    if (deep) for (const child of this.childNodes) copy.appendChild(child.cloneNode(true))
    return copy
  }

  isEqualNode(other) {
    return other instanceof Node && serialize(this) === serialize(other)
  }

  isSameNode(other) {
    return this === other
  }

  compareDocumentPosition(other) {
    if (this === other) return 0
    if (this.contains(other)) return 20
    if (other.contains(this)) return 10
    let first = null
    eachNode(this.getRootNode(), (node) => {
      if (node === this || node === other) first ??= node
    })
    return first === this ? 4 : 2
  }

  normalize() {}

  eventParent() {
    return this.parentNode ?? this.host ?? null
  }

  /** The name under which a listener counts for the leak report; undefined while the node is nowhere to be seen. */
  countedName() {
    return this.isConnected ? `<${this.nodeName.toLowerCase()}>` : undefined
  }
}
Object.assign(Node, { ELEMENT_NODE: 1, ATTRIBUTE_NODE: 2, TEXT_NODE: 3, COMMENT_NODE: 8, DOCUMENT_NODE: 9, DOCUMENT_FRAGMENT_NODE: 11 })
Object.assign(Node.prototype, { ELEMENT_NODE: 1, TEXT_NODE: 3, COMMENT_NODE: 8, DOCUMENT_NODE: 9, DOCUMENT_FRAGMENT_NODE: 11 })

/** `work` for the node and everything below it, in document order. */
export function eachNode(node, work) {
  work(node)
  for (const child of [...node.childNodes]) eachNode(child, work)
  if (node.shadowRoot) eachNode(node.shadowRoot, work)
}

function leaveDocument(node) {
  forgetListeners(node)
  node.removals?.forEach((done) => done())
  node.removals = null
  node.disconnectedCallback?.()
}

/** Calls `done` when the node leaves the document; → cancel. */
export function onRemoval(node, done) {
  node.removals ??= new Set()
  const { removals } = node
  removals.add(done)
  return () => removals.delete(done)
}

const asNode = (item) => (item instanceof Node ? item : new Text('' + item))

export class CharacterData extends Node {
  constructor(nodeType, nodeName, data) {
    super(nodeType, nodeName)
    this.data = data === undefined ? '' : '' + data
  }

  get nodeValue() {
    return this.data
  }

  set nodeValue(text) {
    this.data = '' + text
  }

  get textContent() {
    return this.data
  }

  set textContent(text) {
    this.data = '' + text
  }

  get length() {
    return this.data.length
  }

  shallowCopy() {
    return new this.constructor(this.data)
  }
}

export class Text extends CharacterData {
  constructor(data) {
    super(3, '#text', data)
  }

  splitText(offset) {
    const rest = new Text(this.data.slice(offset))
    this.data = this.data.slice(0, offset)
    this.parentNode?.insertBefore(rest, this.nextSibling)
    return rest
  }
}

export class Comment extends CharacterData {
  constructor(data) {
    super(8, '#comment', data)
  }
}

export class DocumentFragment extends Node {
  constructor() {
    super(11, '#document-fragment')
  }

  shallowCopy() {
    return new DocumentFragment()
  }

  getElementById(id) {
    return this.querySelectorAll('*').find((node) => node.id === '' + id) ?? null
  }
}

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

/** Called once with the document that all nodes belong to. */
export function setDocument(made) {
  theDocument = made
  countListeners(made, 'document')
  for (const node of [made.documentElement, made.head, made.body]) countListeners(node, `<${node.localName}>`)
}
