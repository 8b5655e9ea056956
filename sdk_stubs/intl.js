// Intl in plain English: the engine has none. Texts are plausible, not exact; the shapes are the real ones.

const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')
const two = (number) => ('' + number).padStart(2, '0')

/** What every formatter has. */
class Formatter {
  constructor(locale, options) {
    this.options = { ...options }
    Object.defineProperty(this, 'options', { enumerable: false })
    // `list.map(formatter.format)` is common.
    this.format = this.format.bind(this)
  }

  static supportedLocalesOf(locales) {
    return [].concat(locales ?? [])
  }

  resolvedOptions() {
    return { locale: 'en-US', numberingSystem: 'latn', calendar: 'gregory', timeZone: 'UTC', ...this.options }
  }
}

class NumberFormat extends Formatter {
  format(value) {
    return this.formatToParts(value).map((part) => part.value).join('')
  }

  formatToParts(given) {
    const { style, notation, currency, unit, signDisplay } = this.options
    const number = Number(given)
    if (Number.isNaN(number)) return [{ type: 'nan', value: 'NaN' }]
    const scaled = style === 'percent' ? number * 100 : number
    const [short, suffix] = notation === 'compact' ? compact(scaled) : [scaled, '']
    const text = Number.isFinite(short) ? grouped(Math.abs(short), this.#digits(notation, suffix), this.options.useGrouping) : '∞'
    const [whole, fraction] = text.split('.')
    const parts = []
    if (short < 0 || Object.is(short, -0)) parts.push({ type: 'minusSign', value: '-' })
    else if (signDisplay === 'always' || (signDisplay === 'exceptZero' && short > 0)) parts.push({ type: 'plusSign', value: '+' })
    if (style === 'currency') parts.push({ type: 'currency', value: { USD: '$', EUR: '€', GBP: '£', JPY: '¥' }[currency] ?? `${currency} ` })
    parts.push({ type: 'integer', value: whole })
    if (fraction !== undefined) parts.push({ type: 'decimal', value: '.' }, { type: 'fraction', value: fraction })
    if (suffix) parts.push({ type: 'compact', value: suffix })
    if (style === 'percent') parts.push({ type: 'percentSign', value: '%' })
    if (style === 'unit') parts.push({ type: 'literal', value: ' ' }, { type: 'unit', value: unit })
    return parts
  }

  #digits(notation, suffix) {
    const { style, currency, minimumFractionDigits, maximumFractionDigits } = this.options
    const usual = style === 'currency' ? (currency === 'JPY' ? 0 : 2) : 0
    const least = minimumFractionDigits ?? Math.min(usual, maximumFractionDigits ?? usual)
    const usualMost = style === 'currency' ? usual : style === 'percent' ? 0 : notation === 'compact' ? (suffix ? 1 : 0) : 3
    return [least, Math.max(least, maximumFractionDigits ?? usualMost)]
  }
}

function compact(value) {
  for (const [limit, letter] of [
    [1e12, 'T'],
    [1e9, 'B'],
    [1e6, 'M'],
    [1e3, 'K'],
  ]) {
    if (Math.abs(value) >= limit) return [value / limit, letter]
  }
  return [value, '']
}

function grouped(value, [least, most], useGrouping) {
  const [whole, fraction = ''] = value.toFixed(Math.min(20, most)).split('.')
  const kept = fraction.replace(/0+$/, '').padEnd(least, '0')
  const digits = useGrouping === false ? whole : whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return kept === '' ? digits : `${digits}.${kept}`
}

class DateTimeFormat extends Formatter {
  format(value) {
    return this.formatToParts(value).map((part) => part.value).join('')
  }

  formatToParts(value) {
    const date = value === undefined ? new Date() : new Date(value)
    if (Number.isNaN(date.getTime())) throw new RangeError('Invalid time value')
    const wanted = withStyles(this.options)
    const day = dateParts(date, wanted)
    const time = timeParts(date, wanted)
    return day.length && time.length ? [...day, { type: 'literal', value: ', ' }, ...time] : [...day, ...time]
  }

  formatRange(start, end) {
    return `${this.format(start)} – ${this.format(end)}`
  }
}

