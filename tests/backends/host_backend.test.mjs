// The face that a shell ships, with fetch, WebSocket and the clock faked.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { createHostBackend } from '../../sdk_stubs/host-backend.js'

const URL_ = 'http://127.0.0.1:8787'

class FakeSocket extends EventTarget {
  static made = []
  constructor(url, protocols) {
    super()
    Object.assign(this, { url, protocols, closed: null })
    FakeSocket.made.push(this)
  }
  close(code) {
    this.closed = code
  }
  say(type, fields = {}) {
    this.dispatchEvent(Object.assign(new Event(type), fields))
  }
}

function world(options = {}) {
  FakeSocket.made = []
  const asked = []
  const said = []
  const timers = []
  let nowMs = 0
  const backend = createHostBackend({
    url: URL_,
    fetch: async (url, request) => {
      asked.push([url, request])
      return new Response('{"n":1}', { headers: { 'content-type': 'application/json' } })
    },
    WebSocket: FakeSocket,
    console: { warn: (text) => said.push(text) },
    random: () => 1,
    nowMs: () => nowMs,
    timers: {
      setTimeout: (run, delayMs) => timers.push({ run, delayMs }) && timers.at(-1),
      clearTimeout: (timer) => timers.splice(timers.indexOf(timer), 1),
    },
    ...options,
  })
  const plugin = backend.forPlugin({ id: 'board', token: 'secret' })
  return { ...plugin, asked, said, timers, sockets: FakeSocket.made, pass: (ms) => (nowMs += ms) }
}

test('a call goes to the plugin’s own backend with its own token', async () => {
  const { ctx, asked, timers } = world()
  assert.deepEqual(await ctx.rest('/items?x=1'), { n: 1 })
  assert.deepEqual(await ctx.rest('items', { method: 'PUT', body: { a: 1 }, timeoutMs: 5.5 }), { n: 1 })
  const [[url, get], [, put]] = asked
  assert.equal(url, `${URL_}/api/plugins/board/items?x=1`)
  assert.equal(get.method, 'GET')
  assert.equal(get.headers.authorization, 'Bearer secret')
  assert.equal(put.method, 'PUT')
  assert.equal(put.body, '{"a":1}')
  assert.equal(put.headers['hermes-timeout-ms'], '6')
  assert.equal(put.headers['content-type'], 'application/json')
  assert.equal(timers.length, 0, 'no timer outlives its call')
})

test('an upload is a form with its file', async () => {
  const { ctx, asked } = world()
  await ctx.rest('/import', { upload: { filename: 'a.txt', contentType: 'text/plain', bytes: new Uint8Array([65]) }, body: { k: 1 } })
  const { body, method, headers } = asked[0][1]
  assert.equal(method, 'POST')
  assert.equal(body.get('file').name, 'a.txt')
  assert.equal(await body.get('file').text(), 'A')
  assert.equal(body.get('k'), '1')
  assert.equal(headers['content-type'], undefined, 'the boundary is fetch’s to write')
})

for (const path of ['/../x', '/a/../../x', '/%2e%2e/x', '/.%2E/x', '/%252e%252e/x', '//evil/x', '/a\\..\\x', '/a%5cb', '/a%2fb', '/a\0b', 'http://evil/..', 7, undefined])
  test(`a path that could lead out is not sent: ${JSON.stringify(path)}`, async () => {
    const { ctx, asked, sockets } = world()
    await assert.rejects(ctx.rest(path))
    assert.throws(() => ctx.socket(path, () => {}))
    assert.deepEqual([asked.length, sockets.length], [0, 0])
  })

for (const path of ['/a.b/..c', '/...', '/%25', '/x?to=../..', '/x?u=http://a//b', '/http://evil/x'])
  test(`a plain path passes: ${path}`, async () => {
    const { ctx, asked } = world()
    await ctx.rest(path)
    assert.ok(new URL(asked[0][0]).pathname.startsWith('/api/plugins/board/'))
  })

