// What happened when the plugin was played through: console, what it asked of the app, timers, leaks.

import { fill, h, ms, size } from '/workbench/dom.js'
import { get, plugin } from '/workbench/session.js'
import { timingsBar } from '/workbench/views/overview.js'

function part(title, items, none) {
  return h('section', {}, h('h3', {}, title), items.length ? items : h('p', { class: 'faint' }, none))
}

export function rehearsalTab({ key }) {
  const element = h('div', { class: 'stack' })
  return {
    element,
    async update(row) {
      const told = await get(plugin(key, '/rehearsal'))
      const played = told.rehearsal
      if (!played)
        return fill(
          element,
          h('p', { class: 'empty' }, 'Nothing was rehearsed.'),
          timingsBar(told.timings, row.checked_in_ms),
        )
      return fill(
        element,
        h(
          'dl',
          { class: 'numbers' },
          [
            ['Ran', played.ran ? 'to its end' : `stopped: ${played.stopped_by ?? 'unknown'}`],
            ['Timers fired', played.timers_fired],
            ['Leaks', played.leaks.length],
            ['Work', ms(played.cpu_ms)],
            ['Memory', size(played.memory_bytes)],
          ].map(([term, value]) => h('div', {}, h('dt', {}, term), h('dd', {}, value))),
        ),
        part(
          'Left behind after unload',
          played.leaks.map((leak) =>
            h(
              'p',
              { class: 'line' },
              h('span', { class: 'tag', data: { tone: 'warn' } }, leak.kind),
              h('span', { class: 'mono' }, leak.detail),
              leak.line ? h('span', { class: 'faint' }, `line ${leak.line}`) : null,
            ),
          ),
          'nothing',
        ),
        part(
          'Asked of the app',
          played.actions.map((action) => h('p', { class: 'line mono' }, action)),
          'nothing',
        ),
        part(
          'Console',
          played.console.map((line) =>
            h(
              'p',
              { class: 'line mono', data: { level: line.level } },
              h('span', { class: 'faint' }, line.level),
              line.text,
            ),
          ),
          'silent',
        ),
        part(
          'Imports',
          told.imports.map((each) =>
            h(
              'p',
              { class: 'line mono' },
              h('span', { class: 'faint' }, `${each.kind} · line ${each.line}`),
              each.specifier ?? '(computed)',
            ),
          ),
          'none',
        ),
        h('section', {}, h('h3', {}, 'What the check took'), timingsBar(told.timings, row.checked_in_ms)),
      )
    },
  }
}
