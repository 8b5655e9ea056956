// Findings in their code, each with its rule explained on demand, and all of them as text for an agent.

import { copyButton, fill, h, prose } from '/workbench/dom.js'
import { get, plugin } from '/workbench/session.js'

const TONE = { error: 'bad', warning: 'warn', info: '' }
const rules = new Map()

function ruleOf(code) {
  if (!rules.has(code)) rules.set(code, get(`/v1/rules/${encodeURIComponent(code)}`))
  return rules.get(code)
}

function frame(lines) {
  if (!lines.length) return null
  const width = String(Math.max(...lines.map((line) => line.number ?? 0))).length
  return h(
    'pre',
    { class: 'code frame', tabindex: '0', 'aria-label': 'Code' },
    lines.map((line) =>
      h(
        'span',
        { class: line.number === null ? 'caret' : '' },
        h('span', { class: 'gutter' }, `${String(line.number ?? '').padStart(width)} │ `),
        `${line.text}\n`,
      ),
    ),
  )
}

function explained(code) {
  const box = h('div', { class: 'explained' })
  const details = h('details', {}, h('summary', {}, 'Why, and what to write instead'), box)
  details.addEventListener('toggle', async () => {
    if (!details.open || box.childNodes.length) return
    fill(box, h('p', { class: 'faint' }, '…'))
    try {
      const rule = await ruleOf(code)
      fill(
        box,
        rule.paragraph
          .split('\n\n')
          .map((part) => (part.startsWith('    ') ? h('pre', { class: 'code' }, part) : h('p', {}, prose(part)))),
        h(
          'div',
          { class: 'pair' },
          h('div', {}, h('h3', {}, 'Instead of'), h('pre', { class: 'code', tabindex: '0' }, rule.bad)),
          h('div', {}, h('h3', {}, 'Write'), h('pre', { class: 'code', tabindex: '0' }, rule.good)),
        ),
      )
    } catch (error) {
      rules.delete(code)
      fill(box, h('p', { class: 'faint' }, error.message))
    }
  })
  return details
}

export function findingsTab({ key }) {
  const element = h('div', { class: 'stack' })
  let drawn = ''
  return {
    element,
    async update() {
      const told = await get(plugin(key, '/findings'))
      // A row may change without its findings (an app window reports): what a person has opened stays open.
      const now = JSON.stringify(told)
      if (now === drawn) return
      drawn = now
      const order = { error: 0, warning: 1, info: 2 }
      const found = [...told.diagnostics].sort((a, b) => order[a.severity] - order[b.severity])
      if (!found.length) {
        fill(element, h('p', { class: 'empty' }, 'Nothing to say: every check passed.'))
        return
      }
      fill(
        element,
        h(
          'div',
          { class: 'row' },
          h('span', { class: 'soft' }, `${found.length} ${found.length === 1 ? 'finding' : 'findings'}`),
          h('span', { class: 'push' }),
          copyButton('Copy for an agent', told.for_agents),
        ),
        found.map((each) =>
          h(
            'article',
            { class: 'finding', data: { severity: each.severity } },
            h(
              'div',
              { class: 'row' },
              h('span', { class: 'tag', data: { tone: TONE[each.severity] } }, each.severity),
              h('b', { class: 'mono' }, each.code),
              h('span', { class: 'soft' }, each.rule),
              h('span', { class: 'push' }),
              each.line ? h('span', { class: 'faint mono' }, `${each.line}:${each.column}`) : null,
            ),
            h('p', { class: 'message' }, prose(each.message)),
            frame(each.frame),
            each.hint ? h('p', { class: 'hint' }, prose(each.hint)) : null,
            explained(each.code),
          ),
        ),
      )
    },
  }
}
