// One plugin, opened: a head that stays, and tabs that are drawn when they are looked at.

import { dot, fill, h, icon, say } from '/workbench/dom.js'
import { reload, togglePin } from '/workbench/doing.js'
import { countsOf, standing, switchOf } from '/workbench/views/plugin_row.js'
import { overviewTab } from '/workbench/views/overview.js'
import { previewTab } from '/workbench/views/previews.js'
import { findingsTab } from '/workbench/views/findings.js'
import { rehearsalTab } from '/workbench/views/rehearsal.js'
import { historyTab } from '/workbench/views/history.js'
import { chainTab } from '/workbench/views/chain.js'
import { runTab } from '/workbench/views/run.js'

const TABS = [
  ['overview', 'Overview', overviewTab],
  ['preview', 'Preview', previewTab],
  ['findings', 'Findings', findingsTab],
  ['rehearsal', 'Rehearsal', rehearsalTab],
  ['history', 'History', historyTab],
  ['doctor', 'Doctor', chainTab],
  ['run', 'Run here', runTab],
]

export function detailPanel({ store, live, go, close }) {
  let key = null
  let tab = 'overview'
  let shown = null
  let asked = 0

  const mark = h('span', { class: 'mark-box' })
  const name = h('h2', { class: 'name' })
  const id = h('p', { class: 'faint mono id' })
  const state = h('span', { class: 'tag' })
  const control = switchOf(() => store.rows.get(key))
  const pin = h(
    'button',
    { type: 'button', class: 'quiet', on: { click: () => togglePin(store.rows.get(key)) } },
    icon('pin'),
    h('span'),
  )
  const again = h(
    'button',
    { type: 'button', class: 'quiet', title: 'Read it again from disk (r)', on: { click: () => reload([key]) } },
    icon('reload'),
    'Reload',
  )
  const back = h(
    'button',
    {
      type: 'button',
      class: 'quiet square back',
      'aria-label': 'Back to the list',
      title: 'Back to the list (Esc)',
      on: { click: close },
    },
    icon('back'),
  )
  const tabs = h(
    'div',
    { class: 'tabs', role: 'tablist', 'aria-label': 'About this plugin' },
    TABS.map(([tabId, title]) =>
      h(
        'button',
        {
          type: 'button',
          role: 'tab',
          id: `tab-${tabId}`,
          'aria-controls': 'tab-panel',
          data: { tab: tabId },
          on: { click: () => choose(tabId) },
        },
        title,
        h('span', { class: 'count' }),
      ),
    ),
  )
  const panel = h('div', { class: 'tab-panel', id: 'tab-panel', role: 'tabpanel', tabindex: '0' })
  const inside = h(
    'div',
    { class: 'detail-in' },
    h(
      'header',
      { class: 'detail-head' },
      h(
        'div',
        { class: 'row' },
        back,
        mark,
        h('div', { class: 'names' }, name, id),
        state,
        h('span', { class: 'push' }),
        control.element,
      ),
      h('div', { class: 'row small' }, pin, again),
    ),
    tabs,
    panel,
  )
  const nothing = h('p', { class: 'empty' })
  const element = h('section', { class: 'detail', 'aria-label': 'One plugin', hidden: true }, inside, nothing)

  tabs.addEventListener('keydown', (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!by) return
    event.preventDefault()
    turn(by)
    tabs.querySelector('[aria-selected=true]').focus()
  })

  function choose(name) {
    go(`#/plugins/${encodeURIComponent(key)}/${name}`)
  }

  function turn(by) {
    const at = TABS.findIndex(([tabId]) => tabId === tab)
    choose(TABS[(at + by + TABS.length) % TABS.length][0])
  }

  function head(row) {
    if (mark.dataset.id !== row.id) {
      mark.dataset.id = row.id
      fill(mark, dot(row.id))
    }
    say(name, row.name)
    say(id, row.key)
    const { word, tone } = standing(row)
    say(state, word)
    state.dataset.tone = tone
    control.update(row)
    say(pin.lastChild, row.pinned ? 'Unpin' : 'Pin to these bytes')
    pin.setAttribute('aria-pressed', String(row.pinned))
    const { error, warning } = countsOf(row)
    const counts = { findings: error + warning, preview: row.contributions.length }
    for (const button of tabs.children) {
      const { tab: tabId } = button.dataset
      say(button.querySelector('.count'), counts[tabId] ? String(counts[tabId]) : '')
      button.setAttribute('aria-selected', String(tabId === tab))
      button.tabIndex = tabId === tab ? 0 : -1
    }
    panel.setAttribute('aria-labelledby', `tab-${tab}`)
  }

  /** What is shown stays until what comes instead is there: no blank in between, no jump. */
  async function draw() {
    const row = store.rows.get(key)
    nothing.hidden = Boolean(row)
    inside.hidden = !row
    if (!row) {
      say(nothing, store.about ? 'This plugin is not here (any more).' : 'Connecting…')
      shown = null
      return
    }
    head(row)
    const turnOf = (asked += 1)
    const wanted = `${key} ${tab}`
    const make = TABS.find(([tabId]) => tabId === tab)[2]
    if (shown?.name !== wanted) {
      shown?.part.gone?.()
      shown = { name: wanted, part: make({ store, live, key, redraw: draw }) }
      panel.replaceChildren(shown.part.element)
      panel.scrollTop = 0
    }
    try {
      await shown.part.update(row)
    } catch (error) {
      if (turnOf === asked) fill(panel, h('p', { class: 'note', data: { tone: 'bad' }, role: 'alert' }, error.message))
      shown = null
    }
  }

  store.on('rows', (changes) => {
    if (key && (changes.has(key) || changes.has('*'))) draw()
  })
  store.on('running', (changes) => {
    if (key && tab === 'run' && changes.has(key)) draw()
  })

  return {
    element,
    tab: () => tab,
    turn,
    focus: () => back.focus(),
    open(next, wanted) {
      key = next
      tab = TABS.some(([tabId]) => tabId === wanted) ? wanted : 'overview'
      element.hidden = key === null
      if (key !== null) {
        draw()
        // The tabs scroll sideways where there is little room.
        tabs.querySelector(`[data-tab=${tab}]`).scrollIntoView({ block: 'nearest', inline: 'nearest' })
      } else {
        shown?.part.gone?.()
        shown = null
        fill(panel)
      }
    },
  }
}
