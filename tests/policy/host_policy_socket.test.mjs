// The connection of a shell: mounts, answers, ends, over a socket that a test moves by hand.
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'

import { connectSocket, createHostPolicy, putPet } from '../../sdk_stubs/host-policy.js'
import { ROWS, turn } from './host_policy_world.mjs'

class FakeSocket extends EventTarget {
  readyState = 0
  sent = []
  send(text) {
    this.sent.push(JSON.parse(text))
  }
  open() {
    this.readyState = 1
    this.dispatchEvent(new Event('open'))
  }
  close() {
    this.readyState = 3
    this.dispatchEvent(new Event('close'))
  }
  say(frame) {
    this.dispatchEvent(new MessageEvent('message', { data: typeof frame === 'string' ? frame : JSON.stringify(frame) }))
  }
  answer(result, id = this.sent.at(-1).id) {
    this.say({ jsonrpc: '2.0', id, result })
  }
}

function made(mount = { version: '1', focused: true }, handlers = { 'view.showBrowser': () => {} }, answers = {}) {
  const policy = createHostPolicy({ handlers, console: { warn() {} } })
  const socket = new FakeSocket()
  const heard = []
  const connect = () => connectSocket(policy, socket, mount, (method, params) => heard.push([method, params]), answers)
  const { ctx } = policy.forPlugin({ id: 'demo', token: 't' })
  return { policy, socket, heard, connect, ctx, available: () => ctx.runAction('view.showBrowser').ok }
}

async function mounted(...how) {
  const here = made(...how)
  here.link = here.connect()
  here.socket.open()
  here.socket.answer({ shell: 'shell-1', actions: ROWS })
  await here.link.mounted
  return here
}

test('the window mounts when the socket opens, with what it can run, and works once it is answered', async () => {
  const { socket, connect, available, policy } = made()
  const link = connect()
  assert.deepEqual(socket.sent, [])
  socket.open()
  const [frame] = socket.sent
  assert.deepEqual(frame, {
    jsonrpc: '2.0',
    id: 1,
    method: 'shell/mount',
    params: { version: '1', focused: true, actions: ['view.showBrowser'] },
  })
  assert.equal(available(), false)
  socket.answer({ shell: 'shell-1', actions: ROWS })
  assert.deepEqual(await link.mounted, { shell: 'shell-1', actions: ROWS })
  assert.equal(available(), true)
  assert.deepEqual(policy.mountParams(), { actions: ['view.showBrowser'] })
})

test('a socket that is open already is mounted at once', async () => {
  const { socket, connect, available } = made()
  socket.readyState = 1
  const link = connect()
  assert.equal(socket.sent[0].method, 'shell/mount')
  socket.answer({ actions: ROWS })
  await link.mounted
  assert.equal(available(), true)
})

test('a socket that is closed already is away at once', async () => {
  for (const readyState of [2, 3]) {
    const { socket, connect, available } = made()
    socket.readyState = readyState
    const link = connect()
    await assert.rejects(link.mounted, /away/)
    await assert.rejects(link.request('ping'), /away/)
    assert.equal(available(), false)
    assert.deepEqual(socket.sent, [])
  }
})

test('a window that is not let in hears why, and stays away', async () => {
  const { socket, connect, available } = made()
  const link = connect()
  socket.open()
  socket.say({ jsonrpc: '2.0', id: 1, error: { code: -32602, message: 'focused must be true or false' } })
  await assert.rejects(link.mounted, (error) => error.code === -32602 && /focused/.test(error.message))
  assert.equal(available(), false)
})

test('answers go to whoever asked, in any order, and nobody else', async () => {
  const { socket, link } = await mounted()
  const one = link.request('one')
  const two = link.request('two', { a: 1 })
  const [first, second] = socket.sent.slice(-2)
  assert.deepEqual([first.params, second.params], [{}, { a: 1 }])
  socket.answer('second', second.id)
  socket.answer('nobody asked', 999)
  socket.answer('first', first.id)
  socket.answer('first again', first.id)
  assert.deepEqual([await one, await two], ['first', 'second'])
})

test('when the socket closes, whoever waits hears it, and the next one works', async () => {
  const { socket, link, available, policy, ctx } = await mounted()
  policy.receive('pet/lines', { lines: [{ id: 'a', expires_in_ms: 9000 }] })
  const asked = link.request('never')
  socket.close()
  await assert.rejects(asked, /away/)
  await assert.rejects(link.request('later'), /away/)
  assert.equal(available(), false)
  assert.deepEqual(policy.lines.get(), [])
  const next = new FakeSocket()
  connectSocket(policy, next)
  next.open()
  assert.deepEqual(next.sent[0].params, { focused: false, actions: ['view.showBrowser'] })
  next.answer({ actions: ROWS })
  await turn()
  assert.equal(ctx.runAction('view.showBrowser').ok, true)
  // A late word of the old one changes nothing.
  socket.dispatchEvent(new Event('close'))
  socket.dispatchEvent(new Event('error'))
  assert.equal(ctx.runAction('view.showBrowser').ok, true)
})

