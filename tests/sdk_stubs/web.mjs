// Compares our own URL, text codecs and base64 neighbours with those of Node: prints what differs, as one line of JSON.

import './resolve.mjs'

const ours = { ...(await import('@@url')), ...(await import('@@text-codec')), ...(await import('@@clone')) }
const { Intl: OurIntl } = await import('@@intl')

const URLS = [
  ['https://example.org'],
  ['HTTPS://Example.ORG:443/a/../b/./c?x=1#y'],
  ['http://user:pa%20ss@example.org:8080/p a?q=ä&r="x"#h ä'],
  ['//other.org/x', 'https://example.org/a/b'],
  ['/x?y', 'https://example.org/a/b?c#d'],
  ['x/y', 'https://example.org/a/b'],
  ['../../../z', 'https://example.org/a/b/c'],
  ['?q', 'https://example.org/a/b?c#d'],
  ['#h', 'https://example.org/a/b?c#d'],
  ['', 'https://example.org/a/b?c#d'],
  ['https:\\\\example.org\\a\\b'],
  ['https:x', 'https://example.org/a/'],
  ['mailto:a@b.c?subject=x y'],
  ['data:text/plain,hello world'],
  ['javascript:alert(1)'],
  ['blob:https://example.org/1-2-3'],
  ['hermes://index/intent/1?x=1'],
  ['file:///etc/passwd'],
  ['ws://localhost:80/x'],
  ['wss://localhost:8443/x'],
  ['http://127.1/'],
  ['http://0x7f.0.0.1/'],
  ['http://[::1]:3000/x'],
  ['http://exa mple.org/'],
  ['http://'],
  ['http://example.org:99999/'],
  ['not a url'],
  ['/only/path'],
  ['http://example.org/%zz%41'],
  ['http://example.org/a%2Fb/%2e%2e/c'],
  [' \t https://example.org/x \n'],
  ['https://example.org/?a=1&a=2&b=%20+'],
  ['https://example.org/😀?😀#😀'],
  ['https://example.org./'],
  ['https://user@example.org/'],
  ['https://example.org/a//b/'],
  ['https://example.org?x'],
]
const FIELDS = ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash']
const attempt = (work) => {
  try {
    return work()
  } catch (error) {
    return `throws ${error.name}`
  }
}
const differences = []
function compare(what, real, own) {
  const [a, b] = [JSON.stringify(attempt(real)), JSON.stringify(attempt(own))]
  if (a !== b) differences.push([what, a, b])
}
let count = 0
const both = (what, work) => {
  count += 1
  compare(
    what,
    () => work({ URL, URLSearchParams, TextEncoder, TextDecoder, structuredClone }),
    () => work(ours),
  )
}

for (const [url, base] of URLS) {
  both(`URL ${url} ${base ?? ''}`, (web) => {
    const made = new web.URL(url, base)
    return FIELDS.map((field) => made[field])
  })
}
for (const [field, value] of [
  ['hash', 'x y'],
  ['hash', ''],
  ['search', '?a b'],
  ['search', ''],
  ['pathname', 'x/../y z'],
  ['port', '8080'],
  ['port', '443'],
  ['protocol', 'http'],
  ['protocol', 'mailto'],
  ['hostname', 'Other.org'],
  ['host', 'other.org:1'],
  ['username', 'a:b'],
  ['href', 'http://x.y/'],
]) {
  both(`set ${field} = ${value}`, (web) => {
    const url = new web.URL('https://example.org/a/b?c=d#e')
    url[field] = value
    return [url.href, [...url.searchParams]]
  })
}
for (const init of ['?a=1&b=2&a=3', 'x=%C3%A4+b&&=c&d', { a: 1, b: 'x y' }, [['a', 'b&c']], 'a=%zz', 'a=~*()\'!-._&b=ä😀', '']) {
  both(`params ${JSON.stringify(init)}`, (web) => {
    const params = new web.URLSearchParams(init)
    const before = [params.toString(), [...params], params.size, params.get('a'), params.getAll('a'), params.has('b')]
    params.append('z', '1')
    params.set('a', 'new')
    params.delete('b')
    params.sort()
    return [before, params.toString()]
  })
}
both('params and their URL', (web) => {
  const url = new web.URL('https://example.org/?a=1')
  url.searchParams.append('b', 'x y')
  url.searchParams.delete('a')
  return url.href
})

