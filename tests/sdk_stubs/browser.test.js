// The globals of a window: there, plausible, deterministic, and silent towards the world.

import '@@browser'
import { advance, reset, seen } from '@@host'
import { equal, ok, rejects, test, throws } from '@@test'

const settle = async () => {
  for (let round = 0; round < 20; round += 1) await null
}

test('the window is the global object', () => {
  ok(window === globalThis && self === window && top === window && document.defaultView === window)
  ok(window instanceof Window && window instanceof EventTarget && !(window instanceof Node))
  equal([innerWidth > 0, devicePixelRatio, isSecureContext], [true, 1, true])
})

test('listeners on the window, media queries and bubbling from the document', () => {
  reset()
  const heard = []
  const listen = (event) => heard.push(event.type)
  window.addEventListener('x', listen)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', listen)
  document.body.dispatchEvent(new Event('x', { bubbles: true }))
  equal([heard, seen.alive.map(({ detail }) => detail)], [['x'], ["window 'x'", "matchMedia 'change'"]])
  window.removeEventListener('x', listen)
  equal(seen.alive.length, 1)
})

test('a dark wide window with a mouse', () => {
  equal(
    ['(prefers-color-scheme: dark)', '(min-width: 600px)', '(max-width: 600px)', '(prefers-reduced-motion: reduce)', 'print', '(hover: hover) and (pointer: fine)', 'not all and (min-width: 10px)'].map((query) => matchMedia(query).matches),
    [true, true, false, false, false, true, false],
  )
})

test('requests are noted and never answered, but can be aborted', async () => {
  reset()
  let answered = false
  fetch('/api/x', { method: 'post' }).then(() => (answered = true))
  const control = new AbortController()
  const aborted = fetch('https://example.org/', { signal: control.signal })
  control.abort()
  await rejects(aborted, /aborted/)
  await rejects(fetch('http://['), /Failed to parse URL/)
  await settle()
  equal([answered, seen.waiting], [false, ['fetch POST https://hermes.invalid/api/x', 'fetch GET https://example.org/']])
  await rejects(fetch('/', { signal: AbortSignal.abort(new Error('before')) }), /before/)
})

test('sockets never open and count until they are closed', () => {
  reset()
  const socket = new WebSocket('wss://example.org/live')
  const source = new EventSource('/events')
  equal([socket.readyState, seen.alive.map(({ kind }) => kind)], [WebSocket.CONNECTING, ['socket', 'socket']])
  let closed = 0
  socket.onclose = () => (closed += 1)
  socket.close()
  source.close()
  advance(1)
  equal([closed, socket.readyState, seen.alive], [1, 3, []])
  throws(() => new WebSocket('ftp://x'), /no address/)
})

test('timeouts of signals run on the fake clock', () => {
  const signal = AbortSignal.timeout(100)
  advance(99)
  equal(signal.aborted, false)
  advance(1)
  equal([signal.aborted, signal.reason.name], [true, 'TimeoutError'])
  equal(AbortSignal.any([new AbortController().signal, signal]).aborted, true)
})

test('storage holds texts, also by name', () => {
  localStorage.setItem('a', 1)
  localStorage.b = 2
  equal([localStorage.getItem('a'), localStorage.b, localStorage.length, Object.keys(localStorage), localStorage.getItem('none'), localStorage.none], ['1', '2', 2, ['a', 'b'], null, undefined])
  delete localStorage.a
  localStorage.clear()
  equal([localStorage.length, sessionStorage === localStorage], [0, false])
})

test('the address can be read; leaving the page is only noted', () => {
  reset()
  location.hash = '#/board'
  history.pushState({ n: 1 }, '', '#/other')
  equal([location.hash, history.state.n], ['#/other', 1])
  location.href = 'https://example.org/'
  equal([location.origin, seen.records.at(-1).value.name], ['https://hermes.invalid', 'window.location'])
})

test('random numbers are the same in every rehearsal and look random', () => {
  const bytes = crypto.getRandomValues(new Uint8Array(64))
  ok(new Set(bytes).size > 30)
  ok(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(crypto.randomUUID()))
  throws(() => crypto.getRandomValues([]), /typed array/)
})

test('blobs, files, readers and forms hold bytes', async () => {
  const blob = new Blob(['aé', new Uint8Array([33])], { type: 'Text/Plain' })
  equal([blob.size, blob.type, await blob.text(), await blob.slice(0, 1).text()], [4, 'text/plain', 'aé!', 'a'])
  const reader = new FileReader()
  let read
  reader.onload = () => (read = reader.result)
  reader.readAsDataURL(new File(['hi'], 'a.txt', { type: 'text/plain' }))
  advance(1)
  equal(read, 'data:text/plain;base64,aGk=')
  const form = new FormData()
  form.append('a', 1)
  form.append('a', 2)
  equal([form.getAll('a'), [...form].length], [['1', '2'], 2])
})