const DATE_STYLES = {
  full: { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' },
  long: { month: 'long', day: 'numeric', year: 'numeric' },
  medium: { month: 'short', day: 'numeric', year: 'numeric' },
  short: { month: 'numeric', day: 'numeric', year: '2-digit' },
}
const TIME_STYLES = { full: { hour: 'numeric', minute: '2-digit', second: '2-digit' }, short: { hour: 'numeric', minute: '2-digit' } }

function withStyles(options) {
  const { dateStyle, timeStyle } = options
  const wanted = { ...options, ...DATE_STYLES[dateStyle], ...(timeStyle ? (TIME_STYLES[timeStyle] ?? TIME_STYLES.full) : {}) }
  const fields = ['weekday', 'year', 'month', 'day', 'hour', 'minute', 'second', 'fractionalSecondDigits', 'dayPeriod', 'timeZoneName']
  return fields.some((field) => wanted[field] !== undefined) ? wanted : { ...wanted, year: 'numeric', month: 'numeric', day: 'numeric' }
}

const utc = (options) => (options.timeZone === 'UTC' ? 'UTC' : '')
const literal = (value) => ({ type: 'literal', value })

function dateParts(date, options) {
  const zone = utc(options)
  const month = date[`get${zone}Month`]()
  const number = date[`get${zone}Date`]()
  const year = options.year && { type: 'year', value: options.year === '2-digit' ? ('' + date[`get${zone}FullYear`]()).slice(-2) : '' + date[`get${zone}FullYear`]() }
  const day = options.day && { type: 'day', value: options.day === '2-digit' ? two(number) : '' + number }
  const name = DAYS[date[`get${zone}Day`]()]
  const weekday = options.weekday && { type: 'weekday', value: options.weekday === 'long' ? name : options.weekday === 'narrow' ? name[0] : name.slice(0, 3) }
  const spelled = options.month === 'long' || options.month === 'short' || options.month === 'narrow'
  const monthPart = options.month && {
    type: 'month',
    value: options.month === 'long' ? MONTHS[month] : options.month === 'short' ? MONTHS[month].slice(0, 3) : options.month === 'narrow' ? MONTHS[month][0] : options.month === '2-digit' ? two(month + 1) : '' + (month + 1),
  }
  const list = []
  const add = (part, glue) => part && list.push(...(list.length ? [literal(glue)] : []), part)
  add(weekday, ', ')
  add(monthPart, weekday ? ', ' : ' ')
  add(day, monthPart ? (spelled ? ' ' : '/') : ' ')
  add(year, spelled ? (day ? ', ' : ' ') : '/')
  return list
}

function timeParts(date, options) {
  const zone = utc(options)
  const { hour, minute, second, hour12, hourCycle } = options
  if (!hour && !minute && !second) return []
  const hours = date[`get${zone}Hours`]()
  const twelve = hour12 ?? !(hourCycle === 'h23' || hourCycle === 'h24')
  const shown = twelve ? (hours % 12 === 0 ? 12 : hours % 12) : hours
  const list = []
  const add = (part) => list.push(...(list.length ? [literal(':')] : []), part)
  if (hour) add({ type: 'hour', value: hour === '2-digit' || !twelve ? two(shown) : '' + shown })
  if (minute) add({ type: 'minute', value: hour ? two(date[`get${zone}Minutes`]()) : '' + date[`get${zone}Minutes`]() })
  if (second) add({ type: 'second', value: two(date[`get${zone}Seconds`]()) })
  if (hour && twelve) list.push(literal(' '), { type: 'dayPeriod', value: hours < 12 ? 'AM' : 'PM' })
  return list
}

class RelativeTimeFormat extends Formatter {
  format(value, unit) {
    const name = ('' + unit).replace(/s$/, '')
    const size = Math.abs(value)
    if (this.options.numeric === 'auto' && name === 'day' && size <= 1) return value === 0 ? 'today' : value < 0 ? 'yesterday' : 'tomorrow'
    if (this.options.numeric === 'auto' && size === 0) return name === 'second' ? 'now' : `this ${name}`
    const words = `${new NumberFormat().format(size)} ${name}${size === 1 ? '' : 's'}`
    return value < 0 || Object.is(value, -0) ? `${words} ago` : `in ${words}`
  }

  formatToParts(value, unit) {
    return [literal(this.format(value, unit))]
  }
}

class PluralRules extends Formatter {
  format() {
    return ''
  }

  select(value) {
    if (this.options.type !== 'ordinal') return Number(value) === 1 ? 'one' : 'other'
    const [tens, ones] = [value % 100, value % 10]
    if (tens >= 11 && tens <= 13) return 'other'
    return { 1: 'one', 2: 'two', 3: 'few' }[ones] ?? 'other'
  }
}

class ListFormat extends Formatter {
  format(items) {
    const list = [...items]
    const joint = this.options.type === 'disjunction' ? 'or' : 'and'
    if (list.length < 2) return list.join('')
    if (this.options.type === 'unit') return list.join(', ')
    return list.length === 2 ? list.join(` ${joint} `) : `${list.slice(0, -1).join(', ')}, ${joint} ${list.at(-1)}`
  }

  formatToParts(items) {
    return [literal(this.format(items))]
  }
}

class Collator extends Formatter {
  constructor(locale, options) {
    super(locale, options)
    this.compare = this.compare.bind(this)
  }

  format() {
    return ''
  }

  compare(first, second) {
    const { numeric, sensitivity } = this.options
    const fold = (text) => (sensitivity === 'base' || sensitivity === 'accent' ? ('' + text).toLowerCase() : '' + text)
    const [a, b] = [fold(first), fold(second)]
    if (numeric) {
      const [left, right] = [a.match(/\d+|\D+/g) ?? [], b.match(/\d+|\D+/g) ?? []]
      for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
        const difference = Number(left[index]) - Number(right[index])
        if (difference) return Math.sign(difference)
        if (left[index] !== right[index]) return order(left[index], right[index])
      }
    }
    return order(a, b)
  }
}

