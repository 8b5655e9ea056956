// The hub: which plugins have pages, here and on connected hosts, and what a person allowed them.

import { announce, fill, h, icon } from '/workbench/dom.js'

export const DRAFTS = ['hermes-relay', 'hermes-drafts']

/** Draws all places into `main`. `redraw` is called when a choice has changed what there is. */
export function drawHub(main, places, redraw) {
  document.title = 'Pages · Hermes Desktop'
  const kept = document.activeElement?.dataset?.focus
  fill(
    main,
    h(
      'div',
      { class: 'hub' },
      h('h1', {}, 'Pages'),
      places.map((place) => placeSection(place, redraw)),
    ),
  )
  if (kept) main.querySelector(`[data-focus="${CSS.escape(kept)}"]`)?.focus()
}

function placeSection(place, redraw) {
  const surfaces = place.surfaces ?? []
  const having = surfaces.filter(({ pages, diagnostics }) => pages.length || diagnostics.length)
  const without = surfaces.filter((surface) => !having.includes(surface))
  const cards = [
    place.trouble && trouble(place),
    having.map((surface) => surfaceCard(place, surface, redraw)),
    place.surfaces && having.length === 0 && h('p', { class: 'empty' }, 'No plugin offers pages, and nothing is drafted.'),
    without.length > 0 &&
      h(
        'details',
        {},
        h('summary', { class: 'faint' }, 'Without pages'),
        h(
          'ul',
          { class: 'findings-list' },
          without.map(({ id, why }) => h('li', { class: 'faint' }, `${id}: ${why ?? 'nothing drafted'}`)),
        ),
      ),
  ]
  if (place.isOwn) return cards
  return h(
    'section',
    { class: 'place', 'aria-label': `Pages of ${place.name}`, data: { host: place.name } },
    h('h2', {}, h('bdi', {}, place.name), ' ', h('small', { class: 'faint' }, place.url)),
    place.surfaces === null && !place.trouble && h('p', { class: 'soft' }, 'Asking…'),
    cards,
  )
}

function trouble(place) {
  if (place.trouble.status === 401) return null
  const again = h('button', { type: 'button', on: { click: place.look } }, icon('reload'), 'Try again')
  return h('div', { class: 'trouble' }, h('p', { class: 'note', data: { tone: 'bad' }, role: 'alert' }, place.trouble.message), again)
}

function surfaceCard(place, surface, redraw) {
  const { id, name, description, enabled, asks_to_write: asks, may_write: may, why, diagnostics, pages } = surface
  const key = `${place.id ?? ''}/${id}`
  const write = DRAFTS.includes(id) ? 'May keep and remove pages' : 'May change things in its backend'

  async function choose(wish) {
    try {
      await place.choose(id, wish)
      redraw()
    } catch (error) {
      announce(error.message)
      place.look()
    }
  }

  return h(
    'section',
    { class: 'card surface', 'aria-label': name, data: { plugin: id } },
    h(
      'header',
      {},
      h('div', {}, h(place.isOwn ? 'h2' : 'h3', {}, name), description && h('p', { class: 'soft' }, description)),
      !why && choice(`${key}/on`, enabled ? 'On' : 'Off', `Pages of ${name}`, enabled, (on) => choose({ enabled: on })),
    ),
    why && h('p', { class: 'note', data: { tone: 'bad' } }, why),
    enabled && asks && choice(`${key}/write`, write, null, may, (on) => choose({ write: on })),
    diagnostics.length > 0 && findings(diagnostics),
    enabled && h('ul', {}, pages.map((page) => h('li', {}, pageLink(place, id, page)))),
  )
}

function choice(key, words, label, checked, onChange) {
  const box = h('input', { type: 'checkbox', role: 'switch', checked, 'aria-label': label, data: { focus: key } })
  box.addEventListener('change', () => onChange(box.checked))
  return h('label', { class: 'switch' }, box, h('span', {}, words))
}

export function statusTag(status) {
  return (
    { draft: h('span', { class: 'tag', data: { tone: 'warn' } }, 'Draft preview'), published: h('span', { class: 'tag', data: { tone: 'good' } }, 'Published') }[status] ?? null
  )
}

function pageLink(place, plugin, { id, title, description, status }) {
  return h('a', { href: place.hash(plugin, id) }, title, statusTag(status), description && h('small', {}, description))
}

function findings(diagnostics) {
  return h(
    'details',
    {},
    h('summary', { class: 'soft' }, `${diagnostics.length} ${diagnostics.length === 1 ? 'finding' : 'findings'} in its manifest`),
    h(
      'ul',
      { class: 'findings-list' },
      diagnostics.map(({ code, message, hint }) => h('li', {}, `${code} ${message}. ${hint ?? ''}`)),
    ),
  )
}
