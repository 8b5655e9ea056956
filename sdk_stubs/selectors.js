// CSS selectors as plugins write them: lists, combinators, tag, id, class, attributes and the common pseudo-classes.
// A pseudo-class that needs layout or input (:hover, :focus-visible) matches nothing.

const SIMPLE = /^(?:\*|([a-zA-Z][\w-]*)|#((?:[\w-]|\\.|[^\x00-\x7f])+)|\.((?:[\w-]|\\.|[^\x00-\x7f])+)|\[\s*([\w:-]+)\s*(?:([~|^$*]?=)\s*(?:"([^"]*)"|'([^']*)'|([^\]\s]+))\s*(?:[iIsS]\s*)?)?\]|(::?)([\w-]+))/

const cache = new Map()

function compile(selector) {
  const known = cache.get(selector)
  if (known !== undefined) return known
  const parsed = splitTop(selector, ',').map((part) => parseComplex(part.trim(), selector))
  if (cache.size < 500) cache.set(selector, parsed)
  return parsed
}

/** Splits at `separator` outside of brackets and quotes. */
function splitTop(text, separator) {
  const parts = ['']
  let depth = 0
  let quote = ''
  for (const letter of text) {
    if (quote) quote = letter === quote ? '' : quote
    else if (letter === '"' || letter === "'") quote = letter
    else if (letter === '(' || letter === '[') depth += 1
    else if (letter === ')' || letter === ']') depth -= 1
    if (letter === separator && depth === 0 && !quote) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts
}

const wrong = (selector) => new DOMException(`'${selector}' is not a valid selector.`, 'SyntaxError')

/** → [{combinator, tests}…] from left to right; the first combinator is ''. */
function parseComplex(text, whole) {
  const steps = []
  let rest = text
  let combinator = ''
  while (rest !== '') {
    const tests = []
    for (;;) {
      const found = SIMPLE.exec(rest)
      if (found === null) break
      rest = rest.slice(found[0].length)
      let argument
      if (found[9] !== undefined && rest.startsWith('(')) {
        const end = closing(rest)
        if (end < 0) throw wrong(whole)
        argument = rest.slice(1, end)
        rest = rest.slice(end + 1)
      }
      tests.push(simpleTest(found, argument))
    }
    if (tests.length === 0) {
      // `> a` counts from the element that was asked (inside :scope and :has).
      if (steps.length > 0 || combinator !== '') throw wrong(whole)
      tests.push((node, scope) => node === scope)
    }
    steps.push({ combinator, tests })
    const between = /^\s*([>+~])\s*|^\s+/.exec(rest)
    if (rest === '') return steps
    if (between === null) throw wrong(whole)
    combinator = between[1] ?? ' '
    rest = rest.slice(between[0].length)
    if (rest === '' && between[1] === undefined) return steps
  }
  throw wrong(whole)
}

function closing(text) {
  let depth = 0
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '(') depth += 1
    if (text[index] === ')' && (depth -= 1) === 0) return index
  }
  return -1
}

const unescape = (name) => name.replace(/\\(.)/g, '$1')

function simpleTest(found, argument) {
  const [, tag, id, className, attribute, operator, double, single, bare, colons, pseudo] = found
  if (tag !== undefined) return (node) => node.localName.toLowerCase() === tag.toLowerCase()
  if (id !== undefined) return (node) => node.getAttribute('id') === unescape(id)
  if (className !== undefined) return (node) => node.classList.contains(unescape(className))
  if (attribute !== undefined) return attributeTest(attribute, operator, double ?? single ?? bare ?? '')
  if (pseudo !== undefined) return colons === '::' ? () => false : pseudoTest(pseudo, argument)
  return () => true
}

function attributeTest(name, operator, wanted) {
  return (node) => {
    const value = node.getAttribute(name)
    if (value === null) return false
    switch (operator) {
      case undefined:
        return true
      case '=':
        return value === wanted
      case '~=':
        return value.split(/\s+/).includes(wanted)
      case '|=':
        return value === wanted || value.startsWith(wanted + '-')
      case '^=':
        return wanted !== '' && value.startsWith(wanted)
      case '$=':
        return wanted !== '' && value.endsWith(wanted)
      default:
        return wanted !== '' && value.includes(wanted)
    }
  }
}

const siblings = (node) => node.parentNode?.children ?? [node]

function pseudoTest(name, argument) {
  switch (name) {
    case 'not':
      return (node, scope) => !matches(node, argument, scope)
    case 'is':
    case 'where':
      return (node, scope) => matches(node, argument, scope)
    case 'has':
      return (node) => node.querySelectorAll('*').some((inner) => matches(inner, argument, node))
    case 'scope':
      return (node, scope) => node === scope
    case 'root':
      return (node) => node.parentNode?.nodeType === 9
    case 'empty':
      return (node) => node.childNodes.length === 0
    case 'first-child':
      return (node) => siblings(node)[0] === node
    case 'last-child':
      return (node) => siblings(node).at(-1) === node
    case 'only-child':
      return (node) => siblings(node).length === 1
    case 'nth-child':
      return (node) => nth(argument, siblings(node).indexOf(node) + 1)
    case 'checked':
      return (node) => node.checked === true
    case 'disabled':
      return (node) => node.disabled === true
    case 'enabled':
      return (node) => node.disabled === false
    case 'focus':
      return (node) => node.ownerDocument?.focused === node
    default:
      return () => false
  }
}

function nth(text, position) {
  const wanted = text.trim().toLowerCase()
  if (wanted === 'odd') return position % 2 === 1
  if (wanted === 'even') return position % 2 === 0
  const found = /^([+-]?\d*)n\s*([+-]\s*\d+)?$/.exec(wanted)
  if (found === null) return Number(wanted) === position
  const step = found[1] === '' || found[1] === '+' ? 1 : found[1] === '-' ? -1 : Number(found[1])
  const start = Number((found[2] ?? '0').replace(/\s/g, ''))
  return step === 0 ? position === start : (position - start) % step === 0 && (position - start) / step >= 0
}

/** Whether the element matches; throws a SyntaxError for what is no selector. */
export function matches(node, selector, scope) {
  return compile('' + selector).some((steps) => matchesSteps(node, steps, steps.length - 1, scope))
}

function matchesSteps(node, steps, index, scope) {
  if (node?.nodeType !== 1 || !steps[index].tests.every((test) => test(node, scope))) return false
  if (index === 0) return true
  switch (steps[index].combinator) {
    case '>':
      return matchesSteps(node.parentNode, steps, index - 1, scope)
    case '+':
      return matchesSteps(node.previousElementSibling, steps, index - 1, scope)
    case '~': {
      for (let at = node.previousElementSibling; at; at = at.previousElementSibling) if (matchesSteps(at, steps, index - 1, scope)) return true
      return false
    }
    default: {
      for (let at = node.parentNode; at; at = at.parentNode) if (matchesSteps(at, steps, index - 1, scope)) return true
      return false
    }
  }
}
