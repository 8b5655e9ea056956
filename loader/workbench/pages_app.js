// The host of declarative pages: which plugins have some, what a person allowed them, and one page at a time.

import { announce, fill, h, icon, say } from '/workbench/dom.js'
import { gate } from '/workbench/gate.js'
import { connectLive } from '/workbench/live.js'
import { confirmInDialog, pollAfterMs, renderPage, stateAfter } from '/workbench/pages.js'
import { call, codeIn, forget, get, onEntered, token, Refused } from '/workbench/session.js'
import { setUpTheme } from '/workbench/theme.js'

const CONNECTION = { connecting: 'Connecting', live: 'Live', away: 'Service away, trying again', locked: 'Session over' }
// A backend may be slow to start, and says nothing when its manifest changes.
const LOOK_EVERY_MS = 5000
const DRAFTS = ['hermes-relay', 'hermes-drafts']
const main = document.getElementById('main')
const live = connectLive({ token, onEvent: receive, onState, alive })
const door = gate({ onEnter: () => live.retry() })
let connection = 'connecting'
let surfaces = null
let open = null
let looks = 0
let nextLook = 0

// ---------------------------------------------------------------- the connection

async function alive() {
  try {
    if ((await get('/v1/health')).version) return 'yes'
    forget()
    return 'locked'
  } catch (error) {
    if (!(error instanceof Refused && error.status === 401)) return 'no'
    forget()
    return 'locked'
  }
}

function onState(state) {
  connection = state
  const shown = document.getElementById('connection')
  shown.dataset.state = state
  shown.title = CONNECTION[state]
  say(shown.querySelector('.words'), CONNECTION[state])
  if (state === 'locked') door.show(surfaces !== null)
  else if (state === 'live') door.hide()
}

function receive(method, params) {
  if (method === 'hello') route()
  else if (method === 'plugin/load' || method === 'plugin/unload') look()
  else if (/^plugin\..+\.mobile\.changed$/.test(method)) {
    look()
    if (open && open.plugin === params.plugin) open.load()
  }
}

// ---------------------------------------------------------------- the hub

/** Asks what there is; the newest answer counts. While the hub is looked at, again after a while. */
async function look() {
  const mine = (looks += 1)
  clearTimeout(nextLook)
  try {
    const found = (await get('/v1/pages')).surfaces
    if (mine !== looks) return
    const changed = JSON.stringify(found) !== JSON.stringify(surfaces)
    surfaces = found
    if (open) open.around()
    else if (changed || !main.querySelector('.surface')) drawHub()
  } catch (error) {
    if (mine === looks && !open) trouble(error)
  }
  if (mine === looks) lookLater()
}

function lookLater() {
  clearTimeout(nextLook)
  if (!open && connection === 'live' && document.visibilityState === 'visible') nextLook = setTimeout(look, LOOK_EVERY_MS)
}

function trouble(error) {
  if (error.status === 401) return
  fill(main, h('div', { class: 'hub' }, h('p', { class: 'note', data: { tone: 'bad' }, role: 'alert' }, error.message), retry(look)))
}

function retry(again) {
  return h('button', { type: 'button', on: { click: again } }, icon('reload'), 'Try again')
}

function drawHub() {
  document.title = 'Pages · Hermes Desktop'
  const kept = document.activeElement?.dataset?.focus
  const having = surfaces.filter(({ pages, diagnostics }) => pages.length || diagnostics.length)
  const without = surfaces.filter((surface) => !having.includes(surface))
  fill(
    main,
    h(
      'div',
      { class: 'hub' },
      h('h1', {}, 'Pages'),
      having.map(surfaceCard),
      having.length === 0 && h('p', { class: 'empty' }, 'No plugin offers pages, and nothing is drafted.'),
      without.length > 0 &&
        h('details', {}, h('summary', { class: 'faint' }, 'Without pages'), h('ul', { class: 'findings-list' }, without.map(({ id, why }) => h('li', { class: 'faint' }, `${id}: ${why ?? 'nothing drafted'}`)))),
    ),
  )
  if (kept) main.querySelector(`[data-focus="${CSS.escape(kept)}"]`)?.focus()
}