test('a connection that closes before it opened costs nobody an exception', async () => {
  const { socket, connect } = made()
  const link = connect()
  socket.close()
  await assert.rejects(link.mounted, /away/)
})

test('the service’s requests are answered: its actions, those of the shell, and no others', async () => {
  const ran = []
  const handlers = { 'view.showBrowser': () => ran.push('browser') }
  const { socket } = await mounted(undefined, handlers, {
    'tool/call': async ({ tool }) => `used ${tool}`,
    'tabs/list': () => undefined,
    broken: () => {
      throw new Error('no such tool\u202e.')
    },
  })
  const ask = async (id, method, params) => {
    socket.say({ jsonrpc: '2.0', id, method, params })
    await turn()
    return socket.sent.at(-1)
  }
  const answer = (id, words) => ({ jsonrpc: '2.0', id, ...words })
  assert.deepEqual(await ask('c1', 'action/run', { action: 'view.showBrowser' }), answer('c1', { result: { ok: true } }))
  assert.equal((await ask('c2', 'action/run', { action: 'session.archive' })).result.ok, false)
  assert.deepEqual(ran, ['browser'])
  const used = { ok: true, data: 'used hammer' }
  assert.deepEqual(await ask('c3', 'tool/call', { tool: 'hammer' }), answer('c3', { result: used }))
  assert.deepEqual(await ask(4, 'tabs/list', {}), answer(4, { result: { ok: true, data: null } }))
  assert.deepEqual((await ask('c5', 'broken', {})).result, { ok: false, error: 'no such tool' })
  for (const method of ['constructor', 'toString', '__proto__', 'else']) {
    assert.deepEqual((await ask('c6', method, {})).error, { code: -32601, message: 'no such method' })
  }
})

test('an answer that is ready only after the end goes nowhere', async () => {
  let finish
  const { socket } = await mounted(undefined, undefined, { slow: () => new Promise((resolve) => (finish = resolve)) })
  socket.say({ jsonrpc: '2.0', id: 'c1', method: 'slow', params: {} })
  await turn()
  const before = socket.sent.length
  socket.close()
  finish('late')
  await turn()
  assert.equal(socket.sent.length, before)
})

test('what is told reaches the policy and the shell, and what is no frame reaches nobody', async () => {
  const { socket, heard, ctx } = await mounted()
  socket.say({ jsonrpc: '2.0', method: 'policy/actions', params: { actions: [{ ...ROWS[0], verdict: 'denied' }] } })
  assert.equal(ctx.runAction('view.showBrowser').reason, 'denied')
  const before = socket.sent.length
  for (const frame of ['{', '', 'null', '5', '[]', '{}', '{"id":null}']) socket.say(frame)
  assert.deepEqual(heard.map(([method]) => method), ['policy/actions'])
  assert.equal(socket.sent.length, before)
})

test('without a word of its own the window follows the focus of its page', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const page = { focused: true, activeElement: null, hasFocus: () => page.focused }
  const listeners = new Map()
  Object.assign(globalThis, {
    document: page,
    addEventListener: (type, listener) => listeners.set(type, listener),
    removeEventListener: (type) => listeners.delete(type),
  })
  try {
    const { socket } = await mounted({ version: '1' })
    assert.equal(socket.sent[0].params.focused, true)
    page.focused = false
    listeners.get('blur')()
    mock.timers.tick(1)
    assert.deepEqual([socket.sent.at(-1).method, socket.sent.at(-1).params], ['shell/focus', { focused: false }])
    socket.close()
    assert.equal(listeners.size, 0)
    const fixed = await mounted({ version: '1', focused: false })
    assert.equal(fixed.socket.sent[0].params.focused, false)
    assert.equal(listeners.size, 0)
  } finally {
    for (const name of ['document', 'addEventListener', 'removeEventListener']) delete globalThis[name]
    mock.timers.reset()
  }
})

test('closing the link closes the socket', async () => {
  const { socket, link } = await mounted()
  link.close()
  assert.equal(socket.readyState, 3)
})

test('the pet is put with the token, as JSON', async () => {
  const asked = []
  const put = putPet('http://127.0.0.1:1', 'secret', async (...words) => asked.push(words))
  await put({ visible: true, core_status: 'idle' })
  assert.deepEqual(asked, [
    [
      'http://127.0.0.1:1/v1/pet',
      {
        method: 'PUT',
        headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
        body: '{"visible":true,"core_status":"idle"}',
      },
    ],
  ])
})
