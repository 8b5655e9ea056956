// From the props of a host element to HTML attributes, by React's rules (compared with react-dom/server in the tests).

import { WORD } from '@@words'

const words = (text) => new Set(text.split(/\s+/).filter(Boolean))

// true or false: the attribute stands there, or it does not.
const BOOLEAN = words(`allowFullScreen async autoFocus autoPlay checked controls default defer disabled disablePictureInPicture
  disableRemotePlayback formNoValidate hidden inert itemScope loop multiple muted noModule noValidate open playsInline
  readOnly required reversed scoped seamless selected`)
// "true" and "false" are values of their own.
const ENUMERATED = words('contentEditable spellCheck draggable value autoReverse externalResourcesRequired focusable preserveAlpha')
const OVERLOADED = words('capture download')
const POSITIVE = words('cols rows size span')
const NUMERIC = words('rowSpan start')
const URLS = words('src href action formAction xlinkHref')
const NEVER = words(`children dangerouslySetInnerHTML defaultValue defaultChecked innerHTML key ref
  suppressContentEditableWarning suppressHydrationWarning`)

const LOWERCASE = words('autoFocus multiple muted tabIndex crossOrigin')
const HYPHENATED = words(`accentHeight alignmentBaseline arabicForm baselineShift capHeight clipPath clipRule
  colorInterpolation colorInterpolationFilters colorProfile colorRendering dominantBaseline enableBackground fillOpacity
  fillRule floodColor floodOpacity fontFamily fontSize fontSizeAdjust fontStretch fontStyle fontVariant fontWeight glyphName
  glyphOrientationHorizontal glyphOrientationVertical horizAdvX horizOriginX imageRendering letterSpacing lightingColor
  markerEnd markerMid markerStart maskType overlinePosition overlineThickness paintOrder pointerEvents renderingIntent
  shapeRendering stopColor stopOpacity strikethroughPosition strikethroughThickness strokeDasharray strokeDashoffset
  strokeLinecap strokeLinejoin strokeMiterlimit strokeOpacity strokeWidth textAnchor textDecoration textRendering
  transformOrigin underlinePosition underlineThickness unicodeBidi unicodeRange unitsPerEm vAlphabetic vHanging vIdeographic
  vMathematical vectorEffect vertAdvY vertOriginX vertOriginY wordSpacing writingMode xHeight acceptCharset httpEquiv`)
const RENAMED = new Map([
  ['className', 'class'],
  ['htmlFor', 'for'],
  ['panose1', 'panose-1'],
  ['xmlnsXlink', 'xmlns:xlink'],
  ...['actuate', 'arcrole', 'href', 'role', 'show', 'title', 'type'].map((name) => [`xlink${capital(name)}`, `xlink:${name}`]),
  ...['base', 'lang', 'space'].map((name) => [`xml${capital(name)}`, `xml:${name}`]),
])

function capital(name) {
  return name[0].toUpperCase() + name.slice(1)
}

const hyphenate = (name) => name.replace(/([A-Z])/g, '-$1').toLowerCase()

function attributeName(name) {
  if (RENAMED.has(name)) return RENAMED.get(name)
  if (HYPHENATED.has(name)) return hyphenate(name)
  return LOWERCASE.has(name) ? name.toLowerCase() : name
}

// The characters that an HTML attribute name may have; anything else could break out of the tag.
const SAFE_NAME = /^[:A-Z_a-z\u00C0-\uD7FF\uF900-\uFFFD][:A-Z_a-z\-.0-9\u00B7-\uD7FF\uF900-\uFFFD]*$/
const SCRIPT_URL = /^[\u0000-\u0020]*j[\t\n\r]*a[\t\n\r]*v[\t\n\r]*a[\t\n\r]*s[\t\n\r]*c[\t\n\r]*r[\t\n\r]*i[\t\n\r]*p[\t\n\r]*t[\t\n\r]*:/i

/** → [name, value] or null. A value of `true` is an attribute without a value. */
function attribute(tag, name, given) {
  const value = typeof given === 'function' ? given[WORD] : given
  if (value === null || value === undefined || typeof value === 'symbol') return null
  if (BOOLEAN.has(name)) return value ? [attributeName(name), true] : null
  if (ENUMERATED.has(name)) return [name, '' + value]
  if (OVERLOADED.has(name)) return value === true ? [name, true] : value === false ? null : [name, '' + value]
  if (POSITIVE.has(name)) return !Number.isNaN(Number(value)) && value >= 1 ? [name, '' + value] : null
  if (NUMERIC.has(name)) return Number.isNaN(Number(value)) ? null : [name, '' + value]
  if (URLS.has(name)) {
    if (typeof value === 'boolean' || (value === '' && name !== 'xlinkHref' && !(tag === 'a' && name === 'href'))) return null
    return [attributeName(name), SCRIPT_URL.test('' + value) ? 'about:blank#blocked' : '' + value]
  }
  const known = attributeName(name)
  if (typeof value === 'boolean' && !/^(data|aria)-/i.test(known)) return null
  return SAFE_NAME.test(known) ? [known, '' + value] : null
}

