// The face that a shell ships: what it promises to plugins and to the shell.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { ROWS, connected, turn, world } from './host_policy_world.mjs'

test('an allowed action runs the shell’s handler in the same tick and is reported', async () => {
  const order = []
  const { ctx, asked } = connected({ handlers: { 'view.showBrowser': () => order.push('handler') } })
  const result = ctx.runAction('view.showBrowser')
  order.push('after')
  assert.deepEqual(result, { ok: true })
  assert.deepEqual(order, ['handler', 'after'])
  assert.deepEqual(asked, [['action/report', { plugin_token: 'secret', action: 'view.showBrowser', result: { ok: true } }]])
})

test('a handler is called with nothing of the plugin', () => {
  let given
  const { ctx } = connected({ handlers: { 'view.showBrowser': (...args) => (given = args) } })
  ctx.runAction('view.showBrowser', { evil: true })
  assert.deepEqual(given, [])
})

test('the reasons of a refusal come in the order unknown, denied, unavailable', () => {
  const { ctx, said } = connected()
  const reasons = ['app.quit', 'session.archive', 'nav.cron', 'nav.settings'].map((id) => ctx.runAction(id).reason)
  assert.deepEqual(reasons, ['unknown', 'denied', 'unavailable', 'unavailable'])
  assert.ok(!said.includes('archived!'))
})

test('names that every object has and values of every kind are unknown, and nothing throws', () => {
  const { ctx } = connected()
  const hostile = { toString: () => { throw new Error('no') } }
  const odd = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'View.showBrowser', 'view.showBrowser ', '']
  const values = [undefined, null, 5, true, 5n, Symbol('x'), {}, [], ['view.showBrowser'], () => {}, hostile, new Proxy({}, {})]
  for (const action of [...odd, ...values, 'x'.repeat(1e6), '\ud800', '\u202e'.repeat(1000)]) {
    const result = ctx.runAction(action)
    assert.equal(result.ok, false)
    assert.equal(result.reason, 'unknown')
    assert.ok(result.error.length < 300)
  }
})

test('what is sent of an odd id is bounded and can be sent', () => {
  const { ctx, asked } = connected()
  ctx.runAction('x'.repeat(1e6))
  ctx.runAction(5n)
  ctx.runAction(['nav.settings'])
  ctx.runAction(null)
  const sent = asked.map(([, params]) => params.action)
  // What is no string must not read like one that is an id.
  assert.deepEqual(sent, ['x'.repeat(256), ['5'], ['nav.settings'], ['null']])
})

test('a handler that throws or says no is unavailable with its words, bounded', () => {
  const handlers = {
    'view.showBrowser': () => { throw new Error('no browser\n\u202ehere') },
    'nav.settings': () => ({ ok: false, error: 'locked. '.repeat(1000) }),
    'nav.cron': () => false,
  }
  const { ctx } = connected({ handlers })
  assert.match(ctx.runAction('view.showBrowser').error, /refused \(no browser here\)/)
  const long = ctx.runAction('nav.settings')
  assert.equal(long.reason, 'unavailable')
  assert.ok(long.error.length < 600)
  assert.match(ctx.runAction('nav.cron').error, /the app window refused/)
})

test('a handler that throws something odd still gives a value', () => {
  const thrown = [undefined, null, 5, Symbol('x'), { get message() { throw new Error('again') } }]
  const handlers = { 'view.showBrowser': () => { throw thrown.shift() } }
  const { ctx } = connected({ handlers })
  for (let n = 0; n < 5; n += 1) assert.equal(ctx.runAction('view.showBrowser').reason, 'unavailable')
})

test('an asynchronous handler is a yes, and its late failure reaches only the console', async () => {
  const { ctx, said } = connected({ handlers: { 'view.showBrowser': () => Promise.reject(new Error('late')) } })
  assert.deepEqual(ctx.runAction('view.showBrowser'), { ok: true })
  await turn()
  assert.match(said.join(), /late/)
})

