// HTML as text: a small forgiving parser for innerHTML, and the way back. No scripts run, nothing is fetched.

const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
const RAW = /^(script|style|textarea|title)$/i
const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }
const NODE_LIMIT = 20000

export function decodeEntities(text) {
  return text.replace(/&(#x[0-9a-f]+|#[0-9]+|[a-z]+);/gi, (all, name) => {
    if (name[0] !== '#') return ENTITIES[name.toLowerCase()] ?? all
    const code = name[1].toLowerCase() === 'x' ? parseInt(name.slice(2), 16) : parseInt(name.slice(1), 10)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
  })
}

const TOKEN = /<!--([\s\S]*?)(?:-->|$)|<[!?][^>]*(?:>|$)|<\/([a-zA-Z][^\s/>]*)[^>]*(?:>|$)|<([a-zA-Z][^\s/>]*)((?:[^>"']|"[^"]*"|'[^']*')*?)(\/?)(?:>|$)|([^<]+|<)/g
const ATTRIBUTE = /([^\s=/"'<>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g

/** → the top-level nodes of `html`, made by `document`. Unclosed elements end with their parent. */
export function parseHtml(html, document) {
  const top = document.createDocumentFragment()
  const open = [top]
  const here = () => {
    const last = open[open.length - 1]
    return last.localName === 'template' && last.content ? last.content : last
  }
  TOKEN.lastIndex = 0
  let count = 0
  for (let found; (found = TOKEN.exec(html)) !== null && count < NODE_LIMIT; count += 1) {
    const [, comment, closing, opening, attributes, slash, text] = found
    if (comment !== undefined) here().appendChild(document.createComment(comment))
    else if (text !== undefined) here().appendChild(document.createTextNode(decodeEntities(text)))
    else if (closing !== undefined) close(open, closing.toLowerCase())
    else if (opening !== undefined) {
      const element = openElement(document, here(), opening, attributes)
      here().appendChild(element)
      if (RAW.test(opening)) {
        const end = html.toLowerCase().indexOf(`</${opening.toLowerCase()}`, TOKEN.lastIndex)
        const stop = end < 0 ? html.length : end
        const inside = html.slice(TOKEN.lastIndex, stop)
        if (inside !== '') element.appendChild(document.createTextNode(/^(textarea|title)$/i.test(opening) ? decodeEntities(inside) : inside))
        TOKEN.lastIndex = end < 0 ? html.length : html.indexOf('>', end) < 0 ? html.length : html.indexOf('>', end) + 1
      } else if (!VOID.has(opening.toLowerCase()) && !(slash === '/' && element.namespaceURI !== 'http://www.w3.org/1999/xhtml') && open.length < 300) {
        open.push(element)
      }
    }
  }
  const nodes = [...top.childNodes]
  for (const node of nodes) top.removeChild(node)
  return nodes
}

function openElement(document, parent, name, attributes) {
  const svg = name.toLowerCase() === 'svg' || (parent.namespaceURI ?? '').endsWith('/svg')
  const element = svg ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name)
  for (const [, key, double, single, bare] of attributes.matchAll(ATTRIBUTE)) {
    element.setAttribute(key, decodeEntities(double ?? single ?? bare ?? ''))
  }
  return element
}

function close(open, name) {
  for (let index = open.length - 1; index > 0; index -= 1) {
    if (open[index].localName.toLowerCase() === name) {
      open.length = index
      return
    }
  }
}

const escapeText = (text) => text.replace(/[&<>\u00a0]/g, (letter) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '\u00a0': '&nbsp;' })[letter])
const escapeValue = (text) => text.replace(/[&"\u00a0]/g, (letter) => ({ '&': '&amp;', '"': '&quot;', '\u00a0': '&nbsp;' })[letter])

/** What outerHTML gives. */
export function serialize(node) {
  if (node.nodeType === 3) return /^(script|style)$/.test(node.parentNode?.localName ?? '') ? node.data : escapeText(node.data)
  if (node.nodeType === 8) return `<!--${node.data}-->`
  const inside = (node.localName === 'template' ? node.content : node).childNodes.map(serialize).join('')
  if (node.nodeType !== 1) return inside
  const attributes = [...node.attributeMap].map(([name, value]) => ` ${name}="${escapeValue(value)}"`).join('')
  return VOID.has(node.localName) ? `<${node.localName}${attributes}>` : `<${node.localName}${attributes}>${inside}</${node.localName}>`
}
