// What the face bounds, orders and keeps apart, as those see it who try to break it.
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { ROWS, connected, turn, world } from './host_policy_world.mjs'

test('reports of the pet are sent one after the other, so that none overtakes a newer one', async () => {
  const sent = []
  const done = []
  const { policy } = connected({ reportPet: (state) => (sent.push(state.visible), new Promise((resolve) => done.push(resolve))) })
  policy.setPet({ visible: true })
  policy.setPet({ visible: false })
  policy.setPet({ visible: true })
  policy.setPet({ visible: false })
  await turn()
  assert.deepEqual(sent, [true])
  done[0]()
  await turn()
  assert.deepEqual(sent, [true, false])
  done[1]()
  await turn()
  assert.deepEqual(sent, [true, false])
  policy.setPet({ visible: true })
  assert.deepEqual(sent, [true, false, true])
})

test('a report that never ends holds up none of the next connection', () => {
  const sent = []
  const { policy, link } = connected({ reportPet: (state) => (sent.push(state.visible), new Promise(() => {})) })
  policy.setPet({ visible: true })
  policy.disconnect()
  policy.connect({ ...link }, ROWS)
  assert.deepEqual(sent, [true, true])
})

test('what changed while the service was away is told when it is back, be it nothing to see', () => {
  const { policy, link, reported } = connected()
  policy.setPet({ visible: true })
  policy.disconnect()
  policy.setPet({ visible: false })
  assert.equal(reported.length, 1)
  policy.connect({ ...link }, ROWS)
  assert.deepEqual(reported.at(-1), { visible: false, core_status: 'idle' })
})

test('a window that has said nothing of a pet does not speak for another one that has', () => {
  const { policy, link, reported } = connected()
  policy.setPet({ visible: false })
  policy.disconnect()
  policy.connect({ ...link }, ROWS)
  assert.deepEqual(reported, [])
})

test('lines that came with the first word stay while the window is being mounted', () => {
  const { policy, link } = world()
  policy.receive('hello', { actions: ROWS, pet: { lines: [{ id: 'a', expires_in_ms: 9000 }] } })
  policy.setPet({ coreStatus: 'waiting' })
  policy.connect(link, ROWS)
  assert.equal(policy.lines.get().length, 1)
  policy.disconnect()
  assert.deepEqual(policy.lines.get(), [])
})

test('a plugin that clears in a loop does not fill the socket either', async () => {
  const { ctx, asked, said } = connected()
  for (let n = 0; n < 1000; n += 1) ctx.pet.clear(`line ${n}`)
  assert.equal(asked.length, 64)
  assert.deepEqual(said, ['[plugin:demo] pet.clear: too many calls'])
  await turn()
  ctx.pet.clear('again')
  assert.equal(asked.length, 65)
})

test('a full allowance of lines leaves room for taking them away', () => {
  const { ctx, asked } = connected()
  const disposers = Array.from({ length: 64 }, (_, n) => ctx.pet.say(`line ${n}`))
  for (const dispose of disposers) dispose()
  assert.equal(asked.filter(([method]) => method === 'pet.clear').length, 64)
})

test('whoever watched the pet hears nothing more once the plugin is unloaded', () => {
  const { ctx, policy, dispose } = connected()
  const heard = []
  ctx.pet.visible.listen((value) => heard.push(['listen', value]))
  ctx.pet.visible.subscribe((value) => heard.push(['subscribe', value]))
  dispose()
  policy.setPet({ visible: true })
  const stop = ctx.pet.visible.subscribe((value) => heard.push(['late', value]))
  stop()
  assert.deepEqual(heard, [['subscribe', false]])
})

test('a tone is a word and not what reads like one', () => {
  const { ctx, asked } = connected()
  for (const tone of ['warn', 'warn ', ['warn'], { toString: () => 'warn' }, null, undefined, 5]) ctx.pet.say('x', { tone })
  assert.deepEqual(
    asked.map(([, { tone }]) => tone),
    ['warn', 'warn ', ['warn'], ['warn'], undefined, undefined, ['5']],
  )
})

test('blanks that only hidden letters held apart do not push the text away', () => {
  const { ctx, asked } = connected()
  ctx.pet.say('a' + ' \u202e'.repeat(5000) + ' b')
  assert.equal(asked[0][1].text, 'a b')
})

test('a handler’s own words are cut between characters, as the service cuts them', () => {
  const family = '👨‍👩‍👧‍👦'
  const said = ['x'.repeat(500), family.repeat(500), 'a' + '\u0301'.repeat(5000), 'locked...', '']
  const { ctx } = connected({ handlers: { 'nav.settings': () => ({ ok: false, error: said.shift() }) } })
  const words = () => /window refused(?: \((.*)\))?\. See/.exec(ctx.runAction('nav.settings').error)[1]
  assert.equal(words(), 'x'.repeat(120))
  assert.equal(words(), family.repeat(68))
  assert.equal([...words()].length, 480)
  assert.equal(words(), 'locked')
  assert.equal(words(), undefined)
})

test('what is no function is no handler: it is neither announced nor listed nor run', () => {
  const { policy, ctx } = connected({ handlers: { 'view.showBrowser': 5, 'nav.settings': null, 'nav.cron': () => {} } })
  assert.deepEqual(policy.mountParams(), { actions: ['nav.cron'] })
  assert.deepEqual(ctx.listActions().map(({ id }) => id), ['nav.cron'])
  assert.equal(ctx.runAction('nav.settings').reason, 'unavailable')
})

test('the service’s own request runs nothing that its table does not know', () => {
  const ran = []
  const { policy } = connected({ handlers: { 'app.quit': () => ran.push('quit') } })
  assert.equal(policy.run({ action: 'app.quit' }).ok, false)
  assert.deepEqual(ran, [])
})