test('a handler that runs the same action for ever ends in a value', () => {
  const handlers = {}
  const { ctx } = connected({ handlers: new Map([['view.showBrowser', () => ctx.runAction('view.showBrowser')]]) })
  assert.equal(typeof ctx.runAction('view.showBrowser').ok, 'boolean')
})

test('the list holds what this shell can run, in the order of the table, localised', () => {
  const { ctx } = connected({ handlers: { 'nav.settings': () => {}, 'view.showBrowser': () => {}, 'app.quit': () => {} } })
  assert.deepEqual(ctx.listActions(), [
    { id: 'view.showBrowser', label: 'Toggle browser', category: 'view' },
    { id: 'nav.settings', label: 'Open settings', category: 'navigation' },
  ])
  const german = connected({ label: (row) => (row.id === 'view.showBrowser' ? 'Browser ein/aus' : null) })
  assert.deepEqual(german.ctx.listActions().map((row) => row.label), ['Browser ein/aus'])
  const broken = connected({ label: () => { throw new Error('no') } })
  assert.deepEqual(broken.ctx.listActions().map((row) => row.label), ['Toggle browser'])
})

test('a new table counts at once', () => {
  const { ctx, policy } = connected()
  policy.receive('policy/actions', { actions: [{ ...ROWS[0], verdict: 'denied' }] })
  assert.equal(ctx.runAction('view.showBrowser').reason, 'denied')
  assert.deepEqual(ctx.listActions(), [])
})

test('without a service everything answers and nothing shows', () => {
  const { ctx, said } = world()
  assert.equal(ctx.runAction('view.showBrowser').reason, 'unavailable')
  assert.deepEqual(ctx.listActions(), [])
  assert.equal(ctx.pet.visible.get(), false)
  assert.equal(ctx.pet.say('hello')(), undefined)
  assert.equal(ctx.pet.clear(), undefined)
  assert.equal(said.length, 2)
})

test('a service that went away leaves refusals, and one that came back works again', () => {
  const { ctx, policy, link } = connected()
  policy.setPet({ visible: true })
  policy.receive('pet/lines', { lines: [{ id: 'a', expires_in_ms: 5000 }] })
  policy.disconnect()
  assert.equal(ctx.runAction('view.showBrowser').reason, 'unavailable')
  assert.equal(ctx.runAction('app.quit').reason, 'unknown')
  assert.equal(ctx.pet.visible.get(), false)
  assert.deepEqual(policy.lines.get(), [])
  policy.connect(link, ROWS)
  assert.deepEqual(ctx.runAction('view.showBrowser'), { ok: true })
  assert.equal(ctx.pet.visible.get(), true)
})

test('a link of an earlier connection that closes late does not end the new one', () => {
  const { ctx, policy, link } = connected()
  policy.connect({ ...link }, ROWS)
  policy.disconnect(link)
  assert.deepEqual(ctx.runAction('view.showBrowser'), { ok: true })
})

test('the members can be found by feature detection and taken apart', () => {
  const { ctx } = connected()
  const { runAction, listActions, pet: { say } } = ctx
  assert.equal(typeof runAction, 'function')
  assert.equal(typeof ctx.pet?.say, 'function')
  assert.deepEqual(runAction('view.showBrowser'), { ok: true })
  assert.equal(listActions().length, 1)
  assert.equal(typeof say('hi'), 'function')
  assert.ok(Object.isFrozen(ctx) && Object.isFrozen(ctx.pet))
})

test('a button as the plugin guides show it works unchanged', () => {
  const { ctx } = connected()
  const notices = []
  const host = { notify: (notice) => notices.push(notice) }
  const onClick = (id) => {
    const r = ctx.runAction(id)
    if (!r.ok) host.notify({ kind: 'warning', message: r.error })
  }
  onClick('view.showBrowser')
  onClick('session.archive')
  assert.equal(notices.length, 1)
  assert.match(notices[0].message, /'session.archive' is not available to plugins/)
})