test('a refusal tells the service’s word from the backend’s', async () => {
  const answers = [
    new Response('{"type":"urn:x:backend-starting","detail":"still starting"}', { status: 503, headers: { 'content-type': 'application/problem+json' } }),
    new Response('{"detail":"no such card"}', { status: 404, headers: { 'content-type': 'application/json' } }),
    new Response('oops', { status: 500 }),
    new Response(null, { status: 204 }),
  ]
  const { ctx } = world({ fetch: async () => answers.shift() })
  await assert.rejects(ctx.rest('/a'), { name: 'BackendError', status: 503, type: 'urn:x:backend-starting', message: '503: still starting' })
  await assert.rejects(ctx.rest('/a'), { status: 404, type: null, message: '404: no such card' })
  await assert.rejects(ctx.rest('/a'), { status: 500, body: 'oops' })
  assert.equal(await ctx.rest('/a'), null)
})

test('a deadline and an unload end a call', async () => {
  const never = (url, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  const { ctx, timers, dispose } = world({ fetch: never })
  const first = ctx.rest('/slow', { timeoutMs: 50 })
  assert.equal(timers[0].delayMs, 50)
  timers[0].run()
  await assert.rejects(first, { status: 504, message: 'no answer within 50 ms' })
  const second = ctx.rest('/slow')
  dispose()
  await assert.rejects(second, { message: 'the plugin was unloaded' })
  await assert.rejects(ctx.rest('/slow'), { message: /no longer running/ })
})

test('messages arrive parsed, and one that throws costs nothing', () => {
  const { ctx, sockets, said } = world()
  const heard = []
  ctx.socket('/events', (data) => {
    heard.push(data)
    if (data === 'bad') throw new Error('mine')
  })
  assert.equal(sockets[0].url, 'ws://127.0.0.1:8787/api/plugins/board/events')
  assert.deepEqual(sockets[0].protocols, ['hermes-plugins.v1', 'bearer.secret'])
  for (const data of ['{"a":1}', 'bad', 'plain']) sockets[0].say('message', { data })
  assert.deepEqual(heard, [{ a: 1 }, 'bad', 'plain'])
  assert.equal(said.length, 1)
})

test('a lost connection comes back, slower each time, and at once after a good one', () => {
  const { ctx, sockets, timers, pass } = world()
  ctx.socket('/events', () => {})
  const pauses = []
  for (let round = 0; round < 8; round += 1) {
    sockets.at(-1).say('close', { code: 1006 })
    pauses.push(timers[0].delayMs)
    timers.shift().run()
  }
  assert.deepEqual(pauses, [500, 1000, 2000, 4000, 8000, 16000, 30000, 30000])
  sockets.at(-1).say('open')
  pass(60_000)
  sockets.at(-1).say('close', { code: 1006 })
  assert.equal(timers[0].delayMs, 500)
  timers.shift().run()
  sockets.at(-1).say('open')
  sockets.at(-1).say('close', { code: 1012 })
  assert.equal(timers[0].delayMs, 500, 'a renewed backend is no failure')
})

test('jitter spreads the windows between half and all of a pause', () => {
  const { ctx, sockets, timers } = world({ random: () => 0 })
  ctx.socket('/events', () => {})
  sockets[0].say('close', { code: 1006 })
  assert.equal(timers[0].delayMs, 250)
})

test('disposer and unload close for good', () => {
  const { ctx, sockets, timers, dispose } = world()
  const heard = []
  const end = ctx.socket('/a', (data) => heard.push(data))
  ctx.socket('/b', () => {})
  end()
  end()
  sockets[0].say('message', { data: 'late' })
  sockets[0].say('close', { code: 1000 })
  assert.deepEqual([heard, sockets[0].closed, timers.length], [[], 1000, 0])
  sockets[1].say('close', { code: 1006 })
  dispose()
  assert.equal(timers.length, 0, 'no connection is made after an unload')
  assert.equal(typeof ctx.socket('/c', () => {}), 'function')
  assert.equal(sockets.length, 2)
})

test('without a service nothing throws and nothing connects', async () => {
  const { ctx, sockets, timers } = world({ url: null })
  await assert.rejects(ctx.rest('/a'), { name: 'BackendError', status: 0 })
  ctx.socket('/a', () => {})()
  assert.deepEqual([sockets.length, timers.length], [0, 0])
  assert.throws(() => ctx.socket('/a', 'no function'), TypeError)
})
