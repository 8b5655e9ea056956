// Every plugin's chain; those with a broken link come first and stand open.

import { dot, fill, h, prose } from '/workbench/dom.js'
import { get } from '/workbench/session.js'
import { chainList, verdictTone } from '/workbench/views/chain.js'

const ORDER = { bad: 0, warn: 1, good: 2 }

export function doctorView({ store }) {
  let words = ''
  let chains = []
  let visible = false
  const opened = new Map()
  const filter = h('input', {
    type: 'search',
    placeholder: 'Filter',
    'aria-label': 'Filter chains',
    on: {
      input: () => {
        words = filter.value.toLowerCase()
        draw()
      },
    },
  })
  const list = h('div', { class: 'stack tight' })
  const element = h(
    'div',
    { class: 'page narrow' },
    h('div', { class: 'page-head' }, h('h1', {}, 'Why does it run, or not?'), filter),
    list,
  )

  function draw() {
    const shown = chains
      .filter((chain) => `${chain.id} ${chain.verdict}`.toLowerCase().includes(words))
      .sort((a, b) => ORDER[verdictTone(a)] - ORDER[verdictTone(b)] || a.key.localeCompare(b.key))
    fill(
      list,
      shown.map((chain) => {
        const tone = verdictTone(chain)
        const details = h(
          'details',
          { class: 'card doctor', open: opened.get(chain.key) ?? tone === 'bad' },
          h(
            'summary',
            { data: { focus: chain.key } },
            dot(chain.id),
            h('b', { class: 'name' }, store.rows.get(chain.key)?.name ?? chain.id),
            h('span', { class: 'verdict', data: { tone } }, prose(chain.verdict)),
          ),
          chainList(chain),
        )
        details.addEventListener('toggle', () => opened.set(chain.key, details.open))
        return details
      }),
      shown.length ? null : h('p', { class: 'empty' }, chains.length ? 'No plugin fits this filter.' : 'No plugin is here yet.'),
    )
  }

  async function load() {
    try {
      chains = (await get('/v1/doctor')).plugins
      draw()
    } catch (error) {
      fill(list, h('p', { class: 'note', data: { tone: 'bad' } }, error.message))
    }
  }

  let waiting = 0
  store.on('rows', () => {
    if (!visible || waiting) return
    waiting = setTimeout(() => {
      waiting = 0
      load()
    }, 250)
  })
  return {
    element,
    show() {
      visible = true
      load()
    },
    hide() {
      visible = false
    },
  }
}
