// The facts of a plugin on one page: what it says of itself, where it lies, who runs it, and what its check took.

import { announce, copyButton, fill, h, ms, say, size, time } from '/workbench/dom.js'
import { call, get, plugin } from '/workbench/session.js'

const WHO = {
  ours: 'you chose so here',
  app: "the app's own switch",
  plugin: "the plugin's default",
  door: 'packages are off until you turn them on',
}
const PART = { read: 1, compile: 2, model: 3, static: 3, rules: 4, rehearse: 5 }

function fact(term, ...what) {
  return [h('dt', {}, term), h('dd', {}, ...what)]
}

function shells(row) {
  if (!row.shells.length) return h('span', { class: 'faint' }, 'no app window is connected')
  return row.shells.map((shell) =>
    h(
      'div',
      { class: 'row' },
      h('bdi', {}, `${shell.shell} ${shell.version}`),
      h(
        'span',
        { class: 'tag', data: { tone: { loaded: 'good', failed: 'bad', pending: 'warn' }[shell.state] } },
        shell.state,
      ),
      shell.error ? h('span', { class: 'faint' }, shell.error) : null,
    ),
  )
}

/** Asks the service to show the file in the desktop's file manager; what it answers stands beside the button. */
function revealButton(row) {
  const said = h('span', { class: 'faint', role: 'status' })
  const button = h('button', { type: 'button', class: 'quiet' }, 'Show in folder')
  button.addEventListener('click', async () => {
    button.disabled = true
    try {
      const { shown, why } = await call('POST', plugin(row.key, '/reveal'), {})
      say(said, shown ? 'shown' : `not shown: ${why}`)
      if (shown) announce('Shown in the file manager')
    } catch (error) {
      say(said, error.message)
    }
    button.disabled = false
  })
  return [button, said]
}

/** Stages as parts of one bar, with a legend that says the same in numbers. */
export function timingsBar(timings, whole) {
  const known = timings.reduce((sum, each) => sum + each.ms, 0)
  const rest = Math.max(whole - known, 0)
  const parts = rest > 0.05 ? [...timings, { name: 'wait and read', ms: rest }] : timings
  const total = parts.reduce((sum, each) => sum + each.ms, 0)
  if (!total) return h('p', { class: 'faint' }, 'These bytes were known already: nothing had to be checked anew.')
  return h(
    'figure',
    { class: 'timings' },
    h(
      'div',
      { class: 'bar-parts', 'aria-hidden': 'true' },
      parts.map((each) =>
        h('span', {
          class: `part-${PART[each.name] ?? 1}`,
          css: { '--grow': Math.max(each.ms / total, 0.004) },
          title: `${each.name} ${ms(each.ms)}`,
        }),
      ),
    ),
    h(
      'figcaption',
      { class: 'legend' },
      parts.map((each) =>
        h(
          'span',
          {},
          h('i', { class: `part-${PART[each.name] ?? 1}`, 'aria-hidden': 'true' }),
          `${each.name} ${ms(each.ms)}`,
        ),
      ),
      h('b', {}, `in all ${ms(total)}`),
    ),
  )
}

export function overviewTab({ key }) {
  const facts = h('dl', { class: 'facts' })
  const timings = h('section', {}, h('h3', {}, 'What the check took'), h('p', { class: 'faint' }, '…'))
  const element = h('div', { class: 'stack' }, facts, timings)

  return {
    element,
    async update(row) {
      fill(
        facts,
        row.description ? fact('About', h('bdi', {}, row.description)) : null,
        fact('File', h('span', { class: 'path mono' }, row.path), copyButton('Copy path', row.path), revealButton(row)),
        row.copied_to
          ? fact(
              'Copy',
              h('span', { class: 'path mono' }, row.copied_to),
              h('span', { class: 'faint' }, ' (edits there are lost)'),
            )
          : null,
        fact(
          'Door',
          row.door === 'unified' ? 'unified package' : 'standalone',
          row.exported_id && row.exported_id !== row.folder
            ? h('span', { class: 'faint' }, ` exports the id ${row.exported_id}`)
            : null,
        ),
        fact('Switch', row.enabled ? 'on' : 'off', h('span', { class: 'faint' }, ` ${WHO[row.choice_from]}`)),
        fact(
          'On disk',
          h('span', { class: 'mono' }, row.revision.slice(0, 16) || 'unread'),
          h('span', { class: 'faint' }, ` ${size(row.size_bytes)}`),
        ),
        fact(
          'Runs',
          row.running_revision
            ? [
                h('span', { class: 'mono' }, row.running_revision.slice(0, 16)),
                h(
                  'span',
                  { class: 'faint' },
                  row.running_revision === row.revision
                    ? ` since ${time(row.loaded_at)}`
                    : ' the last good revision, not what is on disk',
                ),
              ]
            : h('span', { class: 'faint' }, 'nothing of it'),
        ),
        fact(
          'Integrity',
          h('span', { class: 'path mono' }, row.integrity || 'unknown'),
          row.integrity ? copyButton('Copy', row.integrity) : null,
          row.pinned ? h('span', { class: 'tag', data: { tone: 'accent' } }, 'pinned') : null,
        ),
        fact('App windows', shells(row)),
        row.backend ? fact('Backend', h('span', { class: 'mono' }, JSON.stringify(row.backend))) : null,
      )
      const told = await get(plugin(key, '/rehearsal'))
      fill(timings, h('h3', {}, 'What the check took'), timingsBar(told.timings, row.checked_in_ms))
    },
  }
}
