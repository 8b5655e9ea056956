// Why a plugin runs or does not, as a chain: each link holds, waits, or is broken.

import { fill, h, icon, prose } from '/workbench/dom.js'
import { get, plugin } from '/workbench/session.js'

const MARK = { holds: ['check', 'holds'], breaks: ['cross', 'is broken'], waits: ['wait', 'waits'] }

/** The links of one chain as a list. */
export function chainList(chain) {
  return h(
    'ol',
    { class: 'chain' },
    chain.links.map((link) =>
      h(
        'li',
        { data: { state: link.state, cause: String(link.name === chain.broken_at) } },
        h('span', { class: 'mark' }, icon(MARK[link.state][0]), h('span', { class: 'sr' }, MARK[link.state][1])),
        h('b', {}, link.name),
        h(
          'span',
          { class: 'says' },
          prose(link.says),
          link.remedy && link.state !== 'holds' ? h('span', { class: 'remedy' }, prose(link.remedy)) : null,
        ),
      ),
    ),
  )
}

export function verdictTone(chain) {
  return chain.broken_at ? 'bad' : chain.verdict === 'runs' ? 'good' : 'warn'
}

export function chainTab({ key }) {
  const element = h('div', { class: 'stack' })
  return {
    element,
    async update() {
      const chain = await get(plugin(key, '/doctor'))
      fill(
        element,
        h('p', { class: 'verdict', data: { tone: verdictTone(chain) } }, prose(chain.verdict)),
        chainList(chain),
      )
    },
  }
}
