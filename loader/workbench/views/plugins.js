// The list of plugins, live, and beside it (or instead of it, on a narrow screen) the one that is open.

import { h, icon, say, fill } from '/workbench/dom.js'
import { toggle, togglePin, reload } from '/workbench/doing.js'
import { detailPanel } from '/workbench/views/detail.js'
import { createRow } from '/workbench/views/plugin_row.js'

const COLUMNS = [
  ['name', 'Plugin'],
  ['state', 'State'],
  ['findings', 'Findings'],
  ['door', 'Door'],
  ['size', 'Size'],
  ['check', 'Check'],
  ['revision', 'Revision'],
  ['switch', 'Switch'],
]
// One collator for all: comparing by localeCompare makes one for each pair.
const { compare: byWords } = new Intl.Collator()
const RANK = { failed: 0, shadowed: 1, ready: 2, disabled: 3 }
const weight = (row) =>
  row.diagnostics.reduce((sum, found) => sum + { error: 1e6, warning: 1e3, info: 1 }[found.severity], 0)
const BY = {
  name: (a, b) => byWords(a.name, b.name),
  state: (a, b) => RANK[a.state] - RANK[b.state],
  findings: (a, b) => weight(b) - weight(a),
  door: (a, b) => byWords(a.door, b.door),
  size: (a, b) => b.size_bytes - a.size_bytes,
  check: (a, b) => b.checked_in_ms - a.checked_in_ms,
  revision: (a, b) => String(b.loaded_at ?? '').localeCompare(String(a.loaded_at ?? '')),
  switch: (a, b) => Number(b.enabled) - Number(a.enabled),
}
const STATES = ['all', 'ready', 'failed', 'disabled', 'shadowed']