function surfaceCard(surface) {
  const { id, name, description, enabled, asks_to_write: asks, may_write: may, why, diagnostics, pages } = surface
  return h(
    'section',
    { class: 'card surface', 'aria-label': name, data: { plugin: id } },
    h(
      'header',
      {},
      h('div', {}, h('h2', {}, name), description && h('p', { class: 'soft' }, description)),
      !why && choice(`${id}/on`, enabled ? 'On' : 'Off', `Pages of ${name}`, enabled, (on) => choose(id, { enabled: on })),
    ),
    why && h('p', { class: 'note', data: { tone: 'bad' } }, why),
    enabled && asks && choice(`${id}/write`, DRAFTS.includes(id) ? 'May keep and remove pages' : 'May change things in its backend', null, may, (on) => choose(id, { write: on })),
    diagnostics.length > 0 && findings(diagnostics),
    enabled && h('ul', {}, pages.map((page) => h('li', {}, pageLink(id, page)))),
  )
}

function choice(key, words, label, checked, onChange) {
  const box = h('input', { type: 'checkbox', role: 'switch', checked, 'aria-label': label, data: { focus: key } })
  box.addEventListener('change', () => onChange(box.checked))
  return h('label', { class: 'switch' }, box, h('span', {}, words))
}

async function choose(plugin, wish) {
  try {
    const row = await call('PUT', `/v1/pages/${encodeURIComponent(plugin)}`, wish)
    surfaces = surfaces.map((surface) => (surface.id === plugin ? row : surface))
    // A look that was under way may have been answered before this was known: it would draw the old choice.
    looks += 1
    lookLater()
    // The person may have gone on meanwhile.
    if (open) open.around()
    else drawHub()
  } catch (error) {
    announce(error.message)
    look()
  }
}

function pageLink(plugin, { id, title, description, status }) {
  return h(
    'a',
    { href: `#/${encodeURIComponent(plugin)}/${encodeURIComponent(id)}` },
    title,
    status === 'draft' && h('span', { class: 'tag', data: { tone: 'warn' } }, 'Draft preview'),
    status === 'published' && h('span', { class: 'tag', data: { tone: 'good' } }, 'Published'),
    description && h('small', {}, description),
  )
}

function findings(diagnostics) {
  return h(
    'details',
    {},
    h('summary', { class: 'soft' }, `${diagnostics.length} ${diagnostics.length === 1 ? 'finding' : 'findings'} in its manifest`),
    findingList(diagnostics),
  )
}

function findingList(diagnostics) {
  return h('ul', { class: 'findings-list' }, diagnostics.map(({ code, message, hint }) => h('li', {}, `${code} ${message}. ${hint ?? ''}`)))
}

// ---------------------------------------------------------------- one page

