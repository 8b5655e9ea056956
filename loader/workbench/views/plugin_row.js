// One row of the list. It changes in place: only what is another text is written, so a save moves nothing.

import { dot, fill, h, icon, ms, say, size } from '/workbench/dom.js'
import { choose, toggle, togglePin } from '/workbench/doing.js'

const TONE = { ready: 'good', failed: 'bad', shadowed: 'warn', disabled: '' }
const WORD = { ready: 'ready', failed: 'failed', shadowed: 'shadowed', disabled: 'off' }

/** How a row stands, in one word for people and one tone for the eye. */
export function standing(row) {
  if (row.state === 'failed' && row.running_revision) return { word: 'old one runs', tone: 'warn' }
  if (row.shells.some((shell) => shell.state === 'failed')) return { word: 'fails in app', tone: 'bad' }
  if (row.state === 'ready' && row.shells.some((shell) => shell.state === 'loaded'))
    return { word: 'running', tone: 'good' }
  return { word: WORD[row.state], tone: TONE[row.state] }
}

export function countsOf(row) {
  const counts = { error: 0, warning: 0, info: 0 }
  for (const found of row.diagnostics) counts[found.severity] += 1
  return counts
}

/** The switch of three: on, off, or whatever it is by default. */
export function switchOf(getRow) {
  const control = h(
    'button',
    { type: 'button', role: 'switch', class: 'switch', on: { click: () => toggle(getRow()) } },
    h('span', { class: 'knob' }),
  )
  const forget = h(
    'button',
    {
      type: 'button',
      class: 'quiet forget',
      title: 'Forget the choice: as it is by default',
      on: { click: () => choose(getRow(), null) },
    },
    'default',
  )
  const element = h('span', { class: 'switch-box' }, control, forget)
  return {
    element,
    update(row) {
      control.setAttribute('aria-checked', String(row.enabled))
      control.setAttribute('aria-label', `${row.name}: on or off`)
      control.title = row.enabled ? 'On (e)' : 'Off (e)'
      forget.setAttribute('aria-label', `${row.name}: forget the choice`)
      forget.classList.toggle('idle', row.choice === null)
      forget.disabled = row.choice === null
    },
  }
}

export function createRow(first, { open, flash }) {
  let row = first
  const name = h('a', { class: 'name', href: `#/plugins/${encodeURIComponent(row.key)}` })
  const about = h('span', { class: 'about faint' })
  const pinned = h(
    'button',
    { type: 'button', class: 'quiet square pin', on: { click: () => togglePin(row) } },
    icon('pin'),
  )
  const state = h('span', { class: 'tag' })
  const findings = h('span', { class: 'findings' })
  const door = h('td', { role: 'cell', class: 'c-door soft' })
  const bytes = h('td', { role: 'cell', class: 'c-size soft' })
  const check = h('td', { role: 'cell', class: 'c-check soft' })
  const revision = h('td', { role: 'cell', class: 'c-revision mono soft' })
  const control = switchOf(() => row)
  const element = h(
    'tr',
    { role: 'row', data: { key: row.key } },
    h(
      'td',
      { role: 'cell', class: 'c-name' },
      h('div', { class: 'who' }, dot(row.id), h('div', { class: 'words' }, name, about), pinned),
    ),
    h('td', { role: 'cell', class: 'c-state' }, state),
    h('td', { role: 'cell', class: 'c-findings' }, findings),
    door,
    bytes,
    check,
    revision,
    h('td', { role: 'cell', class: 'c-switch' }, control.element),
  )
  element.addEventListener('click', (event) => {
    if (!event.target.closest('button, a') && !getSelection().toString()) open()
  })

  function draw() {
    say(name, row.name)
    say(
      about,
      row.id === row.name ? (row.description ?? '') : `${row.id}${row.description ? ` · ${row.description}` : ''}`,
    )
    const { word, tone } = standing(row)
    say(state, word)
    state.dataset.tone = tone
    const counts = countsOf(row)
    fill(
      findings,
      counts.error
        ? h(
            'span',
            { class: 'tag', data: { tone: 'bad' }, title: `Errors: ${counts.error}` },
            counts.error,
            h('span', { class: 'sr' }, ' errors'),
          )
        : null,
      counts.warning
        ? h(
            'span',
            { class: 'tag', data: { tone: 'warn' }, title: `Warnings: ${counts.warning}` },
            counts.warning,
            h('span', { class: 'sr' }, ' warnings'),
          )
        : null,
      counts.error || counts.warning
        ? null
        : h('span', { class: 'faint' }, counts.info ? `${counts.info} notes` : 'none'),
    )
    say(door, row.door)
    say(bytes, size(row.size_bytes))
    say(check, ms(row.checked_in_ms))
    say(revision, row.revision.slice(0, 8) || 'unread')
    revision.title = row.revision
    pinned.setAttribute('aria-pressed', String(row.pinned))
    pinned.setAttribute('aria-label', `${row.name}: ${row.pinned ? 'pinned, unpin' : 'pin to these bytes'}`)
    pinned.title = row.pinned ? 'Pinned to these bytes (p)' : 'Pin to these bytes (p)'
    control.update(row)
    element.classList.toggle('off', !row.enabled)
  }

  draw()
  if (flash) glow(element)
  return {
    element,
    update(next, { flash: shows }) {
      const news =
        next.revision !== row.revision ||
        next.state !== row.state ||
        next.enabled !== row.enabled ||
        next.pinned !== row.pinned ||
        next.running_revision !== row.running_revision
      row = next
      draw()
      if (news && shows) glow(element)
    },
    select(on) {
      element.classList.toggle('selected', on)
      if (on) name.setAttribute('aria-current', 'true')
      else name.removeAttribute('aria-current')
    },
    focus() {
      name.focus({ preventScroll: true })
      element.scrollIntoView({ block: 'nearest' })
    },
  }
}

/** A short wash of colour; nothing moves, and nothing at all for those who asked for stillness. */
export function glow(element) {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  element.animate([{ backgroundColor: 'var(--flash)' }, { backgroundColor: 'transparent' }], {
    duration: 1400,
    easing: 'ease-out',
  })
}
