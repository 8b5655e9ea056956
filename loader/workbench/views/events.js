// What happens, as it happens: newest first, with filter, pause, and the timeline of a reload.

import { dot, fill, h, icon, say } from '/workbench/dom.js'
import { timeline } from '/workbench/views/timeline.js'

const SHOWN = 300
const KINDS = [
  ['life', 'Plugins', /^plugin\/(load|unload|failed)$/],
  ['rows', 'Rows', /^plugin\/changed$/],
  ['policy', 'Policy', /^(policy|pet)\//],
  ['log', 'Log', /^log$/],
  ['connection', 'Connection', /^(hello|resumed)$/],
]
const TONE = { 'plugin/load': 'good', 'plugin/failed': 'bad', 'plugin/unload': 'warn' }

const clock = (at) => `${new Date(at).toLocaleTimeString([], { hour12: false })}.${String(at % 1000).padStart(3, '0')}`

function told({ method, params }) {
  switch (method) {
    case 'plugin/load':
      return `${params.row.revision.slice(0, 8)} (${params.reason})`
    case 'plugin/unload':
      return `${params.revision.slice(0, 8)} (${params.reason})`
    case 'plugin/failed': {
      const error = params.row.diagnostics.find((found) => found.severity === 'error')
      return error ? `${error.code}: ${error.message}` : 'does not pass'
    }
    case 'plugin/changed':
      return params.removed
        ? 'removed'
        : `${params.row.state}${params.row.shells.length ? `, ${params.row.shells.map((shell) => `${shell.shell} ${shell.state}`).join(', ')}` : ''}`
    case 'log':
      return params.text
    case 'pet/lines':
      return `${params.lines.length} lines show`
    case 'policy/actions':
      return `${params.actions.filter((action) => action.verdict === 'ok').length} actions can run`
    case 'hello':
      return `snapshot of ${params.plugins?.length ?? 0} plugins, event ${params.seq}`
    case 'resumed':
      return `resumed after event ${params.seq}`
    default:
      return ''
  }
}

export function eventsView({ store }) {
  let words = ''
  let paused = null
  let visible = false
  const kinds = new Set(KINDS.map(([id]) => id))
  const filter = h('input', {
    type: 'search',
    placeholder: 'Filter events',
    'aria-label': 'Filter events',
    spellcheck: 'false',
    on: {
      input: () => {
        words = filter.value.trim().toLowerCase()
        draw()
      },
    },
  })
  const pauseWords = h('span', {}, 'Pause')
  const pause = h('button', { type: 'button', 'aria-pressed': 'false', on: { click: hold } }, icon('pause'), pauseWords)
  const choices = h(
    'div',
    { class: 'segments', role: 'group', 'aria-label': 'Kinds' },
    KINDS.map(([id, title]) =>
      h(
        'button',
        { type: 'button', 'aria-pressed': 'true', on: { click: (event) => choose(id, event.currentTarget) } },
        title,
      ),
    ),
  )
  const body = h('tbody')
  const table = h(
    'table',
    { class: 'events', 'aria-label': 'Events' },
    h(
      'thead',
      { class: 'sr' },
      h(
        'tr',
        {},
        ['Time', 'Number', 'Event', 'Plugin', 'What', 'Timeline'].map((title) => h('th', { scope: 'col' }, title)),
      ),
    ),
    body,
  )
  const nothing = h('p', { class: 'empty' }, 'Nothing yet. Save a plugin and it shows here.')
  const line = timeline({ store })
  const element = h(
    'div',
    { class: 'page' },
    h('div', { class: 'page-head' }, h('h1', {}, 'Events'), filter, choices, pause),
    line.element,
    h('div', { class: 'card table-box' }, table, nothing),
  )
  const rows = new Map()

  function choose(id, button) {
    if (kinds.has(id)) kinds.delete(id)
    else kinds.add(id)
    button.setAttribute('aria-pressed', String(kinds.has(id)))
    draw()
  }

  function hold() {
    paused = paused === null ? (store.events.at(-1)?.n ?? 0) : null
    pause.setAttribute('aria-pressed', String(paused !== null))
    fill(pause, icon(paused === null ? 'pause' : 'play'), pauseWords)
    draw()
  }

  function fits(event) {
    if (paused !== null && event.n > paused) return false
    const kind = KINDS.find(([, , pattern]) => pattern.test(event.method))?.[0]
    if (kind && !kinds.has(kind)) return false
    return !words || `${event.method} ${event.id ?? ''} ${told(event)}`.toLowerCase().includes(words)
  }

  function rowOf(event) {
    let row = rows.get(event.n)
    if (row) return row
    const open =
      event.method === 'plugin/load' || event.method === 'plugin/failed'
        ? h(
            'button',
            { type: 'button', class: 'quiet', on: { click: () => line.show(event) } },
            'Timeline',
            h('span', { class: 'sr' }, ` of ${event.id}`),
          )
        : null
    row = h(
      'tr',
      {},
      h('td', { class: 'mono faint' }, clock(event.at)),
      h('td', { class: 'mono faint seq' }, event.params.seq ?? ''),
      h('td', {}, h('span', { class: 'tag mono', data: { tone: TONE[event.method] ?? '' } }, event.method)),
      h('td', {}, event.id ? h('span', { class: 'row' }, dot(event.id), h('bdi', {}, event.id)) : null),
      h('td', { class: 'what' }, h('bdi', {}, told(event))),
      h('td', { class: 'end' }, open),
    )
    rows.set(event.n, row)
    return row
  }

  function draw() {
    const shown = store.events.filter(fits).slice(-SHOWN).reverse()
    const keep = new Set(shown.map((event) => event.n))
    for (const number of rows.keys()) if (!keep.has(number)) rows.delete(number)
    // Newest first: new rows go in front, the others stay where they are.
    const wanted = shown.map(rowOf)
    wanted.forEach((row, index) => {
      if (body.children[index] !== row) body.insertBefore(row, body.children[index] ?? null)
    })
    while (body.children.length > wanted.length) body.lastChild.remove()
    table.hidden = !shown.length
    nothing.hidden = shown.length > 0
    const waiting = paused === null ? 0 : (store.events.at(-1)?.n ?? 0) - paused
    say(pauseWords, paused === null ? 'Pause' : waiting ? `Go on (${waiting} new)` : 'Go on')
  }

  store.on('events', () => visible && draw())
  return {
    element,
    show() {
      visible = true
      draw()
    },
    hide() {
      visible = false
    },
    key(key) {
      if (key !== 'p') return false
      hold()
      return true
    },
  }
}