test('headers, requests and responses made by hand can be read', async () => {
  const headers = new Headers({ 'Content-Type': 'a', X: '1' })
  headers.append('x', '2')
  equal([headers.get('content-type'), headers.get('x'), [...headers].length], ['a', '1, 2', 2])
  const response = Response.json({ a: 1 }, { status: 201 })
  equal([response.ok, response.status, await response.json(), response.headers.get('content-type')], [true, 201, { a: 1 }, 'application/json'])
  equal(await new Request('/x', { method: 'PUT', body: 'text' }).text(), 'text')
})

test('data of every kind can be cloned, functions cannot', () => {
  const value = { list: [1, , 3], date: new Date(5), map: new Map([[{ a: 1 }, new Set([2])]]), bytes: new Uint8Array([1, 2]), error: new TypeError('t'), nothing: undefined }
  value.self = value
  const copy = structuredClone(value)
  ok(copy !== value && copy.self === copy && copy.map !== value.map)
  equal([copy.date.getTime(), [...copy.map.values()][0].has(2), [...copy.bytes], copy.error instanceof TypeError, 1 in copy.list], [5, true, [1, 2], true, false])
  throws(() => structuredClone({ f() {} }), /could not be cloned/)
  throws(() => structuredClone(document.body), /could not be cloned/)
})

test('messages between the two ends of a channel arrive later', () => {
  const { port1, port2 } = new MessageChannel()
  const heard = []
  port2.onmessage = (event) => heard.push(event.data)
  port1.postMessage({ n: 1 })
  equal(heard, [])
  advance(1)
  equal(heard, [{ n: 1 }])
  const [one, two] = [new BroadcastChannel('c'), new BroadcastChannel('c')]
  two.onmessage = (event) => heard.push(event.data)
  one.postMessage('all')
  advance(1)
  one.close()
  two.close()
  equal(heard.at(-1), 'all')
})

test('observers see nothing and count while they watch', () => {
  reset()
  for (const Observer of [ResizeObserver, MutationObserver, IntersectionObserver]) {
    const observer = new Observer(() => ok(false))
    observer.observe(document.body)
    observer.observe(document.body)
    equal([seen.alive.length, observer.takeRecords()], [1, []])
    observer.disconnect()
    equal(seen.alive, [])
  }
})

test('computed styles have the variables of the theme', () => {
  const box = Object.assign(document.createElement('div'), { style: 'color: red' })
  const style = getComputedStyle(box)
  equal([style.color, style.display, style.getPropertyValue('--ui-accent').startsWith('#'), style.getPropertyValue('--none')], ['red', 'block', true, ''])
})

test('doors out of the window are noted and closed', () => {
  reset()
  equal([confirm('sure?'), prompt('name?'), open('https://example.org'), alert('hi')], [false, null, null, undefined])
  equal(
    seen.records.map(({ value }) => value.name),
    ['window.confirm', 'window.prompt', 'window.open', 'window.alert'],
  )
})

test('other pages can be parsed, images and sounds made', () => {
  const page = new DOMParser().parseFromString('<title>T</title><body><p class="x">hi</p></body>', 'text/html')
  equal([page.querySelector('p.x').textContent, page.body.children.length], ['hi', 1])
  equal(new XMLSerializer().serializeToString(page.querySelector('p')), '<p class="x">hi</p>')
  equal([new Image(3).localName, new Audio('a.mp3').src, new Option('a').value], ['img', 'a.mp3', 'a'])
})

test('numbers and dates are written as in plain English', () => {
  equal((1234567.891).toLocaleString(), '1,234,567.891')
  equal(new Intl.NumberFormat('en', { notation: 'compact' }).format(1234), '1.2K')
  equal(new Date(0).toLocaleDateString('en', { timeZone: 'UTC', month: 'short', day: 'numeric', year: 'numeric' }), 'Jan 1, 1970')
  equal(['b', 'a', 'B'].sort((x, y) => x.localeCompare(y)), ['a', 'b', 'B'])
  equal([...new Intl.Segmenter().segment('a👩‍👧e\u0301')].map((one) => one.segment), ['a', '👩‍👧', 'e\u0301'])
})

test('upward walks end, nothing is a promise, iteration ends', () => {
  for (const thing of [document, document.body, localStorage, navigator, location, history, screen, document.createElement('div').style, crypto]) equal(thing.then, undefined)
  let steps = 0
  for (let at = document.createElement('div'); at; at = at.parentNode ?? at.host) steps += 1
  equal([steps, [...document.querySelectorAll('nothing')].length], [1, 0])
})
