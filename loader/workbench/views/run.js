// "Run it here": a plugin in a frame of its own on this page. Off until a person switches it on, for this visit.

import { fill, h } from '/workbench/dom.js'
import { runFramed } from '/workbench/framed.js'
import { runWalled } from '/workbench/run_walled.js'
import { reactNeed } from '/workbench/views/react_need.js'

const allowed = new Set()

export function runTab({ store, live, key }) {
  const stage = h('div', { class: 'stack' })
  const control = h(
    'button',
    { type: 'button', role: 'switch', class: 'switch', 'aria-label': 'Run this plugin here', on: { click: flip } },
    h('span', { class: 'knob' }),
  )
  const state = h('span', { class: 'soft' })
  const need = reactNeed({ onReady: update })
  const element = h(
    'div',
    { class: 'stack' },
    h('div', { class: 'row' }, control, h('b', {}, 'Run it here'), state),
    h(
      'div',
      { class: 'note' },
      h(
        'p',
        {},
        "Switched on, this plugin's code really runs, in your browser, in a frame beside this text. It is kept in: the frame has an origin of its own, no network, no storage, no cookies, no way to this page or its token. It can draw in its frame, use your processor, and ask the policy doors (runAction, pet.say) under its own name. Nothing else of it reaches the app.",
      ),
    ),
    need.element,
    stage,
  )
  let running = null
  let revision = null

  function flip() {
    if (allowed.has(key)) allowed.delete(key)
    else allowed.add(key)
    update()
  }

  function stop() {
    running?.stop()
    running = null
    revision = null
    fill(stage)
  }

  async function update() {
    const row = store.rows.get(key)
    const granted = store.running.get(key)
    const on = allowed.has(key)
    control.setAttribute('aria-checked', String(on))
    state.textContent = on ? (granted ? '' : 'waits: nothing of it runs') : 'off'
    if (!on || !granted) return stop()
    if (!(await need.met())) {
      if (allowed.has(key)) state.textContent = 'waits: there is no React yet'
      return stop()
    }
    // A person may have switched it off while the service was asked.
    if (!allowed.has(key) || store.running.get(key) !== granted) return undefined
    const wanted = granted.moduleUrl ?? `${granted.frame.open} ${row.running_revision}`
    if (revision === wanted) return undefined
    stop()
    revision = wanted
    running = (granted.frame ? runWalled : runFramed)({
      store,
      row,
      granted,
      live,
      onState: (text) => {
        state.textContent = text
      },
    })
    fill(stage, running.element)
    return undefined
  }

  return { element, gone: stop, update }
}
