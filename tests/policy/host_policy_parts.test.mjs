// The small parts by themselves, at their limits.
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'

import { allowance, atom, foldedLog, followFocus, newest, readable } from '../../sdk_stubs/host-policy-parts.js'
import { lineOf, sayOptions, sendable, shown, textOf, wordsOf } from '../../sdk_stubs/host-policy-text.js'
import { turn } from './host_policy_world.mjs'

test('an allowance is that many in any stretch of its window', () => {
  let now = 0
  const may = allowance(2, 1000, () => now)
  assert.deepEqual([may(), may(), may()], [true, true, false])
  now = 999
  assert.equal(may(), false)
  now = 1000
  assert.deepEqual([may(), may(), may()], [true, true, false])
  now = 1500
  assert.equal(may(), false)
})

test('a sliding window has no edge at which twice as many pass', () => {
  let now = 0
  const may = allowance(2, 1000, () => now)
  may()
  now = 900
  may()
  now = 1000
  assert.deepEqual([may(), may()], [true, false])
})

test('the log folds by plugin and by kind, and counts anew after each line', () => {
  let now = 0
  const said = []
  const log = foldedLog({ warn: (text) => said.push(text) }, () => now, 1000)
  log('a', 'x', 'one')
  log('a', 'x', 'two')
  log('a', 'y', 'three')
  log('b', 'x', 'four')
  now = 999
  log('a', 'x', 'five')
  now = 1000
  log('a', 'x', 'six')
  now = 2000
  log('a', 'x', 'seven')
  assert.deepEqual(said, [
    '[plugin:a] x: one',
    '[plugin:a] y: three',
    '[plugin:b] x: four',
    '[plugin:a] x: six (and 2 more before)',
    '[plugin:a] x: seven',
  ])
})

test('a console that throws or is none costs nothing', () => {
  for (const target of [undefined, null, {}, { warn() { throw new Error('no') } }]) foldedLog(target, () => 0, 1)('a', 'b', 'c')
})

test('an atom tells of changes only, and of each list but one empty list after another', () => {
  const value = atom([])
  const heard = []
  const stop = value.listen((next) => heard.push(next.length))
  for (const next of [[], [1], [1], [], []]) value.set(next)
  stop()
  value.set([1, 2, 3])
  assert.deepEqual(heard, [1, 1, 0])
  const flag = atom(false)
  flag.listen((next) => heard.push(next))
  for (const next of [false, true, true, false]) flag.set(next)
  assert.deepEqual(heard.slice(3), [true, false])
})

test('who listens twice hears twice, and each ends by itself', () => {
  const value = atom(0)
  const heard = []
  const listener = (next) => heard.push(next)
  const [one] = [value.listen(listener), value.subscribe(listener)]
  value.set(1)
  one()
  one()
  value.set(2)
  assert.deepEqual(heard, [0, 1, 1, 2])
})

test('a listener that ends another one keeps it from hearing more', () => {
  const value = atom(0)
  const heard = []
  const stops = [() => {}]
  value.listen(() => stops[0]())
  stops[0] = value.listen((next) => heard.push(next))
  value.set(1)
  assert.deepEqual(heard, [])
})

test('a readable cannot be written, and after its end watches nothing', () => {
  const value = atom('a')
  const { face, end } = readable(value)
  const heard = []
  face.listen((next) => heard.push(next))
  const stop = face.subscribe((next) => heard.push(next))
  assert.ok(Object.isFrozen(face))
  assert.deepEqual(Object.keys(face).sort(), ['get', 'listen', 'subscribe', 'value'])
  value.set('b')
  stop()
  value.set('c')
  end()
  value.set('d')
  assert.deepEqual(heard, ['a', 'b', 'b', 'c'])
  assert.deepEqual([face.get(), face.value], ['d', 'd'])
  face.listen((next) => heard.push(next))()
  face.subscribe((next) => heard.push(next))()
  value.set('e')
  assert.equal(heard.length, 4)
})

test('the newest goes out one at a time, and a failure stops nothing', async () => {
  const sent = []
  const out = newest((state) => {
    sent.push(state)
    if (state === 1) throw new Error('no')
    return state === 3 ? Promise.reject(new Error('no')) : undefined
  })
  out.tell(1)
  out.tell(2)
  out.tell(3)
  await turn()
  out.tell(4)
  out.tell(5)
  await turn()
  assert.deepEqual(sent, [1, 2, 3, 4, 5])
})

test('after a new beginning what was owed and what is under way no longer count', async () => {
  const sent = []
  let finish
  const out = newest((state) => (sent.push(state), new Promise((resolve) => (finish ??= resolve))))
  out.tell('old')
  out.tell('owed')
  out.anew()
  out.tell('new')
  assert.deepEqual(sent, ['old', 'new'])
  out.tell('next')
  finish()
  await turn()
  assert.deepEqual(sent, ['old', 'new'])
  out.tell('last')
  await turn()
  assert.deepEqual(sent, ['old', 'new'])
})

function page() {
  const here = { focused: true, activeElement: null, hasFocus: () => here.focused }
  const listeners = new Map()
  const target = {
    addEventListener: (type, listener) => listeners.set(type, listener),
    removeEventListener: (type, listener) => listeners.get(type) === listener && listeners.delete(type),
  }
  return { here, target, listeners, fire: (type) => listeners.get(type)() }
}

