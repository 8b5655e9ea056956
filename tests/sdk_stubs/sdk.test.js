// The SDK's face: real stores and colours, plausible answers, components that a person recognises.

import * as sdk from '@@sdk'
import { jsx, jsxs } from '@@jsx-runtime'
import { createRoot } from '@@render'
import { useState } from '@@react'
import { advance, reset, seen } from '@@host'
import { equal, ok, test, throws } from '@@test'

const { atom, computed, host, useMutation, useQuery, useValue } = sdk
const settle = async () => {
  for (let round = 0; round < 20; round += 1) await null
}
function find(tree, wanted) {
  if (typeof tree !== 'object') return undefined
  if (wanted(tree)) return tree
  for (const child of tree.children) {
    const found = find(child, wanted)
    if (found) return found
  }
  return undefined
}
const ui = (root, name) => find(root.tree(), (node) => node.props['data-ui'] === name)
const withText = (root, text) => find(root.tree(), (node) => node.children.includes(text))
const near = (actual, expected, by = 0.005) => ok(Math.abs(actual - expected) <= by, `got ${actual}, wanted about ${expected}`)

// ---------------------------------------------------------------- stores

test('an atom tells its listeners of changes, subscribers of now too', () => {
  const store = atom(1)
  const heard = []
  const stop = store.listen((value, before) => heard.push([value, before]))
  store.subscribe((value) => heard.push(value))
  store.set(2)
  store.set(2)
  stop()
  store.set(3)
  equal(heard, [1, [2, 1], 2, 3])
  equal([store.get(), store.value, store.lc], [3, 3, 1])
})

test('a computed store follows its sources, and sleeps while nobody listens', () => {
  const [a, b] = [atom(2), atom(3)]
  let made = 0
  const product = computed([a, b], (x, y) => {
    made += 1
    return x * y
  })
  equal([product.get(), product.get(), made], [6, 6, 1])
  const heard = []
  const stop = product.listen((value) => heard.push(value))
  a.set(4)
  stop()
  equal([heard, a.lc, b.lc], [[12], 0, 0])
  equal(computed(product, (value) => -value).get(), -12)
})

test('useValue renders again when the store changes, and lets go', () => {
  const store = atom('a')
  const View = () => useValue(store)
  const root = createRoot(jsx(View, {}))
  store.set('b')
  root.flush()
  equal([root.markup(), store.lc], ['b', 1])
  root.unmount()
  equal(store.lc, 0)
})

test('a listener on the state of the app counts until it is stopped, one of a hook does not', () => {
  reset()
  const View = () => String(useValue(computed(host.state.busy, (busy) => !busy)))
  const root = createRoot(jsx(View, {}))
  equal([root.markup(), seen.alive], ['true', []])
  const stop = host.state.busy.listen(() => {})
  equal(seen.alive, [{ kind: 'subscription', detail: 'host.state.busy' }])
  stop()
  equal(seen.alive, [])
  ok(!('set' in host.state.busy), 'the state of the app is for reading')
})

// ---------------------------------------------------------------- the host

test('the app reads as a calm, connected window', () => {
  equal([host.state.busy.get(), host.state.gateway.get(), host.state.profile.get(), host.state.viewport.get().narrow], [false, 'open', 'default', false])
})

test('what the plugin asks for is recorded, what only a gateway could answer waits', async () => {
  reset()
  host.notify({ kind: 'info', message: 'hi' })
  host.navigate('/x')
  let answered = false
  host.request('session.list', {}).then(() => (answered = true))
  host.status().then(() => (answered = true))
  await settle()
  equal(
    seen.records.map(({ kind, value }) => [kind, value.name]),
    [
      ['action', 'host.notify'],
      ['action', 'host.navigate'],
    ],
  )
  equal([answered, seen.waiting], [false, ['host.request session.list', 'host.status']])
  equal([await host.skills.list(), await host.composer.getDraft()], [[], ''])
})

