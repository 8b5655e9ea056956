// The hub: which plugins have pages, here and on connected hosts, and what a person allowed them.

import { fill, h, icon } from '/workbench/dom.js'
import { connectForm, countsFor, disconnect, disconnectButton } from '/workbench/pages_hosts.js'

export const DRAFTS = ['hermes-relay', 'hermes-drafts']

/**
 * `redraw` is called when a choice has changed what there is, `onHosts` when a host was connected or taken away.
 *
 * Drawn anew it leaves alone what a person is at: the focus, what is unfolded, and the form with what is typed there.
 */
export function createHub({ redraw, onHosts }) {
  const context = { redraw, onHosts, refusals: new Map() }
  const list = h('div', { class: 'places' })
  const element = h('div', { class: 'hub' }, h('h1', {}, 'Pages'), list, connectForm(onHosts))
  return {
    element,
    draw(places) {
      const unfolded = new Set([...list.querySelectorAll('details[open]')].map((details) => details.dataset.key))
      fill(
        list,
        places.map((place) => placeSection(place, context)),
      )
      for (const details of list.querySelectorAll('details')) details.open = unfolded.has(details.dataset.key)
    },
    /** Where the person was before the page of this address was opened. */
    focus(address) {
      const links = [...list.querySelectorAll('a[data-focus]')]
      links.find((link) => link.dataset.focus === address)?.focus()
    },
  }
}

function folded(key, words, ...inside) {
  return h('details', { data: { key } }, h('summary', { class: 'soft', data: { focus: key } }, words), inside)
}

function placeSection(place, context) {
  const surfaces = place.surfaces ?? []
  const having = surfaces.filter(({ pages, diagnostics }) => pages.length || diagnostics.length)
  const without = surfaces.filter((surface) => !having.includes(surface))
  const cards = [
    place.trouble && trouble(place),
    having.map((surface) => surfaceCard(place, surface, context)),
    place.surfaces && having.length === 0 && h('p', { class: 'empty' }, 'No plugin offers pages, and nothing is drafted.'),
    without.length + place.faults.length > 0 &&
      folded(
        `${place.id ?? ''}/without`,
        'Without pages',
        h(
          'ul',
          { class: 'findings-list' },
          without.map(({ id, why }) => h('li', { class: 'faint' }, `${id}: ${why ?? 'nothing drafted'}`)),
          place.faults.map(({ name, why }) => h('li', { class: 'faint' }, `${name || '(no name)'}: ${why}`)),
        ),
      ),
  ]
  if (place.isOwn) return cards

  async function goAway() {
    await attempt(context, place.id, () => disconnect(place))
    await context.onHosts()
    // The button that was pressed may be gone with its host.
    if (document.activeElement === document.body) document.getElementById('main').focus()
  }

  return h(
    'section',
    { class: 'place', 'aria-label': `Pages of ${place.name}`, data: { host: place.name } },
    h(
      'header',
      { class: 'row' },
      h('h2', {}, h('bdi', {}, place.name), ' ', h('small', { class: 'faint' }, place.url)),
      disconnectButton(place, goAway),
    ),
    h('p', { class: 'faint' }, countsFor(place)),
    refusal(context, place.id),
    place.surfaces === null && !place.trouble && h('p', { class: 'soft' }, 'Asking…'),
    cards,
  )
}

function trouble(place) {
  if (place.trouble.status === 401) return null
  const again = h('button', { type: 'button', data: { focus: `${place.id ?? ''}/again` }, on: { click: place.look } }, icon('reload'), 'Try again')
  return h('div', { class: 'trouble' }, h('p', { class: 'note', data: { tone: 'bad' }, role: 'alert' }, place.trouble.message), again)
}

/** What a person wished and did not get is there to be read until the next wish; then it is drawn as it is. */
async function attempt({ refusals, redraw }, key, work) {
  try {
    await work()
    refusals.delete(key)
  } catch (error) {
    refusals.set(key, error.message)
  }
  redraw()
}

function refusal({ refusals }, key) {
  return refusals.has(key) && h('p', { class: 'note', data: { tone: 'bad' }, role: 'alert' }, refusals.get(key))
}

function surfaceCard(place, surface, context) {
  const { id, name, description, enabled, asks_to_write: asks, write_reason: reason, may_write: may, why, diagnostics, pages, pages_beyond: beyond } = surface
  const key = `${place.id ?? ''}/${id}`
  const write = DRAFTS.includes(id) ? 'May keep and remove pages' : 'May change things in its backend'

  const choose = (wish) => attempt(context, key, () => place.choose(id, wish))

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
    refusal(context, key),
    // What was granted can be taken back, also when the manifest no longer asks for it.
    enabled && (asks || may) && choice(`${key}/write`, write, null, may, (on) => choose({ write: on })),
    enabled && reason && h('p', { class: 'faint' }, 'It says why: ', h('q', {}, h('bdi', {}, reason))),
    diagnostics.length > 0 && findings(`${key}/findings`, diagnostics),
    enabled && h('ul', {}, pages.map((page) => h('li', {}, pageLink(place, id, page)))),
    enabled && beyond > 0 && h('p', { class: 'faint' }, `${beyond} more pages are not listed.`),
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
  const href = place.hash(plugin, id)
  return h('a', { href, data: { focus: href } }, title, statusTag(status), description && h('small', {}, description))
}

function findings(key, diagnostics) {
  return folded(
    key,
    `${diagnostics.length} ${diagnostics.length === 1 ? 'finding' : 'findings'} in its manifest`,
    h(
      'ul',
      { class: 'findings-list' },
      diagnostics.map(({ code, message, hint }) => h('li', {}, `${code} ${message}. ${hint ?? ''}`)),
    ),
  )
}
