// The element classes that plugins name, subclass or create, and what some tags can do beyond the others.

import { dispatch, makeEvent } from '@@events'
import { canvasContext } from '@@canvas'
import { Element, HTML, SVG } from '@@dom-element'
import { DocumentFragment } from '@@nodes'

const registry = new Map()
const tagOf = new Map()
// The tag under construction: an element's constructor gets no argument, as in the browser.
let making = null

export class HTMLElement extends Element {
  constructor() {
    const tag = making ?? tagOf.get(new.target)
    making = null
    if (tag === undefined) throw new TypeError('Illegal constructor: define the element first with customElements.define().')
    super(tag, HTML)
  }

  get innerText() {
    return this.textContent
  }

  set innerText(text) {
    this.textContent = text
  }

  get tabIndex() {
    return Number(this.getAttribute('tabindex') ?? (/^(a|button|input|select|textarea)$/.test(this.localName) ? 0 : -1))
  }

  set tabIndex(index) {
    this.setAttribute('tabindex', index)
  }

  get offsetTop() {
    return 0
  }

  get offsetLeft() {
    return 0
  }

  get offsetParent() {
    return this.isConnected ? this.ownerDocument.body : null
  }

  get isContentEditable() {
    return /^(|true|plaintext-only)$/.test(this.getAttribute('contenteditable') ?? 'false')
  }

  showPopover() {}

  hidePopover() {}
}

export class SVGElement extends Element {
  get ownerSVGElement() {
    return this.parentNode?.closest?.('svg') ?? null
  }

  getBBox() {
    return this.getBoundingClientRect()
  }

  getTotalLength() {
    return 100
  }

  getPointAtLength() {
    return { x: 0, y: 0 }
  }
}

const reflectText = (Class, ...names) =>
  names.forEach((name) =>
    Object.defineProperty(Class.prototype, name, {
      configurable: true,
      get() {
        return this.getAttribute(attributeFor(name)) ?? ''
      },
      set(value) {
        this.setAttribute(attributeFor(name), value)
      },
    }),
  )
const reflectFlag = (Class, ...names) =>
  names.forEach((name) =>
    Object.defineProperty(Class.prototype, name, {
      configurable: true,
      get() {
        return this.hasAttribute(name)
      },
      set(value) {
        this.toggleAttribute(name, Boolean(value))
      },
    }),
  )
const attributeFor = (name) => ({ htmlFor: 'for', className: 'class', ariaLabel: 'aria-label' })[name] ?? name.toLowerCase()

reflectText(Element, 'id', 'slot', 'role', 'ariaLabel')
reflectText(HTMLElement, 'title', 'lang', 'dir', 'href', 'src', 'alt', 'type', 'name', 'rel', 'target', 'placeholder', 'htmlFor', 'media', 'download', 'contentEditable', 'accessKey', 'autocomplete', 'min', 'max', 'step', 'accept', 'action', 'method')
reflectFlag(HTMLElement, 'hidden', 'inert', 'draggable', 'disabled', 'required', 'readOnly', 'multiple', 'autofocus', 'open', 'async', 'defer')

/** Adds members to a class; getters stay getters. */
const extend = (Class, members) => Object.defineProperties(Class.prototype, Object.getOwnPropertyDescriptors(members))

// What a field holds is not its attribute: it starts with it and goes its own way.
const fieldValue = {
  get value() {
    return this.held ?? this.startValue()
  },
  set value(value) {
    this.held = value === null || value === undefined ? '' : '' + value
  },
  get defaultValue() {
    return this.startValue()
  },
  startValue() {
    return this.localName === 'textarea' ? this.textContent : (this.getAttribute('value') ?? '')
  },
  get form() {
    return this.closest('form')
  },
  selectionStart: 0,
  selectionEnd: 0,
  select() {},
  setSelectionRange(start, end) {
    Object.assign(this, { selectionStart: start, selectionEnd: end })
  },
  setRangeText() {},
  checkValidity: () => true,
  reportValidity: () => true,
  setCustomValidity() {},
  get validity() {
    return { valid: true }
  },
  get labels() {
    return []
  },
}

const HTML_TAGS = {
  HTMLDivElement: 'div',
  HTMLSpanElement: 'span',
  HTMLParagraphElement: 'p',
  HTMLAnchorElement: 'a',
  HTMLButtonElement: 'button',
  HTMLInputElement: 'input',
  HTMLTextAreaElement: 'textarea',
  HTMLSelectElement: 'select',
  HTMLOptionElement: 'option',
  HTMLFormElement: 'form',
  HTMLLabelElement: 'label',
  HTMLImageElement: 'img',
  HTMLCanvasElement: 'canvas',
  HTMLTemplateElement: 'template',
  HTMLStyleElement: 'style',
  HTMLScriptElement: 'script',
  HTMLLinkElement: 'link',
  HTMLMetaElement: 'meta',
  HTMLIFrameElement: 'iframe',
  HTMLDialogElement: 'dialog',
  HTMLDetailsElement: 'details',
  HTMLUListElement: 'ul',
  HTMLLIElement: 'li',
  HTMLTableElement: 'table',
  HTMLHeadElement: 'head',
  HTMLBodyElement: 'body',
  HTMLHtmlElement: 'html',
  HTMLSlotElement: 'slot',
  HTMLProgressElement: 'progress',
}

/** Every class by its global name. */
export const elementClasses = { Element, HTMLElement, SVGElement }
const classOfTag = new Map()

function subclass(name, Base, tag) {
  const made = { [name]: class extends Base {} }
  elementClasses[name] = made[name]
  classOfTag.set(tag, made[name])
  return made[name]
}

for (const name of Object.keys(HTML_TAGS)) subclass(name, HTMLElement, HTML_TAGS[name])

