// The committed tree in two forms: the plain nodes of CONTRACT.md, and React's static markup.

import { attributesOf, textareaText } from '@@attributes'
import { VOID_TAGS } from '@@reconcile'
import { formSubmittedBy } from '@@synthetic'

const DEPTH_LIMIT = 200
const NODE_LIMIT = 5000
const TEXT_LIMIT = 2000

/** The host elements and texts below `instance`; fragments, components and hidden parts are flattened away. */
export function hostChildrenOf(instance) {
  const found = []
  const visit = (at) => {
    if (at.hidden) return
    for (const child of at.children) {
      if (child.kind === 'host' || child.kind === 'text') found.push(child)
      else visit(child)
    }
  }
  visit(instance)
  return found
}

const rawHtml = (props) => {
  const html = props.dangerouslySetInnerHTML?.__html
  return html === null || html === undefined ? undefined : '' + html
}

// ---------------------------------------------------------------- plain nodes

/** One node for the root: its only child, or a '#root' with all of them. */
export function treeOf(root) {
  const budget = { left: NODE_LIMIT }
  const children = nodes(hostChildrenOf(root.instance), 0, undefined, budget)
  if (children.length === 1) return children[0]
  return { type: '#root', ref: 0, key: null, props: {}, handlers: [], children }
}

function nodes(instances, depth, chosen, budget) {
  const list = []
  for (const instance of instances) {
    if (depth >= DEPTH_LIMIT || budget.left <= 0) {
      list.push({ type: '#cut', ref: 0, key: null, props: { left: instances.length - list.length }, handlers: [], children: [] })
      break
    }
    budget.left -= 1
    if (instance.kind === 'text') list.push(cut(instance.element))
    else list.push(guardedNode(instance, depth, chosen, budget))
  }
  return list
}

/** Props may be read differently by now than in the commit; a node that cannot be read is left out. */
function guardedNode(instance, depth, chosen, budget) {
  try {
    return plainNode(instance, depth, chosen, budget)
  } catch {
    return { type: '#cut', ref: 0, key: null, props: { left: 1 }, handlers: [], children: [] }
  }
}

function plainNode(instance, depth, chosen, budget) {
  const { type, props } = instance
  const inside = type === 'select' ? (props.value ?? props.defaultValue) : chosen
  const html = rawHtml(props)
  let children
  if (html !== undefined) children = [{ type: '#html', ref: 0, key: null, props: { length: html.length }, handlers: [], children: [] }]
  else if (type === 'textarea') children = textareaText(props) === '' ? [] : [cut(textareaText(props))]
  else children = nodes(hostChildrenOf(instance), depth + 1, inside, budget)
  return {
    type,
    ref: instance.serial,
    key: instance.element.key,
    props: plainProps(instance, chosen),
    handlers: handlersOf(instance),
    children,
  }
}

/** The names of its handlers, and of those that a form around it makes of a button or a field. */
function handlersOf(instance) {
  const { props } = instance
  const names = Object.keys(props).filter((name) => /^on[A-Z]/.test(name) && typeof props[name] === 'function')
  const submits = (type) => typeof formSubmittedBy(instance, type, 'Enter')?.props.onSubmit === 'function'
  if (submits('click') && !names.includes('onClick')) names.push('onClick')
  if (submits('keydown') && !names.includes('onKeyDown')) names.push('onKeyDown')
  return names
}

function plainProps({ type, props }, chosen) {
  const plain = {}
  for (const [name, value] of attributesOf(type, props, chosen)) {
    plain[/^(svg|path|g|circle|rect|line|poly|text|use|defs|linear|radial|clip)/i.test(type) ? name : name.toLowerCase()] = cut(value)
  }
  return plain
}

const cut = (value) => (typeof value === 'string' && value.length > TEXT_LIMIT ? value.slice(0, TEXT_LIMIT - 1) + '…' : value)

// ---------------------------------------------------------------- markup

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' }
const escape = (text) => ('' + text).replace(/[&<>"']/g, (letter) => ESCAPES[letter])

/** What renderToStaticMarkup of react-dom/server gives for the same tree. */
export function markupOf(instance, chosen) {
  return hostChildrenOf(instance)
    .map((child) => (child.kind === 'text' ? escape(child.element) : elementMarkup(child, chosen)))
    .join('')
}

function elementMarkup(instance, chosen) {
  const { type, props } = instance
  const attributes = attributesOf(type, props, chosen).map(([name, value]) => ` ${name}="${value === true ? '' : escape(value)}"`)
  const open = `<${type}${attributes.join('')}`
  if (VOID_TAGS.has(type)) return `${open}/>`
  let inside = rawHtml(props)
  if (inside === undefined) {
    inside = type === 'textarea' ? escape(textareaText(props)) : markupOf(instance, type === 'select' ? (props.value ?? props.defaultValue) : chosen)
  }
  // A first line end in these is swallowed by the HTML parser, so it is written twice.
  if (/^(pre|textarea|listing)$/.test(type) && inside.startsWith('\n')) inside = '\n' + inside
  return `${open}>${inside}</${type}>`
}
