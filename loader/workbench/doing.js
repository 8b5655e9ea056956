// What a person can do to a plugin. Each says what came of it; the row itself comes back over the connection.

import { announce, h, icon, say } from '/workbench/dom.js'
import { call, plugin } from '/workbench/session.js'

async function attempt(what, work) {
  try {
    await work()
    announce(what)
    notice(null)
  } catch (error) {
    notice(error.message)
  }
}

/** A line at the foot of the page, for what went wrong; null takes it away. */
export function notice(text) {
  let box = document.getElementById('notice')
  if (!text) return box?.remove()
  if (!box) {
    box = h(
      'div',
      { id: 'notice', role: 'alert' },
      h('p', {}),
      h('button', { type: 'button', class: 'quiet square', 'aria-label': 'Dismiss', title: 'Dismiss', on: { click: () => box.remove() } }, icon('cross')),
    )
    document.body.append(box)
  }
  say(box.firstChild, text)
  return undefined
}

/** `enabled`: true, false, or null to forget the choice. */
export function choose(row, enabled) {
  const word = enabled === null ? 'as it is by default' : enabled ? 'on' : 'off'
  return attempt(`${row.name}: ${word}`, () => call('PUT', plugin(row.key, '/enabled'), { enabled }))
}

export const toggle = (row) => choose(row, !row.enabled)

export function togglePin(row) {
  return row.pinned
    ? attempt(`${row.name}: no longer pinned`, () => call('DELETE', plugin(row.key, '/integrity')))
    : attempt(`${row.name}: pinned`, () => call('PUT', plugin(row.key, '/integrity'), { integrity: null }))
}

/** `keys` null: all of them. */
export function reload(keys) {
  return attempt('Read again', () => call('POST', '/v1/reload', keys ? { ids: keys } : {}))
}