test('settings know their keys and the kind of their values', () => {
  equal(host.settings.get('sessionListDensity'), 'comfortable')
  throws(() => host.settings.get('constructor'), /no key 'constructor'/)
  throws(() => host.settings.set('backdrop.v1', 'yes'), /no value for/)
  const heard = []
  host.settings.subscribe('backdrop.v1', (value) => heard.push(value))
  host.settings.set('backdrop.v1', false)
  equal(heard, [true, false])
})

test('openWorkspace needs an id and something to render', () => {
  reset()
  throws(() => host.openWorkspace({ id: 'x' }), /id and a render function/)
  const close = host.openWorkspace({ id: 'demo:tab', title: 'Tab', render: () => null })
  equal(
    seen.contributions.map(({ contribution, via }) => [contribution.area, contribution.id, via]),
    [['workspace', 'demo:tab', 'host.openWorkspace']],
  )
  close()
  equal(seen.contributions, [])
})

test('a listener for gateway events made during register ends with the plugin', () => {
  reset()
  seen.registering = true
  host.onEvent('message.complete', () => {})
  seen.registering = false
  const stop = host.onEvent('*', () => {})
  equal([seen.alive.length, seen.disposers.length], [2, 1])
  seen.disposers.forEach((dispose) => dispose())
  equal(seen.alive, [{ kind: 'subscription', detail: "host.onEvent '*'" }])
  stop()
  equal(seen.alive, [])
})

// ---------------------------------------------------------------- queries

test('a query is pending in the first render and has its answer in the next', async () => {
  reset()
  const View = () => {
    const { data, isPending, isLoading, status } = useQuery({ queryKey: ['sdk-test', 1], queryFn: async () => ['x'] })
    return `${status} ${isPending} ${isLoading} ${data?.length ?? '-'}`
  }
  const root = createRoot(jsx(View, {}))
  equal(root.markup(), 'pending true true -')
  await settle()
  root.flush()
  equal(root.markup(), 'success false false 1')
})

test('a query that fails has its error; one that is off asks nobody; select and placeholder shape the data', async () => {
  const results = {}
  const View = ({ name, options }) => {
    results[name] = useQuery({ queryKey: ['sdk-test', name], ...options })
    return null
  }
  const root = createRoot(
    jsxs('p', {
      children: [
        jsx(View, { name: 'bad', options: { queryFn: () => { throw new Error('no') } } }, 1),
        jsx(View, { name: 'off', options: { enabled: false, queryFn: () => ok(false) } }, 2),
        jsx(View, { name: 'select', options: { initialData: [1, 2], select: (list) => list.length, queryFn: () => new Promise(() => {}) } }, 3),
        jsx(View, { name: 'placeholder', options: { placeholderData: 'soon', queryFn: () => new Promise(() => {}) } }, 4),
      ],
    }),
  )
  await settle()
  root.flush()
  equal([results.bad.status, results.bad.error.message, results.bad.isError], ['error', 'no', true])
  equal([results.off.status, results.off.fetchStatus], ['pending', 'idle'])
  equal([results.select.data, results.placeholder.data, results.placeholder.isPlaceholderData], [2, 'soon', true])
  root.unmount()
})

test('a query polls on the fake clock and can be invalidated', async () => {
  reset()
  let asked = 0
  const View = () => useQuery({ queryKey: ['sdk-test', 'poll'], queryFn: async () => (asked += 1), refetchInterval: 5000 }).data ?? 0
  const root = createRoot(jsx(View, {}))
  await settle()
  advance(5000)
  await settle()
  await sdk.queryClient.invalidateQueries({ queryKey: ['sdk-test'] })
  root.flush()
  equal([root.markup(), asked >= 3], [String(asked), true])
  const before = asked
  root.unmount()
  advance(60000)
  await settle()
  equal(asked, before)
})

test('what hooks give to call stays the same function, so that it may stand in dependencies', async () => {
  const seenOnce = new Set()
  let again
  const View = () => {
    const [, set] = useState(0)
    again = set
    const { refetch } = useQuery({ queryKey: ['sdk-test', 'stable'], queryFn: () => new Promise(() => {}) })
    const { mutate, mutateAsync, reset: forget } = useMutation({ mutationFn: () => 1 })
    for (const fn of [refetch, mutate, mutateAsync, forget, sdk.usePluginI18n('demo'), sdk.useI18n().setLocale, sdk.useTheme().setTheme, sdk.useQueryClient()]) seenOnce.add(fn)
    return null
  }
  const root = createRoot(jsx(View, {}))
  again(1)
  root.flush()
  equal(seenOnce.size, 8)
  root.unmount()
})

