// The page: entering, the connection, which view is shown, the keys that work everywhere.

import { wordsOf } from '/workbench/address.js'
import { alive, showConnection } from '/workbench/connection.js'
import { announce, fill, h, icon, say } from '/workbench/dom.js'
import { notice } from '/workbench/doing.js'
import { connectLive } from '/workbench/live.js'
import { gate } from '/workbench/gate.js'
import { codeIn, get, onEntered, onOver, token } from '/workbench/session.js'
import { createStore } from '/workbench/store.js'
import { nextTheme, setUpTheme } from '/workbench/theme.js'
import { appView } from '/workbench/views/app.js'
import { doctorView } from '/workbench/views/doctor.js'
import { eventsView } from '/workbench/views/events.js'
import { layoutView } from '/workbench/views/layout.js'
import { packagesView } from '/workbench/views/packages.js'
import { pluginsView } from '/workbench/views/plugins.js'
import { policyView } from '/workbench/views/policy.js'

const VIEWS = [
  ['plugins', 'Plugins', pluginsView],
  ['layout', 'Layout', layoutView],
  ['events', 'Events', eventsView],
  ['policy', 'Policy', policyView],
  ['doctor', 'Doctor', doctorView],
]
// Reached by a link, and without a number of its own.
const BESIDE = [
  ['app', 'Apps', appView],
  ['packages', 'Installed', packagesView],
]
export const store = createStore()
export const live = connectLive({ token, onEvent: receive, onState, alive })
const door = gate({ onEnter: () => live.retry() })
const main = document.getElementById('main')
const context = { store, live, go }
const made = new Map()
let shown = null

// ---------------------------------------------------------------- the connection

function onState(state) {
  store.connection = state
  store.touch('connection')
  showConnection(state, store.about !== null)
  if (state === 'locked') door.show(store.about !== null)
  else if (state === 'live') {
    door.hide()
    // What failed for want of the service is no news any more.
    notice(null)
  }
}

const TOLD = { 'plugin/load': 'loaded', 'plugin/failed': 'does not pass' }

function receive(method, params) {
  store.receive(method, params)
  if (TOLD[method]) announce(`${params.row.name}: ${TOLD[method]}`)
}

// ---------------------------------------------------------------- views

function go(hash) {
  if (location.hash !== hash) location.hash = hash
}

function route() {
  const code = codeIn(location.hash)
  if (code) {
    // The code is used once; it must not stay in the address or in the history.
    const view = /&view=(\/[\w./%-]+)/.exec(location.hash)?.[1] ?? '/plugins'
    history.replaceState(null, '', `#${view}`)
    door.enter(code)
  }
  const [name = 'plugins', ...rest] = wordsOf(location.hash)
  const [id, title, make] = [...VIEWS, ...BESIDE].find(([view]) => view === name) ?? VIEWS[0]
  if (!made.has(id)) made.set(id, make(context))
  const view = made.get(id)
  if (shown !== view) {
    shown?.hide?.()
    main.replaceChildren(view.element)
    shown = view
  }
  for (const link of document.querySelectorAll('#views a')) {
    if (link.dataset.view === id) {
      link.setAttribute('aria-current', 'page')
      // On a narrow screen the bar scrolls sideways.
      link.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    } else link.removeAttribute('aria-current')
  }
  document.title = `${title} · Hermes Desktop`
  view.show(rest)
}

fill(
  document.getElementById('views'),
  VIEWS.map(([id, title], index) =>
    h('a', { href: `#/${id}`, data: { view: id }, title: `${title} (${index + 1})` }, title),
  ),
  h('a', { href: '#/app', data: { view: 'app' }, title: 'Web apps from elsewhere', hidden: true }, 'Apps'),
  h('a', { href: '#/packages', data: { view: 'packages' }, title: 'Installed from elsewhere' }, 'Installed'),
  h('a', { href: '/workbench/pages.html', title: 'Pages for phones and the web' }, 'Pages'),
)

store.on('requests', () => {
  const count = store.waiting
  say(document.querySelector('#views a[data-view="packages"]'), count ? `Installed (${count})` : 'Installed')
  if (count) announce(count === 1 ? 'A request waits for you' : `${count} requests wait for you`)
})

// ---------------------------------------------------------------- keys

const KEYS = [
  [['1', '…', '5'], 'Go to a view'],
  [['/'], 'Filter'],
  [['j'], 'Next'],
  [['k'], 'Previous'],
  [['Enter'], 'Open'],
  [['Esc'], 'Close, or leave the filter'],
  [['e'], 'Switch the plugin on or off'],
  [['p'], 'Pin or unpin it'],
  [['r'], 'Read it again from disk'],
  [['[', ']'], 'Previous and next tab of a plugin'],
  [['t'], 'Theme: system, light, dark'],
  [['?'], 'These keys'],
]
store.on('apps', () => {
  document.querySelector('#views [data-view=app]').hidden = store.apps.size === 0
})
store.on('about', async () => {
  try {
    store.putApps((await get('/v1/wall')).apps)
    store.waiting = (await get('/v1/packages/requests')).requests.length
    store.touch('requests')
  } catch {
    // Without the service there is no list; it comes with the next connection.
  }
})
const shortcuts = document.getElementById('shortcuts')
fill(
  shortcuts,
  h('h2', { id: 'shortcuts-title' }, 'Keyboard'),
  h(
    'dl',
    { class: 'keys' },
    KEYS.map(([keys, what]) => [
      h(
        'dt',
        {},
        keys.map((key) => (key === '…' ? '…' : h('kbd', {}, key))),
      ),
      h('dd', {}, what),
    ]),
  ),
  h('form', { method: 'dialog' }, h('div', { class: 'buttons' }, h('button', { class: 'primary' }, 'Close'))),
)

function isTyping(target) {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}

document.addEventListener('keydown', (event) => {
  if (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    event.defaultPrevented ||
    document.querySelector('dialog[open]')
  )
    return
  if (isTyping(event.target)) {
    if (event.key === 'Escape') event.target.blur()
    return
  }
  const { key } = event
  if (/^[1-5]$/.test(key)) go(`#/${VIEWS[Number(key) - 1][0]}`)
  else if (key === '?') shortcuts.showModal()
  else if (key === 't') nextTheme()
  else if (key === '/') {
    const field = main.querySelector('input[type=search]')
    if (!field) return
    field.focus()
    field.select()
  } else if (!shown?.key?.(key, event)) return
  event.preventDefault()
})

const help = document.getElementById('help')
help.append(icon('key'))
help.addEventListener('click', () => shortcuts.showModal())
setUpTheme(document.getElementById('theme'))

// ---------------------------------------------------------------- begin

onOver(live.check)
onEntered(() => {
  if (store.connection !== 'locked') return false
  queueMicrotask(() => live.retry())
  return true
})
addEventListener('hashchange', route)
route()
live.open()