test('the focus is told when it changes, after the event, and no more once nobody follows', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const { here, target, listeners, fire } = page()
  const told = []
  const stop = followFocus((focused) => told.push(focused), here, target)
  fire('focus')
  mock.timers.tick(1)
  here.focused = false
  fire('blur')
  fire('blur')
  assert.deepEqual(told, [])
  mock.timers.tick(1)
  assert.deepEqual(told, [false])
  here.focused = true
  fire('focus')
  mock.timers.tick(1)
  assert.deepEqual(told, [false, true])
  here.focused = false
  fire('blur')
  stop()
  mock.timers.tick(10_000)
  assert.deepEqual(told, [false, true])
  assert.equal(listeners.size, 0)
  mock.timers.reset()
})

test('a focus that a frame took is looked after until it leaves for another window', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const { here, target, fire } = page()
  const told = []
  const stop = followFocus((focused) => told.push(focused), here, target)
  here.activeElement = { localName: 'iframe' }
  fire('blur')
  mock.timers.tick(5_000)
  assert.deepEqual(told, [])
  here.focused = false
  mock.timers.tick(1_000)
  assert.deepEqual(told, [false])
  here.focused = true
  mock.timers.tick(5_000)
  assert.deepEqual(told, [false])
  stop()
  mock.timers.reset()
})

// ---------------------------------------------------------------- texts

test('a line is one line, and nothing hidden is in it', () => {
  const cases = [
    [' a \n\t b\u2028c\u0085d\ufeffe ', 'a b c d e '],
    ['\u202ea\u0000b\u2066c\ud800d', 'abcd'],
    ['a \u0007 b', 'a b'],
    ['😀', '😀'],
    [null, ''],
    [undefined, ''],
    [['x', null], 'x,'],
  ]
  for (const [value, line] of cases) assert.equal(lineOf(value, 100), line)
  assert.equal(lineOf('x'.repeat(50), 49).length, 49)
})

test('a value becomes text whatever it is', () => {
  const hostile = { toString() { throw new Error('no') } }
  assert.deepEqual([null, undefined, 5n, Symbol('s'), hostile, true].map((value) => textOf(value)), [
    '', '', '5', 'Symbol(s)', 'object', 'true',
  ])
  assert.equal(textOf(null, 'null'), 'null')
})

test('options are read once, bounded, and only where they say something', () => {
  assert.deepEqual(sayOptions(undefined), {})
  assert.deepEqual(sayOptions({ id: null, tone: null, ttlMs: null }), {})
  assert.deepEqual(sayOptions({ id: 0, tone: 'warn', ttlMs: 0 }), { id: '0', tone: 'warn', ttlMs: 0 })
  for (const ttlMs of [NaN, Infinity, -Infinity, '5', 5n, new Number(5)]) assert.deepEqual(sayOptions({ ttlMs }), {})
  const big = sayOptions({ id: 'i'.repeat(1000), tone: 't'.repeat(1000) })
  assert.deepEqual([big.id.length, big.tone.length], [256, 256])
  // What was read before a getter throws counts; the rest has its defaults.
  assert.deepEqual(sayOptions({ get tone() { throw new Error('no') } }), {})
  assert.deepEqual(sendable({ toString: () => 'y'.repeat(1000) }), ['y'.repeat(256)])
  assert.deepEqual(sendable(null), ['null'])
})

test('a shown value is eighty characters, the last of them a sign that it goes on', () => {
  assert.equal(shown('x'.repeat(80)), 'x'.repeat(80))
  assert.equal(shown('x'.repeat(81)), `${'x'.repeat(79)}…`)
  assert.equal(shown('😀'.repeat(81)), `${'😀'.repeat(79)}…`)
  assert.equal(shown("'".repeat(40)), "\\'".repeat(40))
  assert.equal(shown("'".repeat(41)), `${"\\'".repeat(39)}…`)
  assert.equal(shown('\n\u{e0001} \u00a0'), '\\u000a\\u{e0001} \\u00a0')
  assert.equal(shown(null), 'null')
  assert.equal(shown('a\\b'), 'a\\\\b')
  assert.equal(shown('\u00ad\uffa0'), '\\u00ad\\uffa0')
})

test('words of an error are its message, else what it is', () => {
  const getter = { get message() { throw new Error('no') } }
  const cases = [
    [new Error('broken. '), 'broken'],
    [{ message: 5, toString: () => 'odd' }, 'odd'],
    ['text', 'text'],
    [undefined, ''],
    [getter, 'object'],
  ]
  for (const [error, words] of cases) assert.equal(wordsOf(error), words)
  // Both bounds at once: 120 characters of four code points each.
  const four = 'a\u0301\u0302\u0303'
  assert.equal(wordsOf(four.repeat(120)), four.repeat(120))
  assert.equal(wordsOf(four.repeat(121)), four.repeat(120))
  assert.equal(wordsOf(`a${'\u0301'.repeat(479)}`).length, 480)
  assert.equal(wordsOf('a...'), 'a')
})
