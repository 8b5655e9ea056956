// What the face says, to the letter, and what it makes of tables and states that are odd.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { ROWS, connected, turn, world } from './host_policy_world.mjs'

const READ = 'ctx.listActions() lists those that are; see docs/policy.md.'
const SEE = 'See docs/policy.md.'

test('each no to an action has its own words, in the result and in the console', () => {
  const said = []
  const handlers = { 'view.showBrowser': () => false, 'nav.cron': () => ({ ok: false, error: 'busy' }) }
  const { ctx, dispose, policy, pass } = connected({ handlers, console: { warn: (text) => said.push(text) } })
  const cases = [
    ['app.quit', 'unknown', `'app.quit' is not a Hermes app action. ${READ}`],
    [null, 'unknown', `'null' is not a Hermes app action. ${READ}`],
    ['session.archive', 'denied', `'session.archive' is not available to plugins. ${READ}`],
    ['nav.settings', 'unavailable', `'nav.settings' is unavailable: no connected app window has a handler for it. ${SEE}`],
    ['view.showBrowser', 'unavailable', `'view.showBrowser' is unavailable: the app window refused. ${SEE}`],
    ['nav.cron', 'unavailable', `'nav.cron' is unavailable: the app window refused (busy). ${SEE}`],
  ]
  const check = ([action, reason, error]) => {
    pass(1000)
    assert.deepEqual(ctx.runAction(action), { ok: false, reason, error })
    assert.equal(said.at(-1), `[plugin:demo] runAction: ${error}`)
  }
  cases.forEach(check)
  policy.disconnect()
  check(['nav.cron', 'unavailable', `'nav.cron' is unavailable: the plugin host service is away. ${SEE}`])
  cases.slice(0, 3).forEach(check)
  dispose()
  check(['nav.cron', 'unavailable', `'nav.cron' is unavailable: this revision of the plugin is no longer running. ${SEE}`])
})

test('before the first table nothing is known of any id', () => {
  const { ctx } = world()
  assert.deepEqual(ctx.runAction('app.quit'), {
    ok: false,
    reason: 'unavailable',
    error: `'app.quit' is unavailable: the plugin host service is away. ${SEE}`,
  })
})

test('each dropped line has its own words in the console', async () => {
  const words = [
    [{ ok: false, reason: 'empty' }, 'nothing is left of the text after cleaning'],
    [{ ok: false, reason: 'id' }, "the line's id is empty or too long"],
    [{ ok: false, reason: 'rate' }, 'too many calls'],
    [{ ok: false, reason: 'lines' }, 'enough lines are already showing; give a line an id to replace it'],
    [{ ok: false, reason: 'gone' }, 'this revision of the plugin is no longer running'],
    [{ ok: false, reason: 'new in a later service' }, 'new in a later service'],
    [{ ok: false }, 'refused'],
  ]
  for (const [answer, text] of words) {
    const { ctx, said, answers } = connected()
    answers.push(Promise.resolve(answer))
    ctx.pet.say('x')
    await turn()
    assert.deepEqual(said, [`[plugin:demo] pet.say: ${text}`])
  }
  const away = world()
  away.ctx.pet.say('x')
  assert.deepEqual(away.said, ['[plugin:demo] pet.say: the plugin host service is away'])
  const gone = connected()
  gone.dispose()
  gone.ctx.pet.say('x')
  assert.deepEqual(gone.said, ['[plugin:demo] pet.say: this revision of the plugin is no longer running'])
})

test('an answer that never was one says nothing and leaves nothing to take away', async () => {
  for (const answer of [async () => undefined, () => Promise.reject(new Error('away'))]) {
    const { ctx, said, asked, answers } = connected()
    answers.push(answer())
    const dispose = ctx.pet.say('x')
    await turn()
    dispose()
    assert.deepEqual([said, asked.length], [[], 1])
  }
})

test('a handler that fails later is named in the console with its words', async () => {
  const { ctx, said } = connected({ handlers: { 'view.showBrowser': async () => { throw new Error('late.') } } })
  assert.deepEqual(ctx.runAction('view.showBrowser'), { ok: true })
  await turn()
  assert.deepEqual(said, ['[plugin:shell] action: view.showBrowser failed later: late'])
  const fine = connected({ handlers: { 'view.showBrowser': async () => 'done' } })
  fine.ctx.runAction('view.showBrowser')
  await turn()
  assert.deepEqual(fine.said, [])
})