class HTMLMediaElement extends HTMLElement {
  play() {
    return Promise.resolve()
  }

  pause() {}

  load() {}

  canPlayType() {
    return ''
  }
}
Object.assign(HTMLMediaElement.prototype, { paused: true, currentTime: 0, duration: NaN, volume: 1, muted: false, readyState: 0 })
elementClasses.HTMLMediaElement = HTMLMediaElement
subclass('HTMLAudioElement', HTMLMediaElement, 'audio')
subclass('HTMLVideoElement', HTMLMediaElement, 'video')
subclass('SVGSVGElement', SVGElement, 'svg:svg')
subclass('SVGGraphicsElement', SVGElement, 'svg:g')
subclass('SVGPathElement', SVGElement, 'svg:path')
elementClasses.HTMLUnknownElement = class HTMLUnknownElement extends HTMLElement {}

for (const name of ['HTMLInputElement', 'HTMLTextAreaElement', 'HTMLSelectElement']) extend(elementClasses[name], fieldValue)
extend(elementClasses.HTMLInputElement, {
  get checked() {
    return this.heldCheck ?? this.hasAttribute('checked')
  },
  set checked(value) {
    this.heldCheck = Boolean(value)
  },
  files: null,
  get valueAsNumber() {
    return this.value === '' ? NaN : Number(this.value)
  },
  showPicker() {},
})
extend(elementClasses.HTMLSelectElement, {
  get options() {
    return this.querySelectorAll('option')
  },
  get selectedOptions() {
    return this.options.filter((option) => option.value === this.value)
  },
  get selectedIndex() {
    return this.options.findIndex((option) => option.value === this.value)
  },
  add(option, before = null) {
    this.insertBefore(option, typeof before === 'number' ? (this.options[before] ?? null) : before)
  },
  startValue() {
    const { options } = this
    return (options.find((option) => option.hasAttribute('selected')) ?? options[0])?.value ?? ''
  },
})
extend(elementClasses.HTMLOptionElement, {
  get value() {
    return this.getAttribute('value') ?? this.textContent
  },
  set value(value) {
    this.setAttribute('value', value)
  },
  get selected() {
    return this.closest('select')?.value === this.value
  },
  get text() {
    return this.textContent
  },
})
extend(elementClasses.HTMLFormElement, {
  get elements() {
    return this.querySelectorAll('input, select, textarea, button')
  },
  submit() {},
  requestSubmit() {
    dispatch(this, makeEvent('submit'))
  },
  reset() {
    for (const field of this.elements) delete field.held
  },
  checkValidity: () => true,
  reportValidity: () => true,
})
extend(elementClasses.HTMLTemplateElement, {
  get content() {
    this.inside ??= new DocumentFragment()
    return this.inside
  },
  get innerHTML() {
    return this.content.childNodes.map((node) => node.outerHTML ?? node.data).join('')
  },
  set innerHTML(html) {
    const holder = this.ownerDocument.createElement('div')
    holder.innerHTML = html
    this.content.replaceChildren(...holder.childNodes)
  },
})
extend(elementClasses.HTMLCanvasElement, {
  get width() {
    return Number(this.getAttribute('width') ?? 300)
  },
  set width(value) {
    this.setAttribute('width', value)
  },
  get height() {
    return Number(this.getAttribute('height') ?? 150)
  },
  set height(value) {
    this.setAttribute('height', value)
  },
  getContext(kind) {
    if (kind !== '2d') return null
    this.context ??= canvasContext(this)
    return this.context
  },
  toDataURL: () => 'data:image/png;base64,',
  toBlob(callback) {
    callback(new globalThis.Blob([], { type: 'image/png' }))
  },
  captureStream: () => null,
})
reflectText(elementClasses.HTMLMetaElement, 'content')
extend(elementClasses.HTMLDialogElement, {
  show() {
    this.open = true
  },
  showModal() {
    this.open = true
  },
  close(value) {
    this.open = false
    this.returnValue = value ?? ''
    dispatch(this, makeEvent('close', { bubbles: false }))
  },
})
extend(elementClasses.HTMLImageElement, {
  complete: false,
  naturalWidth: 0,
  naturalHeight: 0,
  decode: () => Promise.resolve(),
})
extend(elementClasses.HTMLSlotElement, { assignedNodes: () => [], assignedElements: () => [] })
extend(elementClasses.HTMLStyleElement, { sheet: { cssRules: [], insertRule: () => 0, deleteRule() {} } })
extend(elementClasses.HTMLIFrameElement, { contentWindow: null, contentDocument: null })

/** The element for a tag of the HTML name space: its own class, a defined custom one, or a plain one. */
export function createHtml(name) {
  const tag = ('' + name).toLowerCase()
  if (!/^[a-z][^\s/>]*$/.test(tag)) throw new DOMException(`'${name}' is no valid tag name.`, 'InvalidCharacterError')
  const Class = registry.get(tag) ?? classOfTag.get(tag) ?? HTMLElement
  making = tag
  try {
    return new Class()
  } finally {
    making = null
  }
}

export const createSvg = (name) => new (classOfTag.get(`svg:${name}`) ?? SVGElement)('' + name, SVG)

export const customElements = {
  define(name, Class) {
    if (registry.has(name)) throw new DOMException(`'${name}' is defined already.`, 'NotSupportedError')
    if (!/^[a-z][^\s/>A-Z]*-/.test(name)) throw new DOMException(`'${name}' is no valid custom element name.`, 'SyntaxError')
    registry.set(name, Class)
    tagOf.set(Class, name)
  },
  get: (name) => registry.get(name),
  getName: (Class) => tagOf.get(Class) ?? null,
  whenDefined: (name) => Promise.resolve(registry.get(name)),
  upgrade() {},
}