test('a mutation goes from idle to its end and calls back', async () => {
  const heard = []
  let run
  const View = () => {
    const mutation = useMutation({ mutationFn: async (n) => n * 2, onSuccess: (data, variables) => heard.push([data, variables]), onSettled: () => heard.push('settled') })
    run = mutation.mutate
    return `${mutation.status} ${mutation.data ?? '-'}`
  }
  const root = createRoot(jsx(View, {}))
  equal(root.markup(), 'idle -')
  run(4)
  root.flush()
  equal(root.markup(), 'pending -')
  await settle()
  root.flush()
  equal([root.markup(), heard], ['success 8', [[8, 4], 'settled']])
})

// ---------------------------------------------------------------- colours and texts

test('colours go to OKLCH and back', () => {
  const red = sdk.hexToOklch('#ff0000')
  near(red.l, 0.628)
  near(red.c, 0.2577)
  near(red.h, 29.23, 0.05)
  for (const hex of ['#ff0000', '#00ff00', '#0000ff', '#123456', '#ffffff', '#000000']) equal(sdk.oklchToHex(sdk.hexToOklch(hex)), hex)
  equal(sdk.hexToOklch('no colour'), null)
})

test('what a display cannot show loses chroma, never hue or lightness', () => {
  const wild = { l: 0.7, c: 0.4, h: 150 }
  equal(sdk.oklchToSrgb255(wild), null)
  const fitted = sdk.hexToOklch(sdk.oklchToHex(wild))
  near(fitted.l, 0.7, 0.01)
  near(fitted.h, 150, 2)
  near(sdk.maxChroma(0.7, 150), fitted.c, 0.01)
})

test('contrast, ink, hex of every form, hues round the circle', () => {
  near(sdk.contrastRatio('#000000', '#ffffff'), 21)
  near(sdk.contrastRatio('#777777', '#ffffff'), 4.48, 0.01)
  equal([sdk.readableOn('#ffffff'), sdk.readableOn('#000000')], ['#161616', '#ffffff'])
  equal([sdk.normalizeHex('abc'), sdk.normalizeHex('#11223380', '#ffffff'), sdk.normalizeHex('red')], ['#aabbcc', '#889099', null])
  equal([sdk.hueDelta(350, 10), sdk.hueDelta(10, 350), sdk.hueDelta(0, 180)], [20, -20, -180])
  equal([sdk.mixOklab('#000000', '#ffffff', 0), sdk.mixOklab('#000000', '#ffffff', 1)], ['#000000', '#ffffff'])
})

test('a retinted theme keeps everything but the hue of its accents', () => {
  const theme = { name: 't', label: 'T', colors: { background: '#101010', primary: '#5b8def', ring: '#5b8def' } }
  const turned = sdk.retintTheme(theme, '#d64545')
  near(sdk.themeHue(turned), sdk.hexToOklch('#d64545').h, 1.5)
  near(sdk.hexToOklch(turned.colors.primary).l, sdk.hexToOklch('#5b8def').l, 0.02)
  equal([turned.colors.background, sdk.retintTheme(theme, 'x') === theme], ['#101010', true])
})

test('a name has one colour', () => {
  equal(sdk.profileColor('ada'), sdk.profileColor('ada'))
  equal([sdk.profileColor('default'), sdk.profileColor('')], [null, null])
  ok(sdk.PROFILE_SWATCHES.includes(sdk.profileColor('ada')))
})

