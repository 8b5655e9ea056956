// The one document: an empty page with html, head and body, as a plugin finds the app's from outside.

import { eventClasses } from '@@events'
import { createHtml, createSvg } from '@@html-elements'
import { HTML, SVG } from '@@dom-element'
import { Comment, DocumentFragment, Node, Text, eachNode, setDocument } from '@@nodes'

export class Document extends Node {
  constructor() {
    super(9, '#document')
    Object.assign(this, { focused: null, cookie: '', referrer: '', readyState: 'complete', contentType: 'text/html', compatMode: 'CSS1Compat' })
    Object.assign(this, { characterSet: 'UTF-8', hidden: false, visibilityState: 'visible', title: 'Hermes', dir: 'ltr', adoptedStyleSheets: [] })
    this.styleSheets = []
    this.fonts = { ready: Promise.resolve(), check: () => true, load: () => Promise.resolve([]), add() {}, addEventListener() {} }
  }

  eventParent() {
    return globalThis
  }

  countedName() {
    return undefined
  }

  get documentElement() {
    return this.childNodes.find((node) => node.nodeType === 1) ?? null
  }

  get head() {
    return this.documentElement?.children.find((node) => node.localName === 'head') ?? null
  }

  get body() {
    return this.documentElement?.children.find((node) => node.localName === 'body') ?? null
  }

  get activeElement() {
    return this.focused?.isConnected ? this.focused : this.body
  }

  get defaultView() {
    return globalThis
  }

  get location() {
    return globalThis.location
  }

  get URL() {
    return globalThis.location.href
  }

  get baseURI() {
    return globalThis.location.href
  }

  get scrollingElement() {
    return this.documentElement
  }

  get forms() {
    return this.querySelectorAll('form')
  }

  get scripts() {
    return this.querySelectorAll('script')
  }

  get images() {
    return this.querySelectorAll('img')
  }

  createElement(name) {
    return createHtml(name)
  }

  createElementNS(namespace, name) {
    return namespace === SVG ? createSvg(name) : createHtml(name)
  }

  createTextNode(data) {
    return new Text(data)
  }

  createComment(data) {
    return new Comment(data)
  }

  createDocumentFragment() {
    return new DocumentFragment()
  }

  createEvent(name) {
    const Class = eventClasses[name] ?? eventClasses[('' + name).replace(/s$/, '')] ?? eventClasses.Event
    return new Class('')
  }

  createRange() {
    return new Range(this)
  }

  createTreeWalker(root, show = 0xffffffff, filter = null) {
    return new TreeWalker(root, show, filter)
  }

  getAnimations() {
    return []
  }

  evaluate() {
    return new XPathEvaluator()
  }

  get implementation() {
    return { createHTMLDocument: (title = '') => new DOMParser().parseFromString(`<title>${title}</title>`, 'text/html'), hasFeature: () => true }
  }

  createNodeIterator(root, show = 0xffffffff, filter = null) {
    return new TreeWalker(root, show, filter)
  }

  importNode(node, deep) {
    return node.cloneNode(deep)
  }

  adoptNode(node) {
    node.remove()
    return node
  }

  getElementById(id) {
    return this.querySelectorAll('*').find((node) => node.id === '' + id) ?? null
  }

  getElementsByName(name) {
    return this.querySelectorAll('*').filter((node) => node.getAttribute('name') === name)
  }

  elementFromPoint() {
    return this.body
  }

  elementsFromPoint() {
    return [this.body, this.documentElement]
  }

  getSelection() {
    return new Selection()
  }

  hasFocus() {
    return true
  }

  execCommand() {
    return false
  }

  queryCommandSupported() {
    return false
  }

  exitFullscreen() {
    return Promise.resolve()
  }

  get fullscreenElement() {
    return null
  }

  write() {}

  open() {
    return this
  }

  close() {}
}

const ACCEPT = 1
const REJECT = 2