test('the answer to the service is a plain yes, or a no with its words', () => {
  const { policy } = connected({ handlers: { 'view.showBrowser': () => {}, 'nav.settings': () => ({ ok: false, error: 'locked' }) } })
  assert.deepEqual(policy.run({ action: 'view.showBrowser' }), { ok: true })
  assert.deepEqual(policy.run({ action: 'nav.settings' }), {
    ok: false,
    error: `'nav.settings' is unavailable: the app window refused (locked). ${SEE}`,
  })
  assert.deepEqual(policy.run({ action: 'session.archive' }), { ok: false, error: 'not available to plugins' })
  assert.deepEqual(policy.run(undefined), { ok: false, error: 'not available to plugins' })
})

test('what a handler gives back is a yes unless it is a no', () => {
  for (const [given, ok] of [[undefined, true], [null, true], [0, true], [{}, true], [{ ok: true }, true], [false, false], [{ ok: false }, false]]) {
    const { ctx } = connected({ handlers: { 'view.showBrowser': () => given } })
    assert.equal(ctx.runAction('view.showBrowser').ok, ok)
  }
})

test('a table that is none changes nothing, and rows that are none are passed over', () => {
  const { ctx, policy } = connected()
  for (const actions of [undefined, null, 'rows', {}]) policy.receive('policy/actions', { actions })
  policy.receive('policy/actions', undefined)
  policy.receive('hello', undefined)
  assert.equal(ctx.runAction('view.showBrowser').ok, true)
  policy.receive('hello', { actions: [null, 5, { id: 7, verdict: 'ok' }, ROWS[3]] })
  assert.equal(ctx.runAction('session.archive').reason, 'denied')
  assert.equal(ctx.runAction('view.showBrowser').reason, 'unknown')
  policy.receive('another/notification', { actions: ROWS, lines: [{ id: 'a' }] })
  assert.equal(ctx.runAction('view.showBrowser').reason, 'unknown')
  assert.deepEqual(policy.lines.get(), [])
})

test('a label that the shell gives counts when it is one', () => {
  const given = []
  const { ctx } = connected({ label: (row) => (given.push(row), '') })
  assert.deepEqual(ctx.listActions(), [{ id: 'view.showBrowser', label: 'Toggle browser', category: 'view' }])
  assert.deepEqual(given, [{ id: 'view.showBrowser', label: 'Toggle browser', category: 'view' }])
})

test('each state of the core is told, others are not', async () => {
  const { policy, reported } = connected()
  for (const coreStatus of ['error', 'waiting', 'idle', 'dancing', undefined]) {
    policy.setPet({ coreStatus })
    await turn()
  }
  assert.deepEqual(reported.map((state) => state.core_status), ['error', 'waiting', 'idle'])
  policy.setPet({ visible: true, coreStatus: 'error' })
  policy.setPet({ visible: 1 })
  await turn()
  assert.deepEqual(reported.slice(3), [{ visible: true, core_status: 'error' }])
})

test('a shell without a reporter, and one that is away, report to nobody', async () => {
  const { policy } = connected({ reportPet: undefined })
  policy.setPet({ visible: true })
  const away = world()
  away.policy.setPet({ visible: true })
  await turn()
  assert.deepEqual(away.reported, [])
  assert.equal(away.ctx.pet.visible.get(), false)
  away.policy.connect(away.link, ROWS)
  assert.equal(away.ctx.pet.visible.get(), true)
  assert.deepEqual(away.reported, [{ visible: true, core_status: 'idle' }])
})

test('of the lines that a break was slept through only those come back that still live', () => {
  const { policy, pass } = connected()
  policy.receive('pet/lines', { lines: [{ id: 'a', expires_in_ms: 1000 }, { id: 'b', expires_in_ms: 1001 }] })
  pass(1000)
  policy.receive('hello', { resumed: true })
  assert.deepEqual(policy.lines.get(), [{ id: 'b', expires_in_ms: 1 }])
  policy.receive('hello', { resumed: false, pet: { lines: [{ id: 'c', expires_in_ms: 5 }] } })
  assert.deepEqual(policy.lines.get(), [{ id: 'c', expires_in_ms: 5 }])
})

test('the marks of two windows differ, and those of one are counted', () => {
  const [one, two] = [connected(), connected()]
  for (const { ctx } of [one, two]) {
    ctx.pet.say('a')
    ctx.pet.say('b')
  }
  const marks = [one, two].map(({ asked }) => asked.map(([, { call }]) => call.split(':')))
  assert.notEqual(marks[0][0][0], marks[1][0][0])
  assert.ok(marks.every(([[first, n], [again, m]]) => first === again && n === '1' && m === '2' && first.length > 4))
})

test('without a console or a clock of its own the face works with those of the page', () => {
  const { ctx } = connected({ console: undefined, nowMs: undefined })
  const warn = console.warn
  const said = []
  console.warn = (text) => said.push(text)
  try {
    ctx.runAction('app.quit')
  } finally {
    console.warn = warn
  }
  assert.equal(said.length, 1)
})