function order(a, b) {
  const [low, high] = [a.toLowerCase(), b.toLowerCase()]
  if (low !== high) return low < high ? -1 : 1
  // Of equal words the one in small letters comes first.
  return a === b ? 0 : a > b ? -1 : 1
}

class Segmenter extends Formatter {
  format() {
    return ''
  }

  segment(text) {
    const pattern = this.options.granularity === 'word' ? /[\p{L}\p{N}_']+|\s+|[^\p{L}\p{N}\s]/gu : this.options.granularity === 'sentence' ? /[^.!?]+[.!?]*\s*/g : /\r\n|(?:\p{RI}\p{RI}|\p{Emoji}(?:\p{EMod}|\u{FE0F}\u{20E3}?)?(?:\u{200D}\p{Emoji}(?:\p{EMod}|\u{FE0F})?)*|.)\p{M}*/gsu
    const segments = [...('' + text).matchAll(pattern)].map((found) => ({ segment: found[0], index: found.index, input: text, isWordLike: /[\p{L}\p{N}]/u.test(found[0]) }))
    return { containing: (index) => segments.findLast((one) => one.index <= index), [Symbol.iterator]: () => segments[Symbol.iterator]() }
  }
}

class DisplayNames extends Formatter {
  format(code) {
    return this.of(code)
  }

  of(code) {
    return { en: 'English', de: 'German', fr: 'French', es: 'Spanish', ja: 'Japanese', zh: 'Chinese', US: 'United States', DE: 'Germany', USD: 'US Dollar', EUR: 'Euro' }[code] ?? '' + code
  }
}

class Locale {
  constructor(tag = 'en-US') {
    const [language, region] = ('' + tag).split('-')
    Object.assign(this, { baseName: '' + tag, language, region, calendar: 'gregory', numberingSystem: 'latn' })
  }

  getWeekInfo() {
    return { firstDay: 7, weekend: [6, 7], minimalDays: 1 }
  }

  getTextInfo() {
    return { direction: /^(ar|fa|he|ur)$/.test(this.language) ? 'rtl' : 'ltr' }
  }

  maximize() {
    return this
  }

  minimize() {
    return this
  }

  toString() {
    return this.baseName
  }
}

/** Intl's constructors may be called without `new`. */
const callable = (Class) =>
  new Proxy(Class, {
    apply: (_, __, args) => new Class(...args),
  })

export const Intl = {
  Collator: callable(Collator),
  DateTimeFormat: callable(DateTimeFormat),
  DisplayNames,
  ListFormat,
  Locale,
  NumberFormat: callable(NumberFormat),
  PluralRules,
  RelativeTimeFormat,
  Segmenter,
  getCanonicalLocales: (locales) => [].concat(locales ?? []),
  supportedValuesOf: () => [],
}

/** The methods of Date, Number and String that take locales. */
export function installLocaleMethods() {
  const method = (prototype, name, value) => Object.defineProperty(prototype, name, { value, writable: true, configurable: true })
  const DATE = { year: 'numeric', month: 'numeric', day: 'numeric' }
  const TIME = { hour: 'numeric', minute: '2-digit', second: '2-digit' }
  const asked = (options, usual) => (options && Object.keys(options).some((key) => !/^(timeZone|hour12|hourCycle)$/.test(key)) ? options : { ...options, ...usual })
  const write = (usual) =>
    function (locale, options) {
      return Number.isNaN(this.getTime()) ? 'Invalid Date' : new DateTimeFormat(locale, asked(options, usual)).format(this)
    }
  method(Date.prototype, 'toLocaleDateString', write(DATE))
  method(Date.prototype, 'toLocaleTimeString', write(TIME))
  method(Date.prototype, 'toLocaleString', write({ ...DATE, ...TIME }))
  method(Number.prototype, 'toLocaleString', function (locale, options) {
    return new NumberFormat(locale, options).format(this)
  })
  method(String.prototype, 'localeCompare', function (other, locale, options) {
    return new Collator(locale, options).compare('' + this, '' + other)
  })
}