test('numbers, ages and class names', () => {
  equal([1230, 1_500_000, 999, -2500].map(sdk.compactNumber), ['1.2k', '1.5M', '999', '-2.5k'])
  equal(sdk.coarseElapsed(3_700_000), { unit: 'hour', value: 1 })
  equal([sdk.relativeTime(0, 120_000), sdk.relativeTime(7_200_000, 0), sdk.relativeTime(0, 86_400_000)], ['2 min ago', 'in 2 hr', 'yesterday'])
  equal(sdk.formatAgo(0, { ageNow: 'now', ageSeconds: (n) => `${n}s`, ageMinutes: (n) => `${n}m`, ageHours: (n) => `${n}h`, ageDays: (n) => `${n}d` }, 180_000), '3m')
  equal(sdk.cn('a', ['b', null], { c: true, d: false }, 0), 'a b c')
  ok(/^[A-Z][a-z]{2} \d+, \d{4}, \d+:\d\d [AP]M$/.test(sdk.fmtDateTime.format(0)), sdk.fmtDateTime.format(0))
})

test('words of the app read as their keys, can be called, and are no promises', () => {
  const View = () => {
    const { t } = sdk.useI18n()
    return jsxs('p', { title: t.common.close, children: [t.sidebar.row.ageMin(3), ' ', t.common.closeAll, ` ${t.x.y}`] })
  }
  equal(createRoot(jsx(View, {})).markup(), '<p title="Close">Age min 3 Close all Y</p>')
  equal([typeof sdk.translateNow('a.b'), sdk.translateNow('kanban.addCard')], ['string', 'Add card'])
  const { t } = { t: null }
  equal(t, null)
})

test('icons answer for names, never for then or symbols', async () => {
  const { icons } = sdk
  equal(createRoot(jsx(icons.RefreshCw, { className: 'x' })).tree().props['data-icon'], 'RefreshCw')
  equal([icons.then, icons[Symbol.iterator], 'RefreshCw' in icons, 'then' in icons, icons.RefreshCw === icons.RefreshCw], [undefined, undefined, true, false, true])
  ok((await icons) === icons)
})

// ---------------------------------------------------------------- components

test('components are elements that name themselves and keep their props', () => {
  const tree = createRoot(jsx(sdk.Button, { variant: 'ghost', size: 'sm', disabled: true, className: 'mine', 'aria-label': 'Go', children: 'go' })).tree()
  equal(tree.type, 'button')
  equal(tree.props, { type: 'button', 'data-ui': 'Button', 'data-variant': 'ghost', 'data-size': 'sm', disabled: true, class: 'mine', 'aria-label': 'Go' })
  equal(createRoot(jsx(sdk.Codicon, { name: 'globe' })).tree().props['data-codicon'], 'globe')
})

test('what stands in props is shown', () => {
  const markup = createRoot(jsx(sdk.EmptyState, { title: 'Nothing', description: jsx('b', { children: 'yet' }), children: 'more' })).markup()
  for (const text of ['Nothing', '<b>yet</b>', 'more']) ok(markup.includes(text), markup)
})

test('every capital name is a component that renders without props', () => {
  const made = Object.keys(sdk).filter((name) => /^[A-Z][a-z]/.test(name) && name !== 'LruCache' && name !== 'ModelMenuCloseContext')
  ok(made.length > 110)
  for (const name of made) {
    const root = createRoot(jsx(sdk[name], name === 'Contribute' ? { id: 'demo:x', area: 'titleBar.right' } : {}))
    equal(root.error, undefined, name)
    equal(root.unmount(), [], name)
  }
})

test('a switch changes by a click, held or not', () => {
  const free = createRoot(jsx(sdk.Switch, { 'aria-label': 'On' }))
  equal(free.tree().props['aria-checked'], 'false')
  free.dispatch(free.tree().ref, 'click')
  equal(free.tree().props['aria-checked'], 'true')
  const Held = () => {
    const [on, setOn] = useState(true)
    return jsx(sdk.Checkbox, { checked: on, onCheckedChange: setOn })
  }
  const held = createRoot(jsx(Held, {}))
  held.dispatch(held.tree().ref, 'click')
  equal(held.tree().props['aria-checked'], 'false')
})

