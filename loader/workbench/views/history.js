// The last revisions and what became of them, and the difference between any two.

import { fill, h, time } from '/workbench/dom.js'
import { get, plugin } from '/workbench/session.js'

const TONE = { ready: 'good', failed: 'bad', shadowed: 'warn', disabled: '' }

const counted = (number, word) => (number ? `${number} ${word}${number === 1 ? '' : 's'}` : '')

/** A unified diff as rows, coloured by their first letter; the letters stay, so that it can be read without colours. */
function diffOf(text) {
  const lines = text.split('\n').slice(2, -1)
  if (!lines.length) return h('p', { class: 'faint' }, 'The two are the same.')
  const kind = (line) =>
    line.startsWith('@@') ? 'hunk' : line.startsWith('+') ? 'plus' : line.startsWith('-') ? 'minus' : ''
  return h(
    'pre',
    { class: 'code diff', tabindex: '0', 'aria-label': 'Difference' },
    lines.map((line) => h('span', { class: kind(line) }, `${line}\n`)),
  )
}

export function historyTab({ key }) {
  let chosen = null
  const list = h('ol', { class: 'history' })
  const diff = h('section', { class: 'stack tight' })
  const element = h('div', { class: 'stack' }, list, diff)
  let revisions = []

  async function compare() {
    if (!chosen) return
    const [before, after] = chosen
    try {
      const told = await get(plugin(key, `/history/diff?${new URLSearchParams({ before, after })}`))
      const title = h('h3', {}, `From ${before.slice(0, 8)} to ${after.slice(0, 8)}`)
      fill(
        diff,
        title,
        told.diff === null
          ? h('p', { class: 'faint' }, 'One of the two is too large to be kept, or could not be read.')
          : diffOf(told.diff),
        told.cut ? h('p', { class: 'faint' }, 'The rest is left out.') : null,
      )
    } catch (error) {
      fill(diff, h('p', { class: 'faint' }, error.message))
    }
  }

  function draw() {
    const pick = (name, label, now) =>
      h(
        'label',
        { class: 'pick' },
        label,
        h(
          'select',
          {
            on: {
              change: (event) => {
                chosen = name === 'before' ? [event.target.value, chosen[1]] : [chosen[0], event.target.value]
                compare()
              },
            },
          },
          revisions
            .filter((each) => each.has_text)
            .map((each) =>
              h(
                'option',
                { value: each.revision, selected: each.revision === now },
                `${time(each.seen_at)} ${each.revision.slice(0, 8)}`,
              ),
            ),
        ),
      )
    fill(
      list,
      revisions.map((each, index) =>
        h(
          'li',
          {},
          h('span', { class: 'when mono' }, time(each.seen_at)),
          h('span', { class: 'mono' }, each.revision.slice(0, 12) || 'unread'),
          h('span', { class: 'tag', data: { tone: TONE[each.outcome] } }, each.outcome),
          h(
            'span',
            { class: 'faint' },
            [counted(each.errors, 'error'), counted(each.warnings, 'warning'), ...each.codes.slice(0, 6)]
              .filter(Boolean)
              .join(' '),
          ),
          index === 0 ? h('span', { class: 'tag', data: { tone: 'accent' } }, 'now') : null,
        ),
      ),
    )
    return [pick('before', 'From ', chosen?.[0]), pick('after', 'to ', chosen?.[1])]
  }

  return {
    element,
    async update() {
      const told = await get(plugin(key, '/history'))
      const fresh = told.revisions[0]?.revision !== revisions[0]?.revision
      revisions = told.revisions
      const kept = revisions.filter((each) => each.has_text)
      if (fresh || !chosen) chosen = kept.length > 1 ? [kept[1].revision, kept[0].revision] : null
      const picks = draw()
      if (!chosen) {
        fill(
          element,
          list,
          h('p', { class: 'empty' }, 'One revision so far. Save the file and the difference stands here.'),
        )
        return
      }
      fill(element, list, h('div', { class: 'row' }, picks), diff)
      await compare()
    },
  }
}