export function pluginsView({ store, live, go }) {
  const made = new Map()
  let order = []
  let sortBy = 'name'
  let backwards = false
  let state = 'all'
  let words = ''
  let current = null
  let first = true

  const filter = h('input', {
    type: 'search',
    placeholder: 'Filter by name, id, area, code',
    'aria-label': 'Filter plugins',
    spellcheck: 'false',
    on: {
      input: () => {
        words = filter.value.trim().toLowerCase()
        arrange()
      },
    },
  })
  const counts = new Map(STATES.map((name) => [name, h('span', { class: 'count' })]))
  const states = h(
    'div',
    { class: 'segments', role: 'group', 'aria-label': 'State' },
    STATES.map((name) =>
      h(
        'button',
        {
          type: 'button',
          'aria-pressed': String(name === state),
          data: { state: name },
          on: { click: () => choose(name) },
        },
        name === 'all' ? 'All' : name,
        counts.get(name),
      ),
    ),
  )
  const heads = COLUMNS.map(([name, title]) =>
    h(
      'th',
      { class: `c-${name}`, scope: 'col', role: 'columnheader' },
      h(
        'button',
        { type: 'button', class: 'head', data: { sort: name }, on: { click: () => sort(name) } },
        title,
        icon('sort'),
      ),
    ),
  )
  // Rows are grids, so that those out of sight cost no layout; what they are has to be said then.
  const body = h('tbody', { role: 'rowgroup' })
  const table = h(
    'table',
    { class: 'plugins', role: 'table', 'aria-label': 'Plugins' },
    h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' }, heads)),
    body,
  )
  const nothing = h('p', { class: 'empty', hidden: true })
  // The heading of the whole view: on a narrow screen the list is not always there.
  const heading = h('h1', { class: 'sr' }, 'Plugins')
  const title = h('p', { class: 'title', 'aria-hidden': 'true' }, 'Plugins')
  const home = h('p', { class: 'home faint mono' })
  const list = h(
    'section',
    { class: 'list', 'aria-label': 'All plugins' },
    h(
      'div',
      { class: 'list-head' },
      h('div', { class: 'row title-row' }, title, home),
      h(
        'div',
        { class: 'row tools' },
        filter,
        states,
        h('button', { type: 'button', on: { click: () => reload(null) } }, icon('reload'), 'Reload all'),
      ),
    ),
    h('div', { class: 'table-box' }, table),
    nothing,
  )
  const detail = detailPanel({ store, live, go, close })
  const element = h('div', { class: 'split' }, heading, list, detail.element)

  function choose(name) {
    state = name
    for (const button of states.children) button.setAttribute('aria-pressed', String(button.dataset.state === name))
    arrange()
  }

  function sort(name) {
    backwards = sortBy === name ? !backwards : false
    sortBy = name
    arrange()
  }

  function matches(row) {
    if (state !== 'all' && row.state !== state) return false
    if (!words) return true
    const text = [
      row.name,
      row.id,
      row.key,
      row.state,
      row.description ?? '',
      ...row.diagnostics.map((found) => `${found.code} ${found.rule}`),
      ...row.contributions.map((found) => found.area),
    ]
    return words.split(/\s+/).every((word) => text.some((part) => part.toLowerCase().includes(word)))
  }

  /** Moved, not put in anew: that would take the focus from a row that goes elsewhere, and end its flash. */
  function move(element, place) {
    if (element.isConnected && body.moveBefore) body.moveBefore(element, place)
    else body.insertBefore(element, place)
  }

  /** Which rows, in which order. Rows that stay are the same elements, so focus and flashes survive. */
  function arrange() {
    const compare = BY[sortBy]
    order = [...store.rows.values()]
      .filter(matches)
      .sort((a, b) => (backwards ? -1 : 1) * compare(a, b) || (a.key < b.key ? -1 : 1))
    let before = null
    for (const row of order) {
      const element = made.get(row.key).element
      const place = before ? before.nextSibling : body.firstChild
      if (place !== element) move(element, place)
      before = element
    }
    while (before ? before.nextSibling : body.firstChild) (before ? before.nextSibling : body.firstChild).remove()
    for (const head of heads) {
      const on = head.firstChild.dataset.sort === sortBy
      if (on) head.setAttribute('aria-sort', backwards ? 'descending' : 'ascending')
      else head.removeAttribute('aria-sort')
    }
    nothing.hidden = order.length > 0
    table.hidden = order.length === 0
    if (!order.length) {
      if (!store.about) fill(nothing)
      else if (store.rows.size) fill(nothing, 'No plugin fits this filter.')
      else
        fill(
          nothing,
          'No plugin is here yet. Put one into ',
          h('code', {}, `${store.about?.home ?? '~/.hermes'}/desktop-plugins/<name>/plugin.js`),
          ', or begin one with ',
          h('code', {}, 'hermes-desktop new'),
          '.',
        )
    }
  }

  function count() {
    const numbers = { all: store.rows.size }
    for (const row of store.rows.values()) numbers[row.state] = (numbers[row.state] ?? 0) + 1
    for (const name of STATES) {
      const number = numbers[name] ?? 0
      say(counts.get(name), String(number))
      const button = counts.get(name).parentElement
      button.hidden = number === 0 && name !== 'all' && name !== state
    }
  }

  function rowsChanged(changes) {
    const all = changes.has('*')
    if (all) for (const key of made.keys()) if (!store.rows.has(key)) drop(key)
    for (const key of all ? store.rows.keys() : changes) {
      const row = store.rows.get(key)
      if (!row) drop(key)
      else if (made.has(key)) made.get(key).update(row, { flash: !first })
      else {
        made.set(key, createRow(row, { open: () => open(key), flash: !first && !all }))
        made.get(key).select(key === current)
      }
    }
    first = false
    count()
    arrange()
    if (all) mark()
  }

  function drop(key) {
    made.get(key)?.element.remove()
    made.delete(key)
  }

  function mark() {
    for (const [key, row] of made) row.select(key === current)
  }

  function open(key, tab) {
    go(`#/plugins/${encodeURIComponent(key)}${tab ? `/${tab}` : ''}`)
  }

  function close() {
    const row = made.get(current)
    go('#/plugins')
    row?.focus()
  }

  function step(by) {
    if (!order.length) return
    const focused = [...made].find(([, row]) => row.element.contains(document.activeElement))?.[0] ?? current
    const at = order.findIndex((row) => row.key === focused)
    const next = order[Math.min(Math.max(at + by, 0), order.length - 1)]
    made.get(next.key).focus()
    if (current) open(next.key, detail.tab())
  }

  function meant() {
    const focused = [...made].find(([, row]) => row.element.contains(document.activeElement))?.[0]
    return store.rows.get(focused ?? current)
  }

  store.on('rows', rowsChanged)
  store.on('about', () => {
    arrange()
    say(home, store.about.home)
    home.title = store.about.home
  })
  if (store.rows.size) rowsChanged(new Set(['*']))
  if (store.about) say(home, store.about.home)

  return {
    element,
    show([key = null, tab]) {
      const before = current
      current = key ? (store.rowOf(key)?.key ?? key) : null
      const inList = list.contains(document.activeElement)
      const left = detail.element.contains(document.activeElement) ? before : null
      element.classList.toggle('open', current !== null)
      detail.open(current, tab)
      // On a narrow screen the list gives way, with the row that had the focus; then it takes it back.
      if (inList && current && !list.checkVisibility()) detail.focus()
      else if (left && !current) made.get(left)?.focus()
      mark()
      if (!store.rows.size) arrange()
    },
    key(key) {
      if (key === 'j' || key === 'ArrowDown') step(1)
      else if (key === 'k' || key === 'ArrowUp') step(-1)
      else if (key === 'Escape' && current) close()
      else if ((key === '[' || key === ']') && current) detail.turn(key === ']' ? 1 : -1)
      else if (['e', 'p', 'r'].includes(key)) {
        const row = meant()
        if (!row) return false
        if (key === 'e') toggle(row)
        else if (key === 'p') togglePin(row)
        else reload([row.key])
      } else return false
      return true
    },
  }
}
