// A schematic window of the app with everybody's contributions in their places, and where two want the same.

import { dot, fill, h, hueOf } from '/workbench/dom.js'
import { collisionsOf, contributionsOf, placeOf, titleOf } from '/workbench/places.js'

const WINDOW = [
  ['titleBar.left', 'title-left', 'Title bar, left'],
  ['titleBar.center', 'title-center', 'Title bar, centre'],
  ['titleBar.right', 'title-right', 'Title bar, right'],
  ['sidebar', 'sidebar', 'Sidebar'],
  ['panes.left', 'left', 'Left panes'],
  ['panes.top', 'top', 'Top panes'],
  ['main', 'main-area', 'Main'],
  ['panes.right', 'right', 'Right panes'],
  ['composer', 'composer', 'Composer'],
  ['panes.bottom', 'bottom', 'Bottom panes'],
  ['statusBar.left', 'status-left', 'Status bar, left'],
  ['statusBar.right', 'status-right', 'Status bar, right'],
]
const BESIDE = [
  ['palette', 'Palette'],
  ['keybinds', 'Keys'],
  ['themes', 'Themes'],
  ['transcript', 'Transcript'],
  ['floating', 'Floating panes'],
  ['settings', 'Settings'],
  ['elsewhere', 'Elsewhere'],
]

export function layoutView({ store }) {
  let only = null
  const places = new Map()
  const place = (id, area, title) => {
    const chips = h('ul', { class: 'chips' })
    const box = h('section', { class: `place p-${area}`, 'aria-label': title }, h('h2', {}, title), chips)
    places.set(id, { box, chips })
    return box
  }
  const picture = h(
    'div',
    { class: 'app-window' },
    WINDOW.map(([id, area, title]) => place(id, area, title)),
  )
  const beside = h(
    'div',
    { class: 'beside' },
    BESIDE.map(([id, title]) => place(id, 'beside', title)),
  )
  const legend = h('div', { class: 'legend-chips', role: 'group', 'aria-label': 'Plugins' })
  const clashes = h('section', { class: 'stack tight', 'aria-label': 'Collisions' })
  const all = h(
    'label',
    { class: 'check' },
    h('input', { type: 'checkbox', on: { change: () => draw() } }),
    'show those switched off too',
  )
  const element = h(
    'div',
    { class: 'page' },
    h('div', { class: 'page-head' }, h('h1', {}, 'Who puts what where'), all),
    legend,
    picture,
    beside,
    clashes,
  )

  function chip(found, clash) {
    const { row, contribution } = found
    return h(
      'li',
      {},
      h(
        'a',
        {
          class: 'chip',
          href: `#/plugins/${encodeURIComponent(row.key)}/preview`,
          css: { '--hue': hueOf(row.id) },
          data: { clash: String(Boolean(clash)), dim: String(only !== null && only !== row.key) },
          title: `${row.name}: ${contribution.area} ${contribution.scoped_id}${clash ? ` (${clash})` : ''}`,
        },
        h('span', { class: 'name' }, titleOf(contribution)),
        clash ? h('span', { class: 'sr' }, ` collides: ${clash}`) : null,
      ),
    )
  }

  function draw() {
    const rows = [...store.rows.values()].filter(
      (row) => row.contributions.length && (row.running_revision || all.firstChild.checked),
    )
    const found = contributionsOf(rows)
    const { clashOf, list } = collisionsOf(found)
    const by = new Map([...places.keys()].map((id) => [id, []]))
    for (const each of found) by.get(placeOf(each.contribution)).push(each)
    for (const [id, { box, chips }] of places) {
      fill(
        chips,
        by.get(id).map((each) => chip(each, clashOf.get(each))),
      )
      box.dataset.empty = String(by.get(id).length === 0)
    }
    fill(
      legend,
      rows
        .sort((a, b) => a.name.localeCompare(b.name))
        .map((row) =>
          h(
            'button',
            {
              type: 'button',
              class: 'quiet',
              'aria-pressed': String(only === row.key),
              on: {
                click: () => {
                  only = only === row.key ? null : row.key
                  draw()
                },
              },
            },
            dot(row.id),
            h('span', { class: 'name' }, row.name),
          ),
        ),
    )
    fill(
      clashes,
      h('h2', {}, list.length ? `${list.length} ${list.length === 1 ? 'collision' : 'collisions'}` : 'No collisions'),
      list.length ? null : h('p', { class: 'faint' }, 'No two plugins want the same path, key, command, name or id.'),
      list.map((clash) =>
        h(
          'p',
          { class: 'note row' },
          h('b', { class: 'name' }, clash.what),
          clash.rows.map((row) =>
            h(
              'a',
              { class: 'row', href: `#/plugins/${encodeURIComponent(row.key)}` },
              dot(row.id),
              h('bdi', {}, row.name),
            ),
          ),
        ),
      ),
    )
  }

  let visible = false
  store.on('rows', () => visible && draw())
  return {
    element,
    show() {
      visible = true
      draw()
    },
    hide() {
      visible = false
    },
  }
}
