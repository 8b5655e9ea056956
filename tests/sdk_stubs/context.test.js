// `ctx`: everything that is made through it ends with the plugin.

import { advance, reset, seen } from '@@host'
import { createContext } from '@@context'
import { EventTarget, Event } from '@@events'
import { PLUGIN_APP_ACTIONS } from '@@sdk'
import { equal, ok, rejects, test, throws } from '@@test'

function fresh() {
  reset()
  return createContext('demo')
}
const unload = () => seen.disposers.splice(0).forEach((dispose) => dispose())

test('contributions are taken away by their disposer or at unload', () => {
  const ctx = fresh()
  equal(ctx.source, 'plugin:demo')
  const drop = ctx.register({ id: 'a', area: 'panes' })
  const dropBoth = ctx.registerMany([
    { id: 'b', area: 'panes' },
    { id: 'c', area: 'panes' },
  ])
  drop()
  drop()
  equal(
    seen.contributions.map(({ contribution, via }) => [contribution.id, via]),
    [
      ['b', 'ctx.register'],
      ['c', 'ctx.register'],
    ],
  )
  dropBoth()
  ctx.register({ id: 'd', area: 'panes' })
  equal(seen.disposers.length, 1)
  unload()
  equal(seen.contributions, [])
})

test('a settings page is a contribution of its own area', () => {
  const ctx = fresh()
  const render = () => null
  ctx.registerSettingsPage({ id: 'page', title: 'Page', render, order: 2, children: [] })
  const [{ contribution, via }] = seen.contributions
  equal([contribution.area, contribution.id, contribution.order, via], ['settings.plugins', 'page', 2, 'ctx.registerSettingsPage'])
})

test('timers run on the fake clock and end with the plugin', () => {
  const ctx = fresh()
  let ticks = 0
  let once = 0
  const stop = ctx.setInterval(() => (ticks += 1), 1000)
  ctx.setTimeout(() => (once += 1), 500)
  equal(typeof stop, 'function')
  advance(3000)
  equal([ticks, once], [3, 1])
  equal(seen.disposers.length, 1, 'a timer that fired is done')
  unload()
  advance(3000)
  equal(ticks, 3)
})

test('listeners on any target end with the plugin and count for nobody', () => {
  const ctx = fresh()
  const target = new EventTarget()
  let heard = 0
  ctx.addEventListener(target, 'ping', () => (heard += 1))
  target.dispatchEvent(new Event('ping'))
  unload()
  target.dispatchEvent(new Event('ping'))
  equal([heard, seen.alive], [1, []])
})

test('sockets and gateway events are counted until unload', () => {
  const ctx = fresh()
  ctx.socket('/events', () => {})
  ctx.onEvent('*', () => {})
  equal(seen.alive, [
    { kind: 'socket', detail: 'ctx.socket /events' },
    { kind: 'subscription', detail: "ctx.onEvent '*'" },
  ])
  unload()
  equal(seen.alive, [])
  throws(() => ctx.socket('/x'), /wants a function/)
})

test('the backend never answers, and a path cannot leave its name space', async () => {
  const ctx = fresh()
  ctx.rest('/cards', { method: 'POST', body: {} })
  equal(seen.waiting, ['ctx.rest POST /cards'])
  await rejects(ctx.rest('/../other'), /leaves the plugin's own name space/)
  await rejects(ctx.rest('/a/%2e%2e/b'), /leaves/)
  equal(seen.waiting.length, 1)
})

test('storage keeps JSON under the plugin, and gives the fallback for what is no JSON', () => {
  const ctx = fresh()
  const other = createContext('other')
  ctx.storage.set('list', [1, { a: 2 }])
  equal([ctx.storage.get('list', null), other.storage.get('list', 'none')], [[1, { a: 2 }], 'none'])
  ctx.storage.remove('list')
  equal(ctx.storage.get('list', 7), 7)
  ctx.storage.set('gone', undefined)
  equal(ctx.storage.get('gone', 'fallback'), 'fallback')
})

test('actions are answered at once: allowed, denied, unknown', () => {
  const ctx = fresh()
  equal(ctx.runAction('view.showBrowser'), { ok: true })
  for (const [id, reason] of [
    ['session.archive', 'denied'],
    ['view.tabSlot.3', 'denied'],
    ['profile.switch.18', 'denied'],
    ['profile.switch.19', 'unknown'],
    ['app.quit', 'unknown'],
    ['constructor', 'unknown'],
    ['__proto__', 'unknown'],
    ['nav.skills', 'unknown'],
    [42, 'unknown'],
    [undefined, 'unknown'],
  ]) {
    const result = ctx.runAction(id)
    equal([result.ok, result.reason, typeof result.error], [false, reason, 'string'], String(id))
  }
  ok(seen.console.every((line) => line.startsWith('warn: [plugin:demo] runAction: ')))
  const rows = ctx.listActions()
  equal([rows.length, rows[0], PLUGIN_APP_ACTIONS.length], [21, { id: 'view.showBrowser', label: 'Toggle browser', category: 'view' }, 21])
})

test('the pet takes lines, gives them back, and warns of a wrong tone', () => {
  const ctx = fresh()
  const take = ctx.pet.say('hello', { id: 'a', tone: 'shout' })
  equal(typeof take, 'function')
  ok(/'shout' is no tone/.test(seen.console[0]))
  ctx.pet.clear()
  equal(
    seen.records.map(({ value }) => value.name),
    ['ctx.pet.say', 'ctx.pet.clear'],
  )
  equal(ctx.pet.visible.get(), true)
})

test('doors of the system answer with results', async () => {
  const ctx = fresh()
  equal(await Promise.all([ctx.os.openExternal('https://example.org'), ctx.os.writeClipboard('x'), ctx.os.revealPath('/x'), ctx.os.pickSavePath(), ctx.os.pickOpenPaths()]), [true, true, true, null, []])
  equal(ctx.os.notify({ title: 'Done' }), undefined)
})

test('texts of the plugin are found by key and filled', () => {
  const ctx = fresh()
  ctx.i18n.register({ en: { title: 'Board', cards: { count: (n) => `${n} cards` }, hello: 'Hello {name}', first: '{0}!' }, de: { title: 'Tafel' } })
  equal([ctx.i18n.t('title'), ctx.i18n.t('cards.count', 3), ctx.i18n.t('hello', { name: 'Ada' }), ctx.i18n.t('first', 'x')], ['Board', '3 cards', 'Hello Ada', 'x!'])
  equal(ctx.i18n.t('not.there'), 'not.there')
})