test('say sends the call on and gives its disposer at once', async () => {
  const { ctx, asked } = connected()
  const dispose = ctx.pet.say('build\n done', { id: 'ci', tone: 'wait', ttlMs: 3000 })
  const [[method, params]] = asked
  assert.equal(method, 'pet.say')
  const { call, ...rest } = params
  assert.deepEqual(rest, { plugin_token: 'secret', text: 'build done', id: 'ci', tone: 'wait', ttlMs: 3000 })
  assert.equal(dispose(), undefined)
  dispose()
  assert.deepEqual(asked.slice(1), [['pet.clear', { plugin_token: 'secret', call }]])
})

test('every say has a mark of its own', () => {
  const { ctx, asked } = connected()
  ctx.pet.say('a', { id: 'x' })
  ctx.pet.say('b', { id: 'x' })
  assert.notEqual(asked[0][1].call, asked[1][1].call)
})

test('the disposer of a line that was dropped clears nothing, and the console says why', async () => {
  const { ctx, asked, said, answers } = connected()
  answers.push(Promise.resolve({ ok: false, reason: 'rate' }))
  const dispose = ctx.pet.say('hi')
  await turn()
  dispose()
  assert.equal(asked.length, 1)
  assert.deepEqual(said, ['[plugin:demo] pet.say: too many calls'])
})

test('hostile arguments never throw and never make a large frame', () => {
  const { ctx, asked } = connected()
  const getter = { get id() { throw new Error('no') } }
  const proxy = new Proxy({}, { get() { throw new Error('no') } })
  const unprintable = { toString() { throw new Error('no') } }
  for (const options of [undefined, null, 5, 'x', [], getter, proxy, { id: {}, tone: [], ttlMs: {} }, { id: Symbol('x') }]) {
    ctx.pet.say('text', options)
  }
  for (const text of [undefined, null, 5n, Symbol('x'), unprintable, proxy, '\u202e'.repeat(2e6) + 'hello', 'x'.repeat(3e6)]) {
    ctx.pet.say(text, { id: 'y'.repeat(1e6), tone: 'z'.repeat(1e6), ttlMs: Infinity })
    ctx.pet.clear(text)
  }
  assert.ok(asked.every(([, params]) => JSON.stringify(params).length < 3000))
  const hello = asked.find(([method, params]) => method === 'pet.say' && params.text === 'hello')
  assert.ok(hello && !('ttlMs' in hello[1]))
  assert.equal(hello[1].id.length, 256)
})

test('clear without an id is for all lines of the plugin, with one for that line', () => {
  const { ctx, asked } = connected()
  ctx.pet.clear()
  ctx.pet.clear('ci')
  ctx.pet.clear('')
  assert.deepEqual(asked.map(([, { id }]) => id), [undefined, 'ci', ''])
})

test('a plugin in a loop fills neither the socket nor the console', async () => {
  const { ctx, asked, said, pass } = connected()
  for (let n = 0; n < 10_000; n += 1) {
    ctx.pet.say('hi')
    ctx.runAction('app.quit')
  }
  assert.equal(asked.length, 64 + 100)
  assert.equal(said.length, 2)
  await turn()
  pass(1001)
  ctx.runAction('app.quit')
  assert.equal(asked.length, 165)
  assert.match(said.at(-1), /\(and 9999 more before\)/)
})

test('a link that throws or fails is a service that is away, not an error', async () => {
  for (const request of [() => { throw new Error('no') }, () => Promise.reject(new Error('no')), () => undefined]) {
    const { policy, ctx } = world()
    policy.connect({ request }, ROWS)
    assert.deepEqual(ctx.runAction('view.showBrowser'), { ok: true })
    for (let n = 0; n < 200; n += 1) {
      ctx.pet.say('hi')()
      await null
      await null
      await null
    }
    ctx.pet.clear()
  }
  await turn()
})