for (const text of ['', 'plain', 'ä€😀', '\ud800x', '\ufeffmark', '\0']) {
  both(`encode ${JSON.stringify(text)}`, (web) => [...new web.TextEncoder().encode(text)])
  both(`encodeInto ${JSON.stringify(text)}`, (web) => {
    const target = new Uint8Array(4)
    return [new web.TextEncoder().encodeInto(text, target), [...target]]
  })
}
for (const bytes of [[104, 105], [0xc3, 0xa4], [0xe2, 0x82], [0xff, 65], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x28, 0xa1], [0xef, 0xbb, 0xbf, 65], [0xf0, 0x9f, 0x41]]) {
  for (const options of [{}, { fatal: true }, { ignoreBOM: true }]) {
    both(`decode ${bytes} ${JSON.stringify(options)}`, (web) => new web.TextDecoder('utf-8', options).decode(new Uint8Array(bytes)))
  }
  both(`decode ${bytes} in pieces`, (web) => {
    const decoder = new web.TextDecoder()
    return bytes.map((byte) => decoder.decode(new Uint8Array([byte]), { stream: true })).join('|') + decoder.decode()
  })
  both(`decode ${bytes} as latin1`, (web) => new web.TextDecoder('latin1').decode(new Uint8Array(bytes.filter((byte) => byte < 0x80 || byte > 0x9f))))
}
both('decode utf-16', (web) => new web.TextDecoder('utf-16le').decode(new Uint8Array([65, 0, 0x3d, 0xd8, 0, 0xde])))
both('unknown label', (web) => new web.TextDecoder('klingon').encoding)

// Intl: the plain English cases that authors meet most.
const when = Date.UTC(2026, 2, 9, 8, 5, 3)
for (const [Class, options, values] of [
  ['NumberFormat', {}, [0, 1234.5678, -5, 1e6, 0.1]],
  ['NumberFormat', { style: 'percent' }, [0.256, 1]],
  ['NumberFormat', { style: 'currency', currency: 'USD' }, [1234.5, -2]],
  ['NumberFormat', { maximumFractionDigits: 1 }, [1.25, 3]],
  ['NumberFormat', { minimumFractionDigits: 2 }, [1, 1.5]],
  ['NumberFormat', { notation: 'compact' }, [999, 1200, 1_500_000]],
  ['DateTimeFormat', { timeZone: 'UTC' }, [when]],
  ['DateTimeFormat', { timeZone: 'UTC', dateStyle: 'medium' }, [when]],
  ['DateTimeFormat', { timeZone: 'UTC', weekday: 'short', month: 'short', day: 'numeric' }, [when]],
  ['DateTimeFormat', { timeZone: 'UTC', year: 'numeric', month: 'long' }, [when]],
  ['DateTimeFormat', { timeZone: 'UTC', year: 'numeric', month: '2-digit', day: '2-digit' }, [when]],
  ['PluralRules', {}, []],
]) {
  for (const value of values) {
    count += 1
    compare(`${Class} ${JSON.stringify(options)} ${value}`, () => new Intl[Class]('en-US', options).format(value), () => new OurIntl[Class]('en-US', options).format(value))
  }
}
// Node writes a narrow space before AM and PM.
const space = (text) => text.replace(/\u202f/g, ' ')
for (const options of [{ hour: 'numeric', minute: '2-digit' }, { hour: '2-digit', minute: '2-digit', hour12: false }, { timeStyle: 'short' }, { hour: 'numeric', minute: '2-digit', second: '2-digit' }]) {
  count += 1
  compare(`time ${JSON.stringify(options)}`, () => space(new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', ...options }).format(when)), () => new OurIntl.DateTimeFormat('en-US', { timeZone: 'UTC', ...options }).format(when))
}
for (const [value, unit] of [[-1, 'day'], [1, 'day'], [0, 'day'], [-3, 'hour'], [2, 'minutes'], [5, 'week']]) {
  for (const numeric of ['auto', 'always']) {
    count += 1
    compare(`ago ${value} ${unit} ${numeric}`, () => new Intl.RelativeTimeFormat('en', { numeric }).format(value, unit), () => new OurIntl.RelativeTimeFormat('en', { numeric }).format(value, unit))
  }
}
for (const list of [[], ['a'], ['a', 'b'], ['a', 'b', 'c']]) {
  for (const type of ['conjunction', 'disjunction']) {
    count += 1
    compare(`list ${list} ${type}`, () => new Intl.ListFormat('en', { type }).format(list), () => new OurIntl.ListFormat('en', { type }).format(list))
  }
}
for (const value of [0, 1, 2, 3, 11, 21, 22, 113]) {
  for (const type of ['cardinal', 'ordinal']) {
    count += 1
    compare(`plural ${value} ${type}`, () => new Intl.PluralRules('en', { type }).select(value), () => new OurIntl.PluralRules('en', { type }).select(value))
  }
}
for (const text of ['abc', 'e\u0301a', '👩‍👧‍👦👍🏽', '🇩🇪🇫🇷', 'a\r\nb', '한국']) {
  count += 1
  compare(`graphemes ${text}`, () => [...new Intl.Segmenter('en').segment(text)].map((one) => one.segment), () => [...new OurIntl.Segmenter('en').segment(text)].map((one) => one.segment))
}
process.stdout.write(`${JSON.stringify({ count, differences })}\n`)
process.exit(0)