export class TreeWalker {
  constructor(root, whatToShow, filter) {
    Object.assign(this, { root, whatToShow, filter, currentNode: root })
  }

  judge(node) {
    if ((this.whatToShow & (1 << (node.nodeType - 1))) === 0) return 3
    const { filter } = this
    if (filter === null || filter === undefined) return ACCEPT
    return typeof filter === 'function' ? filter(node) : filter.acceptNode(node)
  }

  nextNode() {
    let node = this.currentNode
    let judged = ACCEPT
    for (;;) {
      let next = judged === REJECT ? null : node.firstChild
      for (let at = node; next === null; at = at.parentNode) {
        if (at === null || at === this.root) return null
        next = at.nextSibling
      }
      node = next
      judged = this.judge(node)
      if (judged === ACCEPT) {
        this.currentNode = node
        return node
      }
    }
  }

  previousNode() {
    const order = []
    eachNode(this.root, (node) => order.push(node))
    for (let index = order.indexOf(this.currentNode) - 1; index >= 0; index -= 1) {
      if (this.judge(order[index]) === ACCEPT) return (this.currentNode = order[index])
    }
    return null
  }

  step(pick) {
    const node = pick(this.currentNode)
    if (node === null || node === undefined) return null
    this.currentNode = node
    return node
  }

  parentNode() {
    return this.currentNode === this.root ? null : this.step((node) => node.parentNode)
  }

  firstChild() {
    return this.step((node) => node.childNodes.find((child) => this.judge(child) === ACCEPT))
  }

  lastChild() {
    return this.step((node) => node.childNodes.findLast((child) => this.judge(child) === ACCEPT))
  }

  nextSibling() {
    return this.step((node) => node.nextSibling)
  }

  previousSibling() {
    return this.step((node) => node.previousSibling)
  }
}

export const NodeFilter = { FILTER_ACCEPT: 1, FILTER_REJECT: 2, FILTER_SKIP: 3, SHOW_ALL: 0xffffffff, SHOW_ELEMENT: 1, SHOW_TEXT: 4, SHOW_COMMENT: 128 }

export class Range {
  constructor(document) {
    Object.assign(this, { startContainer: document, endContainer: document, startOffset: 0, endOffset: 0, collapsed: true })
    this.commonAncestorContainer = document
  }

  setStart(node, offset) {
    Object.assign(this, { startContainer: node, startOffset: offset })
  }

  setEnd(node, offset) {
    Object.assign(this, { endContainer: node, endOffset: offset })
  }

  selectNode(node) {
    this.setStart(node, 0)
    this.setEnd(node, node.childNodes.length)
  }

  selectNodeContents(node) {
    this.selectNode(node)
  }

  collapse() {
    this.collapsed = true
  }

  deleteContents() {}

  insertNode(node) {
    this.startContainer.appendChild(node)
  }

  createContextualFragment(html) {
    const template = globalThis.document.createElement('template')
    template.innerHTML = html
    return template.content
  }

  getBoundingClientRect() {
    return globalThis.document.body.getBoundingClientRect()
  }

  getClientRects() {
    return []
  }

  cloneRange() {
    return Object.assign(new Range(globalThis.document), this)
  }

  toString() {
    return ''
  }
}

export class Selection {
  get rangeCount() {
    return 0
  }

  get isCollapsed() {
    return true
  }

  get anchorNode() {
    return null
  }

  get focusNode() {
    return null
  }

  getRangeAt() {
    throw new DOMException('Nothing is selected.', 'IndexSizeError')
  }

  removeAllRanges() {}

  addRange() {}

  selectAllChildren() {}

  toString() {
    return ''
  }
}

function emptyPage() {
  const page = new Document()
  // While the page is made, new nodes belong to no document yet.
  const html = createHtml('html')
  html.appendChild(createHtml('head'))
  html.appendChild(createHtml('body'))
  page.childNodes.push(html)
  html.parentNode = page
  setDocument(page)
  return page
}

export const document = emptyPage()
export { HTML, SVG }
