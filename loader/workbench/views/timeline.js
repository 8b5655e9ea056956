// What one reload took, from the check's stages to each app window's word; it can be played once more.

import { fill, h, icon, ms } from '/workbench/dom.js'
import { get, plugin } from '/workbench/session.js'

const PLAY_MS = 2400

/** The steps of a load: stages before the announcement end at 0, reports of app windows come after it. */
export function stepsOf(event, events, timings) {
  const { row } = event.params
  const sum = timings.reduce((all, each) => all + each.ms, 0)
  const whole = Math.max(row.checked_in_ms, sum)
  const steps = []
  let at = -whole
  if (whole - sum > 0.05) {
    steps.push({ name: 'wait and read', from: at, to: at + whole - sum })
    at += whole - sum
  }
  for (const each of timings) {
    steps.push({ name: each.name, from: at, to: at + each.ms })
    at += each.ms
  }
  steps.push({ name: event.method === 'plugin/load' ? 'announced' : 'failure told', from: 0, to: 0 })
  const seen = new Set()
  for (const other of events) {
    if (other.n <= event.n || other.id !== event.id) continue
    if (other.method === 'plugin/load' || other.method === 'plugin/failed') break
    if (other.method !== 'plugin/changed' || other.params.row.running_revision !== row.revision) continue
    for (const shell of other.params.row.shells) {
      if (shell.state === 'pending' || seen.has(shell.shell)) continue
      seen.add(shell.shell)
      steps.push({ name: `${shell.shell} ${shell.state}`, from: 0, to: other.at - event.at })
    }
  }
  return steps
}

export function timeline({ store }) {
  const element = h('section', { class: 'card timeline', hidden: true, 'aria-label': 'Timeline of a reload' })

  async function show(event) {
    const { row } = event.params
    let timings = []
    try {
      const told = await get(plugin(row.key, '/rehearsal'))
      if (told.revision === row.revision) timings = told.timings
    } catch {
      // The plugin may be gone by now; what the event itself says is shown all the same.
    }
    const steps = stepsOf(event, store.events, timings)
    const start = Math.min(0, ...steps.map((step) => step.from))
    const span = Math.max(...steps.map((step) => step.to)) - start || 1
    const cursor = h('span', { class: 'cursor', 'aria-hidden': 'true' })
    const lanes = steps.map((step) =>
      h(
        'li',
        {},
        h('span', { class: 'step' }, h('bdi', {}, step.name)),
        h(
          'span',
          { class: 'lane', 'aria-hidden': 'true' },
          h('i', { css: { '--from': (step.from - start) / span, '--length': (step.to - step.from) / span } }),
        ),
        h(
          'span',
          { class: 'mono faint' },
          step.to === step.from ? `at ${ms(step.from - start)}` : ms(step.to - step.from),
        ),
      ),
    )
    const list = h('ol', { class: 'lanes' }, lanes, cursor)
    const play = h(
      'button',
      { type: 'button', on: { click: () => replay(steps, lanes, cursor, start, span) } },
      icon('play'),
      'Replay',
    )
    const shut = h(
      'button',
      {
        type: 'button',
        class: 'quiet',
        on: {
          click: () => {
            element.hidden = true
          },
        },
      },
      'Close',
    )
    fill(
      element,
      h(
        'div',
        { class: 'row' },
        h('h2', { class: 'name' }, row.name),
        h('span', { class: 'faint mono' }, row.revision.slice(0, 8)),
        h('span', { class: 'push' }),
        play,
        shut,
      ),
      list,
    )
    element.hidden = false
    element.scrollIntoView({ block: 'nearest' })
  }

  function replay(steps, lanes, cursor, start, span) {
    cursor.animate(
      [
        { opacity: 1, '--at': 0 },
        { opacity: 1, '--at': 1 },
      ],
      { duration: PLAY_MS },
    )
    steps.forEach((step, index) => {
      const bar = lanes[index].querySelector('i')
      const from = ((step.from - start) / span) * PLAY_MS
      const length = Math.max(((step.to - step.from) / span) * PLAY_MS, 120)
      bar.animate(
        [
          { transform: 'scaleX(0)', opacity: 0.2 },
          { transform: 'scaleX(1)', opacity: 1 },
        ],
        { duration: length, delay: from, fill: 'backwards' },
      )
    })
  }

  return { element, show }
}