/** Numbers get `px`, except where CSS wants a bare number. */
const UNITLESS = words(`animationIterationCount aspectRatio borderImageOutset borderImageSlice borderImageWidth boxFlex
  boxFlexGroup boxOrdinalGroup columnCount columns flex flexGrow flexPositive flexShrink flexNegative flexOrder gridArea
  gridRow gridRowEnd gridRowSpan gridRowStart gridColumn gridColumnEnd gridColumnSpan gridColumnStart fontWeight lineClamp
  lineHeight opacity order orphans scale tabSize widows zIndex zoom fillOpacity floodOpacity stopOpacity strokeDasharray
  strokeDashoffset strokeMiterlimit strokeOpacity strokeWidth`)
const VENDOR = /^(Webkit|Moz|ms|O)([A-Z])/

function unitless(name) {
  if (UNITLESS.has(name)) return true
  const bare = name.replace(VENDOR, (_, prefix, letter) => letter.toLowerCase())
  return bare !== name && UNITLESS.has(bare)
}

/** A style object as CSS text: {marginTop: 4} → 'margin-top:4px'. */
export function styleText(style) {
  const parts = []
  for (const name of Object.keys(style)) {
    const value = style[name]
    if (value === null || value === undefined || typeof value === 'boolean' || value === '') continue
    if (name.startsWith('--')) parts.push(`${name}:${('' + value).trim()}`)
    else {
      const text = typeof value === 'number' && value !== 0 && !unitless(name) ? `${value}px` : ('' + value).trim()
      parts.push(`${hyphenate(name).replace(/^ms-/, '-ms-')}:${text}`)
    }
  }
  return parts.join(';')
}

// React leaves tags with a hyphen, the names of SVG and MathML aside, to be custom elements: names as they are.
const NOT_CUSTOM = words(`annotation-xml color-profile font-face font-face-src font-face-uri font-face-format font-face-name missing-glyph`)
const isCustom = (tag) => tag.includes('-') && !NOT_CUSTOM.has(tag)

function customAttribute(name, value) {
  if (name === 'children' || name === 'dangerouslySetInnerHTML' || name === 'ref' || name === 'key') return null
  if (name.startsWith('suppress') || name === 'innerHTML') return null
  if (value === null || value === undefined || value === false || typeof value === 'function' || typeof value === 'symbol') return null
  if (typeof value === 'object' || !SAFE_NAME.test(name)) return null
  return [name === 'className' ? 'class' : name, value === true ? true : '' + value]
}

// What input and button write behind everything else, in this order.
const LAST = { input: ['name', 'checked', 'value'], button: ['name'] }

/** → [[name, value]…] in React's order; `chosen` is the value that a surrounding select shows. */
export function attributesOf(tag, props, chosen) {
  const list = []
  const late = LAST[tag] ?? []
  const custom = isCustom(tag)
  for (const name of Object.keys(props)) {
    if (late.includes(name)) continue
    if (name === 'style') {
      const text = props.style ? styleText(props.style) : ''
      if (text !== '') list.push(['style', text])
      continue
    }
    if (custom) {
      const pair = customAttribute(name, props[name])
      if (pair !== null) list.push(pair)
      continue
    }
    if (NEVER.has(name) || /^on[a-z]/i.test(name)) continue
    if ((tag === 'select' || tag === 'textarea') && name === 'value') continue
    if (tag === 'option' && name === 'selected') continue
    const pair = attribute(tag, name, props[name])
    if (pair !== null) list.push(pair)
  }
  if (tag === 'input') lateInput(list, props)
  if (tag === 'button' && props.name !== undefined) push(list, attribute(tag, 'name', props.name))
  if (tag === 'option' && isSelected(props, chosen)) list.push(['selected', true])
  return list
}

function push(list, pair) {
  if (pair !== null) list.push(pair)
}

function lateInput(list, props) {
  push(list, attribute('input', 'name', props.name))
  push(list, attribute('input', 'checked', props.checked ?? props.defaultChecked))
  push(list, attribute('input', 'value', props.value ?? props.defaultValue))
}

function isSelected(props, chosen) {
  if (chosen === undefined || chosen === null) return Boolean(props.selected)
  const value = props.value ?? textOf(props.children)
  return Array.isArray(chosen) ? chosen.some((one) => '' + one === '' + value) : '' + chosen === '' + value
}

function textOf(children) {
  if (Array.isArray(children)) return children.map(textOf).join('')
  return typeof children === 'string' || typeof children === 'number' ? '' + children : ''
}

/** What a textarea holds, '' when nothing. */
export function textareaText(props) {
  const value = props.value ?? props.defaultValue ?? props.children
  return value === null || value === undefined ? '' : '' + value
}
