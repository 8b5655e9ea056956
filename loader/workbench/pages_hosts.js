// Hermes hosts elsewhere: a person connects one, and takes it away. Words and bounds are those of `page connect`.

import { announce, h, icon, say } from '/workbench/dom.js'
import { confirmInDialog } from '/workbench/pages.js'
import { call } from '/workbench/session.js'

/** What is typed stays where it is while the hub is drawn anew. `onConnected` is called with the new host. */
export function connectForm(onConnected) {
  const name = field('name', { placeholder: 'office', maxlength: '64', required: true })
  const url = field('url', { type: 'url', inputmode: 'url', placeholder: 'https://hermes.example', required: true })
  const token = field('token', { type: 'password' })
  const profile = field('profile', { placeholder: 'the server’s default', maxlength: '128' })
  const trouble = h('p', { class: 'note', data: { tone: 'bad' }, role: 'alert', hidden: true })
  const button = h('button', { class: 'primary' }, 'Connect')
  const element = h(
    'details',
    { class: 'connect' },
    h('summary', {}, 'Connect a Hermes elsewhere'),
    h(
      'form',
      { class: 'card', on: { submit } },
      labelled(name, 'Name', 'What it is called here.'),
      labelled(url, 'Address', 'Of its dashboard.'),
      labelled(token, 'Token', 'If it asks for one. The service keeps it and sends it to that address alone.'),
      labelled(profile, 'Profile', 'That what you allow counts for. The host is not told of it.'),
      trouble,
      h('div', { class: 'buttons' }, button),
    ),
  )

  async function submit(event) {
    event.preventDefault()
    trouble.hidden = true
    button.disabled = true
    try {
      const host = await connect({
        name: name.value.trim(),
        url: url.value.trim(),
        token: token.value || null,
        profile: profile.value.trim() || null,
      })
      if (!host) return
      element.querySelector('form').reset()
      element.open = false
      element.querySelector('summary').focus()
      announce(`${host.name} is connected. Its pages are off until you switch them on.`)
      await onConnected(host)
    } catch (error) {
      say(trouble, error.message)
      trouble.hidden = false
    } finally {
      button.disabled = false
    }
  }

  return element
}

/** The new host; null where a person would rather not. */
async function connect(wish) {
  try {
    return await call('POST', '/v1/page-hosts', wish)
  } catch (error) {
    if (error.reason !== 'unconfirmed') throw error
    if (!(await confirmInDialog(`${error.message} Connect ${wish.url} all the same?`, 'Connect'))) return null
    return call('POST', '/v1/page-hosts', { ...wish, read_on_the_way: true })
  }
}

/** Whether it was taken away. */
export async function disconnect(place) {
  const asked = `Disconnect ${place.name}? Its token and what was allowed to its pages count no more.`
  if (!(await confirmInDialog(asked, 'Disconnect'))) return false
  await call('DELETE', `/v1/page-hosts/${encodeURIComponent(place.id)}`)
  announce(`${place.name} is disconnected`)
  return true
}

/** What a choice counts for: the host, and the profile as the person named it; the host is not asked which it runs. */
export function countsFor({ profile }) {
  if (!profile) return 'What you allow counts for its default profile.'
  return ['What you allow counts for its profile ', h('bdi', {}, profile), ', as you named it.']
}

export function disconnectButton(place, onClick) {
  return h(
    'button',
    { type: 'button', class: 'quiet', 'aria-label': `Disconnect ${place.name}`, data: { focus: `${place.id}/gone` }, on: { click: onClick } },
    icon('cross'),
    'Disconnect',
  )
}

function field(name, more) {
  return h('input', { type: 'text', id: `host-${name}`, autocomplete: 'off', spellcheck: 'false', 'aria-describedby': `host-${name}-more`, ...more })
}

function labelled(input, words, more) {
  return h('div', { class: 'field' }, h('label', { for: input.id }, words), input, h('small', { id: `${input.id}-more`, class: 'faint' }, more))
}
