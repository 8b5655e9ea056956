// A small document: real trees of nodes, without layout. Every upward walk ends in null.

import { EventTarget, countListeners, forgetListeners } from '@@events'
import { serialize } from '@@html-text'
import { matches } from '@@selectors'

/** The one document, once it is made: every node belongs to it. */
export let theDocument = null

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

/** Called once with the document that all nodes belong to. */
export function setDocument(made) {
  theDocument = made
  countListeners(made, 'document')
  for (const node of [made.documentElement, made.head, made.body]) countListeners(node, `<${node.localName}>`)
}