function openPage(plugin, id) {
  const around = h('div', { class: 'around' })
  const note = h('div', { class: 'note', data: { tone: 'bad' }, role: 'alert', hidden: true })
  const room = h('div', {})
  let drawn = null
  let answer = null
  let loading = null
  let timer = 0
  const path = `/v1/pages/${encodeURIComponent(plugin)}/${encodeURIComponent(id)}`

  const contribution = () => surfaces?.find((surface) => surface.id === plugin)?.pages.find((page) => page.id === id)

  /** The newest document; at most one request is under way. Faults leave what is shown as it is. */
  function load(reset = false) {
    loading ??= (async () => {
      try {
        const found = await get(path)
        if (open?.load !== load) return
        note.hidden = true
        show(found, reset)
      } catch (error) {
        if (open?.load !== load || error.status === 401) return
        fill(note, h('p', {}, error.message), h('div', { class: 'row' }, retry(() => load(true))))
        note.hidden = false
      } finally {
        loading = null
        schedule()
      }
    })()
    return loading
  }

  function show(found, reset) {
    const before = !reset && answer ? stateAfter(answer.document, found.document, drawn.state()) : null
    const same = answer !== null && answer.seen === found.seen && !reset
    answer = found
    if (same) return
    drawn = renderPage(found.document, id, { onAction: press, before })
    fill(room, drawn.element)
    document.title = `${drawn.element.querySelector('.hp-title').textContent} · Hermes Desktop`
  }

  async function press(item, state) {
    try {
      await call('POST', `${path}/actions/${encodeURIComponent(item.id)}`, {
        seen: answer.seen,
        state,
        confirmed: item.action.confirmation !== null,
      })
      announce('Done')
      await load(true)
    } catch (error) {
      fill(note, h('p', {}, error.message), h('div', { class: 'row' }, retry(() => load(true))))
      note.hidden = false
      // A page that has changed meanwhile is shown as it is now.
      if (error.status === 409) await load(true)
    }
  }

  function schedule() {
    clearTimeout(timer)
    // What could not be shown at all is tried again: a backend may be slow to start.
    const wait = answer ? pollAfterMs(answer.poll_s) : LOOK_EVERY_MS
    if (wait !== null && open?.load === load && document.visibilityState === 'visible') timer = setTimeout(() => load(), wait)
  }

  function drawAround() {
    const page = contribution()
    const surface = surfaces?.find((one) => one.id === plugin)
    const may = surface?.may_write
    fill(
      around,
      h('a', { href: '#/', class: 'row' }, icon('back'), surface?.name ?? 'Pages'),
      page?.status === 'draft' && h('span', { class: 'tag', data: { tone: 'warn' } }, 'Draft preview'),
      page?.status === 'published' && h('span', { class: 'tag', data: { tone: 'good' } }, 'Published'),
      page?.status === 'draft' && h('button', { type: 'button', class: 'primary', disabled: !may, on: { click: () => decide('promote', page) } }, 'Keep'),
      page?.status && page.digest && h('button', { type: 'button', disabled: !may, on: { click: () => decide('remove', page) } }, 'Remove'),
      page?.status && !may && h('small', { class: 'faint' }, 'To keep or remove, let drafted pages do so.'),
    )
  }

  async function decide(decision, page) {
    const keep = decision === 'promote'
    const asked = keep ? `Keep “${page.title}” as it is now?` : `Remove “${page.title}”? It cannot be brought back.`
    if (!(await confirmInDialog(asked, keep ? 'Keep' : 'Remove'))) return
    try {
      await call('POST', `/api/plugins/${plugin}/mobile/plugins/${encodeURIComponent(id)}/${decision}`, { expected_digest: page.digest })
      announce(keep ? 'Kept' : 'Removed')
      if (!keep) location.hash = '#/'
    } catch (error) {
      fill(note, h('p', {}, error.message))
      note.hidden = false
    }
    look()
  }

  document.addEventListener('visibilitychange', schedule)
  fill(main, h('div', { class: 'shown' }, around, note, room))
  drawAround()
  return {
    plugin,
    id,
    load,
    around: drawAround,
    close() {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', schedule)
    },
  }
}

// ---------------------------------------------------------------- where we are

function route() {
  const code = codeIn(location.hash)
  if (code && location.hash.includes('code=')) {
    // The code is used once; it must not stay in the address or in the history.
    history.replaceState(null, '', '#/')
    door.enter(code)
  }
  const [, plugin, id] = location.hash.split('/').map(decodeURIComponent)
  open?.close()
  open = null
  const asked = plugin === 'drafts' ? (surfaces?.find((surface) => DRAFTS.includes(surface.id))?.id ?? DRAFTS[0]) : plugin
  if (asked && id) {
    open = openPage(asked, id)
    open.load(true)
    look()
  } else if (surfaces) {
    drawHub()
    look()
  } else look()
}

setUpTheme(document.getElementById('theme'))
onEntered(() => {
  if (connection !== 'locked') return false
  queueMicrotask(() => live.retry())
  return true
})
addEventListener('hashchange', route)
document.addEventListener('visibilitychange', lookLater)
route()
live.open()
