// URL and URLSearchParams: the parts of the standard that plugins meet (compared with Node's in the tests).

const PORTS = { 'http:': '80', 'https:': '443', 'ws:': '80', 'wss:': '443', 'ftp:': '21', 'file:': '' }
const isSpecial = (protocol) => protocol in PORTS

const encoder = (unsafe) => (text) => text.replace(unsafe, (letter) => encodeLetter(letter))
const encodeLetter = (letter) => {
  try {
    return encodeURIComponent(letter).replace(/[!'()*]/g, (mark) => '%' + mark.charCodeAt(0).toString(16).toUpperCase())
  } catch {
    return '%EF%BF%BD'
  }
}
const NOT_ASCII = '\\u0000-\\u001f\\u007f-\\uffff'
// A surrogate pair is one letter.
const unsafe = (marks) => new RegExp(`[\\ud800-\\udbff][\\udc00-\\udfff]|[${NOT_ASCII}${marks}]`, 'g')
const encodePath = encoder(unsafe(' "#<>?`{}^'))
const encodeQuery = encoder(unsafe(` "#<>'`))
const encodeOpaque = encoder(unsafe(''))
const encodeHash = encoder(unsafe(' "<>`'))
const encodeUser = encoder(unsafe(' "#<>?`{}/:;=@[\\\\\\]^|'))

const wrong = (text) => new TypeError(`Invalid URL: '${text.slice(0, 80)}'`)

function parseHost(text, special, whole) {
  if (text.startsWith('[')) {
    if (!/^\[[0-9a-f:.]+\]$/i.test(text)) throw wrong(whole)
    return text.toLowerCase()
  }
  if (!special) {
    if (/[\u0000\t\n\r #/<>?@[\\\]^|]/.test(text)) throw wrong(whole)
    return encodeOpaque(text)
  }
  let host
  try {
    host = decodeURIComponent(text).toLowerCase()
  } catch {
    throw wrong(whole)
  }
  if (host === '' || /[\u0000-\u0020"#%/:<>?@[\\\]^`{|}\u007f]/.test(host)) throw wrong(whole)
  return parseIpv4(host, whole)
}

/** '127.1' → '127.0.0.1'; names pass. */
function parseIpv4(host, whole) {
  const parts = host.replace(/\.$/, '').split('.')
  if (!/^(\d+|0x[0-9a-f]*)$/.test(parts[parts.length - 1])) return host
  const numbers = parts.map((part) => {
    if (!/^(0x[0-9a-f]*|\d+)$/.test(part)) throw wrong(whole)
    return part.startsWith('0x') ? parseInt(part.slice(2) || '0', 16) : part.length > 1 && part.startsWith('0') ? parseInt(part, 8) : parseInt(part, 10)
  })
  if (numbers.length > 4 || numbers.some(Number.isNaN)) throw wrong(whole)
  const last = numbers.pop()
  if (numbers.some((number) => number > 255) || last >= 256 ** (4 - numbers.length)) throw wrong(whole)
  const value = numbers.reduce((sum, number, index) => sum + number * 256 ** (3 - index), last)
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.')
}

function normalizePath(path) {
  const out = []
  const parts = path.split('/')
  parts.forEach((part, index) => {
    const plain = part.replace(/%2e/gi, '.')
    const last = index === parts.length - 1
    if (plain === '..') {
      if (out.length > 1) out.pop()
      if (last) out.push('')
    } else if (plain === '.') {
      if (last) out.push('')
    } else out.push(part)
  })
  return out.join('/')
}

/** → the record of a URL's parts. `base` is such a record or null. */
function parse(given, base) {
  const whole = ('' + given).replace(/^[\u0000-\u0020]+|[\u0000-\u0020]+$/g, '').replace(/[\t\n\r]/g, '')
  let rest = whole
  const hashAt = rest.indexOf('#')
  const hash = hashAt < 0 ? '' : '#' + encodeHash(rest.slice(hashAt + 1))
  if (hashAt >= 0) rest = rest.slice(0, hashAt)
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(rest)
  const protocol = scheme ? scheme[1].toLowerCase() + ':' : null
  if (protocol === null && base === null) throw wrong(whole)
  const relativeSame = protocol !== null && base !== null && protocol === base.protocol && isSpecial(protocol) && !/^[a-z0-9+.-]*:[/\\]/i.test(rest)
  if (protocol !== null && !relativeSame) return parseAbsolute(rest.slice(protocol.length), protocol, hash === '#' ? '' : hash, whole)
  return parseRelative(protocol === null ? rest : rest.slice(protocol.length), base, hash === '#' ? '' : hash, whole)
}

function splitQuery(text, special) {
  const at = text.indexOf('?')
  if (at < 0) return [text, '']
  const query = text.slice(at + 1)
  return [text.slice(0, at), query === '' ? '' : '?' + (special ? encodeQuery(query) : encodeQuery(query).replace(/%27/g, "'"))]
}

function parseAbsolute(rest, protocol, hash, whole) {
  const special = isSpecial(protocol)
  const [front, search] = splitQuery(rest, special)
  const slashed = special ? front.replace(/\\/g, '/') : front
  if (!special && !slashed.startsWith('/')) {
    return { protocol, username: '', password: '', host: '', port: '', pathname: encodeOpaque(slashed), search, hash, opaque: true }
  }
  if (!special && !slashed.startsWith('//')) {
    return { protocol, username: '', password: '', host: '', port: '', pathname: normalizePath(encodePath(slashed)), search, hash, opaque: false }
  }
  const bare = protocol === 'file:' ? slashed.replace(/^\/{0,2}/, '') : special ? slashed.replace(/^\/*/, '') : slashed.slice(2)
  const slash = bare.indexOf('/')
  const authority = slash < 0 ? bare : bare.slice(0, slash)
  const path = slash < 0 ? '' : bare.slice(slash)
  const parts = parseAuthority(authority, protocol, special, whole)
  const pathname = normalizePath(encodePath(path))
  return { protocol, ...parts, pathname: special && pathname === '' ? '/' : pathname, search, hash, opaque: false }
}

function parseAuthority(authority, protocol, special, whole) {
  const at = authority.lastIndexOf('@')
  const [user, ...secret] = (at < 0 ? '' : authority.slice(0, at)).split(':')
  const hostAndPort = authority.slice(at + 1)
  const found = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(hostAndPort)
  if (found === null) throw wrong(whole)
  if (protocol === 'file:') return { username: '', password: '', host: hostAndPort === 'localhost' ? '' : hostAndPort === '' ? '' : parseHost(hostAndPort, true, whole), port: '' }
  const [, name, digits = ''] = found
  if (special && name === '') throw wrong(whole)
  if (digits !== '' && Number(digits) > 65535) throw wrong(whole)
  const port = digits === '' ? '' : '' + Number(digits)
  return { username: encodeUser(user), password: encodeUser(secret.join(':')), host: name === '' ? '' : parseHost(name, special, whole), port: port === PORTS[protocol] ? '' : port }
}

function parseRelative(rest, base, hash, whole) {
  if (base.opaque) {
    if (rest === '' && hash !== '') return { ...base, hash }
    throw wrong(whole)
  }
  const special = isSpecial(base.protocol)
  const [front, search] = splitQuery(rest, special)
  const path = special ? front.replace(/\\/g, '/') : front
  if (path.startsWith('//')) return parseAbsolute((special ? rest.replace(/^[/\\]+/, '//') : rest), base.protocol, hash, whole)
  if (path === '') return { ...base, search: rest.startsWith('?') ? search : base.search, hash }
  const start = path.startsWith('/') ? path : base.pathname.slice(0, base.pathname.lastIndexOf('/') + 1) + path
  return { ...base, pathname: normalizePath(encodePath(start)), search, hash }
}

const write = ({ protocol, username, password, host, port, pathname, search, hash, opaque }) => {
  const slashes = opaque || (host === '' && protocol !== 'file:' && !pathname.startsWith('//') && !isSpecial(protocol)) ? '' : '//'
  const user = username === '' && password === '' ? '' : `${username}${password === '' ? '' : `:${password}`}@`
  return `${protocol}${slashes}${user}${host}${port === '' ? '' : `:${port}`}${pathname}${search}${hash}`
}

let objectUrls = 0

export class URL {
  #parts
  #params

  constructor(url, base) {
    this.#parts = parse(url, base === undefined ? null : parse(base, null))
    this.#params = new URLSearchParams(this.#parts.search)
    onChange(this.#params, (text) => {
      this.#parts.search = text === '' ? '' : `?${text}`
    })
  }

  static canParse(url, base) {
    try {
      return Boolean(new URL(url, base))
    } catch {
      return false
    }
  }

  static parse(url, base) {
    return URL.canParse(url, base) ? new URL(url, base) : null
  }

  static createObjectURL() {
    objectUrls += 1
    return `blob:${globalThis.location?.origin ?? 'null'}/00000000-0000-4000-8000-${('' + objectUrls).padStart(12, '0')}`
  }

  static revokeObjectURL() {}

  get href() {
    return write(this.#parts)
  }

  set href(text) {
    this.#parts = parse(text, null)
    this.#readParams()
  }

  get origin() {
    const { protocol, host, port, pathname } = this.#parts
    if (protocol === 'blob:') return URL.canParse(pathname) ? new URL(pathname).origin : 'null'
    return isSpecial(protocol) && protocol !== 'file:' ? `${protocol}//${host}${port === '' ? '' : `:${port}`}` : 'null'
  }

  get protocol() {
    return this.#parts.protocol
  }

  set protocol(text) {
    const name = /^[a-z][a-z0-9+.-]*/i.exec('' + text)?.[0].toLowerCase()
    if (name && isSpecial(name + ':') === isSpecial(this.#parts.protocol)) this.#parts.protocol = name + ':'
  }

  get host() {
    const { host, port } = this.#parts
    return port === '' ? host : `${host}:${port}`
  }

  set host(text) {
    this.#change(`//${text}${this.#parts.pathname}`)
  }

  get hostname() {
    return this.#parts.host
  }

  set hostname(text) {
    if (!this.#parts.opaque) this.#parts.host = parseHost('' + text, isSpecial(this.#parts.protocol), '' + text)
  }

  get port() {
    return this.#parts.port
  }

  set port(text) {
    const digits = /^\d*/.exec('' + text)[0]
    this.#parts.port = digits === PORTS[this.#parts.protocol] ? '' : digits
  }

  get username() {
    return this.#parts.username
  }

  set username(text) {
    this.#parts.username = encodeUser('' + text)
  }

  get password() {
    return this.#parts.password
  }

  set password(text) {
    this.#parts.password = encodeUser('' + text)
  }

  get pathname() {
    return this.#parts.pathname
  }

  set pathname(text) {
    if (!this.#parts.opaque) this.#parts.pathname = normalizePath(encodePath('' + text).replace(/^\/?/, '/'))
  }

  get search() {
    return this.#parts.search
  }

  set search(text) {
    const bare = ('' + text).replace(/^\?/, '')
    this.#parts.search = bare === '' ? '' : '?' + encodeQuery(bare)
    this.#readParams()
  }

  get searchParams() {
    return this.#params
  }

  get hash() {
    return this.#parts.hash
  }

  set hash(text) {
    const bare = ('' + text).replace(/^#/, '')
    this.#parts.hash = bare === '' ? '' : '#' + encodeHash(bare)
  }

  toString() {
    return this.href
  }

  toJSON() {
    return this.href
  }

  #change(rest) {
    const { search, hash } = this.#parts
    this.#parts = { ...parse(this.#parts.protocol + rest, null), search, hash }
  }

  #readParams() {
    replaceAll(this.#params, new URLSearchParams(this.#parts.search))
  }
}

// ---------------------------------------------------------------- URLSearchParams

const decodePlus = (text) => {
  const spaced = text.replace(/\+/g, ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced.replace(/(%[0-9a-f]{2})+/gi, (run) => {
      try {
        return decodeURIComponent(run)
      } catch {
        return '\ufffd'
      }
    })
  }
}
const encodePlus = (text) => text.replace(/[^A-Za-z0-9*\-._]+/g, (run) => (run.isWellFormed ? run.toWellFormed() : run).split(' ').map(encodeURIComponent).join('+').replace(/[!'()~]/g, (mark) => '%' + mark.charCodeAt(0).toString(16).toUpperCase()))

const pairsOf = new WeakMap()
const watchers = new WeakMap()
const onChange = (params, tell) => watchers.set(params, tell)
const replaceAll = (params, other) => pairsOf.set(params, pairsOf.get(other))

export class URLSearchParams {
  constructor(init = '') {
    pairsOf.set(this, readPairs(init))
  }

  get #pairs() {
    return pairsOf.get(this)
  }

  #write(pairs) {
    pairsOf.set(this, pairs)
    watchers.get(this)?.(this.toString())
  }

  append(name, value) {
    this.#write([...this.#pairs, ['' + name, '' + value]])
  }

  delete(name, value) {
    this.#write(this.#pairs.filter(([key, held]) => key !== '' + name || (value !== undefined && held !== '' + value)))
  }

  get(name) {
    return this.#pairs.find(([key]) => key === '' + name)?.[1] ?? null
  }

  getAll(name) {
    return this.#pairs.filter(([key]) => key === '' + name).map(([, value]) => value)
  }

  has(name, value) {
    return this.#pairs.some(([key, held]) => key === '' + name && (value === undefined || held === '' + value))
  }

  set(name, value) {
    const at = this.#pairs.findIndex(([key]) => key === '' + name)
    if (at < 0) this.append(name, value)
    else this.#write(this.#pairs.filter(([key], index) => index <= at || key !== '' + name).map((pair, index) => (index === at ? ['' + name, '' + value] : pair)))
  }

  sort() {
    this.#write([...this.#pairs].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
  }

  forEach(visit, self) {
    for (const [name, value] of this.#pairs) visit.call(self, value, name, this)
  }

  get size() {
    return this.#pairs.length
  }

  keys() {
    return this.#pairs.map(([name]) => name)[Symbol.iterator]()
  }

  values() {
    return this.#pairs.map(([, value]) => value)[Symbol.iterator]()
  }

  entries() {
    return this.#pairs.map((pair) => [...pair])[Symbol.iterator]()
  }

  [Symbol.iterator]() {
    return this.entries()
  }

  toString() {
    return this.#pairs.map(([name, value]) => `${encodePlus(name)}=${encodePlus(value)}`).join('&')
  }
}

function readPairs(init) {
  if (typeof init === 'object' && init !== null) {
    if (typeof init[Symbol.iterator] === 'function') return [...init].map(([name, value]) => ['' + name, '' + value])
    return Object.keys(init).map((name) => [name, '' + init[name]])
  }
  const text = ('' + init).replace(/^\?/, '')
  return text
    .split('&')
    .filter(Boolean)
    .map((part) => {
      const at = part.indexOf('=')
      return at < 0 ? [decodePlus(part), ''] : [decodePlus(part.slice(0, at)), decodePlus(part.slice(at + 1))]
    })
}
