// The policy doors inside a frame of the workbench: what goes over the port is small and plain, and nothing throws.
import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { test } from 'node:test'

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier.replace(/^\/workbench\/shared\//, new URL('../../sdk_stubs/', import.meta.url).href), context),
})
const { framedPolicy } = await import('../../loader/workbench/frame_policy.js')

const ROWS = [
  { id: 'nav.settings', label: 'Open settings', category: 'navigation', verdict: 'ok' },
  { id: 'nav.cron', label: 'Open scheduled jobs', category: 'navigation', verdict: 'unavailable' },
  { id: 'session.archive', label: 'Archive', category: 'session', verdict: 'denied' },
]

function framed(answers = {}) {
  const asked = []
  const { policy, told } = framedPolicy(
    (method, params) => {
      // As a port does it: what cannot be cloned throws.
      asked.push([method, structuredClone(params)])
      return Promise.resolve(answers[method] ?? { ok: true, line: 'x' })
    },
    () => {},
  )
  told(ROWS, true)
  return { policy, told, asked }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('the table answers in the same tick, in the order of the reasons', () => {
  const { policy, told } = framed()
  const reasons = () => ['app.quit', 'session.archive', 'nav.cron', 'nav.settings'].map((id) => policy.runAction(id).reason)
  assert.deepEqual(reasons(), ['unknown', 'denied', 'unavailable', undefined])
  assert.deepEqual(policy.listActions().map(({ id }) => id), ['nav.settings'])
  told(ROWS, false)
  assert.deepEqual(reasons(), ['unknown', 'denied', 'unavailable', 'unavailable'])
  assert.deepEqual(policy.listActions(), [])
})

test('awaiting gives what the window has said, and the plain result shows no more than its shape', async () => {
  const { policy } = framed({ runAction: { ok: false, reason: 'unavailable', error: 'locked', more: 1 } })
  const result = policy.runAction('nav.settings')
  assert.deepEqual(Object.keys(result), ['ok'])
  assert.deepEqual(await result, { ok: false, reason: 'unavailable', error: 'locked' })
})

test('hostile values throw nowhere and what is sent is plain and small', () => {
  const { policy, asked } = framed()
  const hostile = { toString() { throw new Error('no') } }
  const values = [undefined, null, 5n, Symbol('x'), () => {}, hostile, {}, ['nav.settings'], 'x'.repeat(1e6), '\ud800']
  for (const value of values) {
    policy.runAction(value)
    policy.pet.say(value, value)
    policy.pet.say('text', { id: value, tone: value, ttlMs: value })
    policy.pet.clear(value)
  }
  assert.ok(asked.every(([, params]) => JSON.stringify(params).length < 3000))
  const texts = asked.filter(([method]) => method === 'pet.say').map(([, { text }]) => text)
  assert.equal(texts[0], '')
})

test('what is no string is sent as something that no id is', () => {
  const { policy, asked } = framed()
  policy.runAction(['nav.settings'])
  assert.deepEqual(asked[0][1].action, ['nav.settings'])
})

test('a disposer takes away what its own call made, and nothing when that was dropped', async () => {
  const { policy, asked } = framed()
  const first = policy.pet.say('one', { id: 'x' })
  policy.pet.say('two', { id: 'x' })
  assert.equal(first(), undefined)
  await turn()
  const [, , [method, params]] = asked
  assert.deepEqual([method, params], ['pet.clear', { call: asked[0][1].call }])
  assert.notEqual(asked[0][1].call, asked[1][1].call)
  const dropped = framed({ 'pet.say': { ok: false, reason: 'rate' } })
  dropped.policy.pet.say('one')()
  await turn()
  assert.equal(dropped.asked.length, 1)
})

test('clear is for all lines, or for the one that is named', () => {
  const { policy, asked } = framed()
  for (const line of [undefined, null, 'ci', 0, '']) policy.pet.clear(line)
  assert.deepEqual(asked.map(([, params]) => params), [{}, {}, { id: 'ci' }, { id: '0' }, { id: '' }])
})
