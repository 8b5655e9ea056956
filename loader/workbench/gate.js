// The dialog that asks for a one-time code. What the page shows stays behind it: nothing is lost when a session ends.

import { fill, h, say } from '/workbench/dom.js'
import { codeIn, enter } from '/workbench/session.js'

export function gate({ onEnter }) {
  const dialog = document.getElementById('gate')
  const field = h('input', {
    type: 'text',
    id: 'gate-code',
    autofocus: true,
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: 'http://127.0.0.1:8787/#code=…',
  })
  const trouble = h('p', { class: 'note', data: { tone: 'bad' }, role: 'alert', hidden: true })
  const title = h('h2', { id: 'gate-title' })
  const why = h('p', { class: 'soft' })
  let busy = false
  let locked = false

  async function tryCode(code) {
    if (busy) return
    busy = true
    trouble.hidden = true
    try {
      await enter(code)
      field.value = ''
      hide()
      onEnter()
    } catch (error) {
      say(
        trouble,
        error.status === 403 ? 'This code is wrong, used or older than a minute. Ask for a new one.' : error.message,
      )
      trouble.hidden = false
      busy = false
      show(false)
    }
    busy = false
  }

  function hide() {
    locked = false
    if (dialog.open) dialog.close()
  }

  function show(again) {
    if (busy) return
    say(title, again ? 'The session is over' : 'Enter with a one-time code')
    say(
      why,
      again
        ? 'The service was started anew, or twelve hours have passed. Enter again; what you see stays.'
        : 'This page shows your plugins to whoever may read your home folder, and to nobody else.',
    )
    locked = true
    if (!dialog.open) dialog.showModal()
  }

  const form = h(
    'form',
    {
      on: {
        submit: (event) => {
          event.preventDefault()
          const code = codeIn(field.value)
          if (code) return tryCode(code)
          say(trouble, 'That holds no code: paste the whole link.')
          trouble.hidden = false
        },
      },
    },
    h('p', {}, 'In a terminal, run'),
    h('pre', { class: 'code' }, 'hermes-desktop open'),
    h('label', { for: 'gate-code' }, 'and follow the link it prints, or paste it here:'),
    field,
    trouble,
    h('div', { class: 'buttons' }, h('button', { class: 'primary' }, 'Enter')),
  )
  fill(dialog, title, why, form)
  // There is nothing behind it to go back to. A browser grants one refusal to be left, and closes at the next try.
  dialog.setAttribute('closedby', 'none')
  dialog.addEventListener('cancel', (event) => event.preventDefault())
  dialog.addEventListener('close', () => locked && dialog.showModal())

  return { show, hide, enter: tryCode }
}