test('a menu opens by its trigger and its row calls back', () => {
  let chosen = 0
  const Menu = () =>
    jsxs(sdk.DropdownMenu, {
      children: [
        jsx(sdk.DropdownMenuTrigger, { asChild: true, children: jsx('button', { children: 'menu' }) }),
        jsx(sdk.DropdownMenuContent, { children: jsx(sdk.DropdownMenuItem, { onSelect: () => (chosen += 1), children: 'row' }) }),
      ],
    })
  const root = createRoot(jsx(Menu, {}))
  equal(withText(root, 'row'), undefined)
  root.dispatch(withText(root, 'menu').ref, 'click')
  root.dispatch(withText(root, 'row').ref, 'click')
  equal(chosen, 1)
})

test('a dialog, a select, tabs, a segmented control and a search field work as their kind', () => {
  const heard = []
  const note = (name) => (value) => heard.push([name, value])
  const App = () =>
    jsxs('div', {
      children: [
        jsx(sdk.ConfirmDialog, { open: true, title: 'Sure?', onConfirm: () => note('confirm')(true), onClose: () => {} }),
        jsxs(sdk.Select, { onValueChange: note('select'), children: [jsx(sdk.SelectTrigger, { children: jsx(sdk.SelectValue, { placeholder: 'pick' }) }), jsx(sdk.SelectContent, { children: jsx(sdk.SelectItem, { value: 'b', children: 'B!' }) })] }),
        jsxs(sdk.Tabs, { defaultValue: 'one', onValueChange: note('tabs'), children: [jsx(sdk.TabsTrigger, { value: 'two', children: 'Two' })] }),
        jsx(sdk.SegmentedControl, { value: 'a', onChange: note('segment'), options: [{ id: 'a', label: 'A' }, { id: 'z', label: 'Z' }] }),
        jsx(sdk.SearchField, { value: '', placeholder: 'find', onChange: note('search') }),
      ],
    })
  const root = createRoot(jsx(App, {}))
  root.dispatch(withText(root, 'Confirm').ref, 'click')
  root.dispatch(ui(root, 'SelectTrigger').ref, 'click')
  root.dispatch(withText(root, 'B!').ref, 'click')
  root.dispatch(withText(root, 'Two').ref, 'click')
  root.dispatch(withText(root, 'Z').ref, 'click')
  root.dispatch(ui(root, 'SearchField').ref, 'input', { value: 'q' })
  equal(heard, [
    ['confirm', true],
    ['select', 'b'],
    ['tabs', 'two'],
    ['segment', 'z'],
    ['search', 'q'],
  ])
})

test('Contribute shows its children in an area while it is mounted', () => {
  reset()
  const root = createRoot(jsx(sdk.Contribute, { id: 'demo:control', area: 'titleBar.right', children: jsx('i', {}) }))
  const [{ contribution, via }] = seen.contributions
  equal([contribution.id, contribution.area, via, createRoot(contribution.render()).markup()], ['demo:control', 'titleBar.right', 'Contribute', '<i></i>'])
  root.unmount()
  equal(seen.contributions, [])
})

test('an animation loop counts as a timer until it is disposed, and rests when idle', () => {
  reset()
  let frames = 0
  let idle = false
  const loop = sdk.createBudgetedLoop(() => (frames += 1), { fps: 10, idleWhen: () => idle })
  advance(1000)
  equal(frames, 10)
  idle = true
  advance(1000)
  equal([frames, loop.isDormant()], [11, true])
  equal(seen.alive.length, 1)
  loop.dispose()
  loop.wake()
  advance(1000)
  equal([frames, seen.alive.length], [11, 0])
})

test('a cache forgets what was used longest ago', () => {
  const cache = new sdk.LruCache(2)
  cache.set('a', 1).set('b', 2)
  cache.get('a')
  cache.set('c', 3)
  equal([[...cache.keys()], cache.size, cache.get('b')], [['a', 'c'], 2, undefined])
})

test('a name that only a shell knows is harmless', () => {
  const Made = sdk.anyExport('BrandNew')
  equal(createRoot(jsx(Made, { children: 'x' })).markup(), '<div data-ui="BrandNew">x</div>')
  equal([sdk.anyExport('useThing')(), sdk.anyExport('doIt')(), sdk.anyExport('NEW_AREA'), sdk.anyExport('NEW_AREAS')], [{}, undefined, 'new_area', {}])
})
