// The document nodes behind rendered host elements: refs, effects and native listeners find real nodes.

import { attributesOf, textareaText } from '@@attributes'
import { HTML, SVG, document } from '@@document'
import { hostChildrenOf } from '@@tree'

/** From a node to the instance that rendered it: events find their handlers this way. */
export const instanceOf = new WeakMap()

const namespaceOf = (instance) => {
  for (let at = instance; at !== null; at = at.parent) {
    if (at.kind !== 'host') continue
    if (at.type === 'svg') return SVG
    if (at.type === 'foreignObject' && at !== instance) return HTML
  }
  return HTML
}

/** Makes or updates the node of a host element or text. */
export function updateNode(instance) {
  if (instance.kind === 'text') {
    instance.node ??= document.createTextNode(instance.element)
    if (instance.node.data !== instance.element) instance.node.data = instance.element
    return
  }
  const { type, props } = instance
  if (instance.shownProps === props) return
  if (instance.node === null) {
    instance.node = document.createElementNS(namespaceOf(instance), type)
    instanceOf.set(instance.node, instance)
  }
  const { node } = instance
  const before = new Set(instance.shownNames ?? [])
  const pairs = attributesOf(type, props)
  for (const [name, value] of pairs) {
    node.setAttribute(name, value === true ? '' : value)
    before.delete(name)
  }
  for (const name of before) node.removeAttribute(name)
  instance.shownNames = pairs.map(([name]) => name)
  showField(node, type, props)
  const html = props.dangerouslySetInnerHTML?.__html
  if (html !== undefined && html !== null && html !== instance.shownProps?.dangerouslySetInnerHTML?.__html) node.innerHTML = html
  instance.shownProps = props
}

/** A controlled field shows what its props say, whatever was typed. */
export function showField(node, type, props) {
  if (type === 'textarea' && props.value === undefined && node.held === undefined) node.textContent = textareaText(props)
  if (props.value !== undefined && props.value !== null && 'value' in node && type !== 'option' && type !== 'button') node.value = props.value
  if (typeof props.checked === 'boolean') node.checked = props.checked
}

/** Puts the nodes below `instance` into its own, in order. Nodes that the plugin added by itself stay. */
export function placeChildren(instance) {
  const parent = instance.node
  const wanted = hostChildrenOf(instance).map((child) => child.node)
  let last = -1
  const ordered = wanted.every((node) => {
    if (node.parentNode !== parent) return false
    const index = parent.childNodes.indexOf(node)
    const later = index > last
    last = index
    return later
  })
  if (ordered) return
  for (const node of wanted) parent.insertBefore(node, null)
}

/** The topmost nodes of an instance. */
export function hostNodesOf(instance) {
  if (instance.node !== null) return [instance.node]
  const found = []
  for (const child of instance.children) found.push(...hostNodesOf(child))
  return found
}

export function removeNodes(nodes) {
  for (const node of nodes) node.remove()
}