test('an unloaded plugin can do nothing more and hears no exception', () => {
  const { ctx, dispose, asked, said } = connected()
  const clear = ctx.pet.say('hi')
  dispose()
  clear()
  ctx.pet.clear()
  ctx.pet.say('again')
  assert.equal(ctx.runAction('view.showBrowser').reason, 'unavailable')
  assert.deepEqual(ctx.listActions(), [])
  assert.deepEqual(asked.map(([method]) => method), ['pet.say', 'action/report'])
  assert.equal(said.length, 2)
})

test('the pet is visible when the shell says so, and the service hears of it once', async () => {
  const { ctx, policy, reported } = connected()
  const heard = []
  const stop = ctx.pet.visible.listen((value) => heard.push(value))
  ctx.pet.visible.subscribe((value) => heard.push(value))
  ctx.pet.visible.listen(() => { throw new Error('a bad listener') })
  policy.setPet({ visible: true })
  policy.setPet({ visible: true })
  await turn()
  policy.setPet({ coreStatus: 'waiting' })
  policy.setPet({ coreStatus: 'dancing', visible: 'yes' })
  policy.setPet()
  await turn()
  stop()
  policy.setPet({ visible: false })
  await turn()
  assert.deepEqual(heard, [false, true, true, false])
  assert.deepEqual(reported, [
    { visible: true, core_status: 'idle' },
    { visible: true, core_status: 'waiting' },
    { visible: false, core_status: 'waiting' },
  ])
})

test('a plugin can read visible and not write it', () => {
  const { ctx, policy } = connected()
  assert.equal(ctx.pet.visible.set, undefined)
  policy.setPet({ visible: true })
  assert.equal(ctx.pet.visible.value, true)
})

test('a service that starts anew is told of the pet again, and a failing reporter is nobody’s problem', async () => {
  const { policy, link, reported } = connected()
  policy.setPet({ visible: true })
  policy.disconnect()
  policy.connect(link, ROWS)
  assert.equal(reported.length, 2)
  for (const reportPet of [() => { throw new Error('no') }, () => Promise.reject(new Error('no'))]) {
    connected({ reportPet }).policy.setPet({ visible: true })
  }
  await turn()
})

test('lines are shown as the service says, from the first hello on', () => {
  const { policy } = connected()
  const seen = []
  policy.lines.listen((rows) => seen.push(rows.length))
  policy.receive('hello', { actions: ROWS, pet: { visible: true, core_status: 'idle', lines: [{ id: 'a', expires_in_ms: 1 }] } })
  policy.receive('pet/lines', { lines: [] })
  policy.receive('pet/lines', { lines: [] })
  policy.receive('pet/lines', null)
  policy.receive('plugin/load', {})
  policy.receive('hello', {})
  assert.deepEqual(seen, [1, 0])
})

test('a connection that resumes shows again what still lives', () => {
  const { policy, link, pass } = connected()
  policy.receive('pet/lines', { lines: [{ id: 'short', expires_in_ms: 1000 }, { id: 'long', expires_in_ms: 9000 }] })
  policy.disconnect()
  pass(2000)
  policy.receive('hello', { resumed: true, plugins: null })
  policy.connect(link, ROWS)
  assert.deepEqual(policy.lines.get(), [{ id: 'long', expires_in_ms: 7000 }])
})

test('a request of the service runs the handler, and a wrong one is refused', () => {
  const { policy } = connected()
  assert.deepEqual(policy.run({ action: 'view.showBrowser', plugin: 'framed' }), { ok: true })
  for (const params of [undefined, null, {}, { action: 5 }, { action: 'constructor' }, { action: 'session.archive' }]) {
    const answer = policy.run(params)
    assert.equal(answer.ok, false)
    assert.equal(typeof answer.error, 'string')
  }
})

test('two plugins of one shell do not hear of each other', () => {
  const { policy, asked } = connected()
  const other = policy.forPlugin({ id: 'other', token: 'theirs' })
  other.dispose()
  const third = policy.forPlugin({ id: 'third', token: 'third' })
  third.ctx.pet.say('hi')
  assert.equal(asked.at(-1)[1].plugin_token, 'third')
})
