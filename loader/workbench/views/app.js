// Web apps behind the wall: which there are, and one of them, running in a frame of its own origin.

import { announce, dot, fill, h, icon, say } from '/workbench/dom.js'
import { call } from '/workbench/session.js'
import { walledFrame } from '/workbench/walled.js'
import { wallHolds } from '/workbench/wall_holds.js'

const GRANTED = {
  tools: 'calls the app’s tools',
  storage: 'reads the list of your tabs',
  cdp: 'debugs tabs',
  ai: 'asks the model',
  'read-only': 'tools that only read',
  'controls-browser': 'tools that control the browser',
}

const address = (id) => `#/app/${encodeURIComponent(id)}`

function chips(app) {
  const granted = [...app.apis, ...app.capabilities]
  return h(
    'ul',
    { class: 'grants', 'aria-label': 'What it may do' },
    granted.length
      ? granted.map((name) => h('li', { class: 'tag', data: { tone: 'accent' }, title: GRANTED[name] ?? name }, name))
      : h('li', { class: 'tag' }, 'nothing beyond its own page'),
  )
}

export function appView({ store, live }) {
  const element = h('div', { class: 'page app-page' })
  let id = null
  let frame = null
  let opening = 0
  /** id → what a person said of a browser that does not hold connections, for this visit */
  const allowed = new Set()

  // ------------------------------------------------------------ the list

  function list() {
    const apps = [...store.apps.values()].filter((app) => app.kind === 'web-app')
    const rows = apps.map((app) =>
      h(
        'li',
        { class: 'card app-card' },
        h('div', { class: 'row' }, dot(app.id), h('b', {}, h('bdi', {}, app.name)), h('span', { class: 'faint mono' }, app.id)),
        chips(app),
        app.enabled
          ? h('a', { class: 'button', href: address(app.id) }, 'Open', h('span', { class: 'sr' }, ` ${app.name}`))
          : h('span', { class: 'tag' }, 'off'),
      ),
    )
    fill(
      element,
      h('div', { class: 'page-head' }, h('h1', {}, 'Apps')),
      rows.length
        ? h('ul', { class: 'apps' }, rows)
        : h('p', { class: 'empty' }, 'No web app is installed. ', h('code', {}, 'hermes-desktop install'), ' brings one.'),
    )
  }

  // ------------------------------------------------------------ one of them

  const state = h('span', { class: 'soft', role: 'status' })
  const again = h('button', { type: 'button', hidden: true, on: { click: () => open() } }, icon('reload'), 'Open again')
  const top = h('div')
  const stage = h('div', { class: 'app-stage' })

  function head(app) {
    return h(
      'div',
      { class: 'page-head' },
      h('a', { class: 'button quiet square', href: '#/app', 'aria-label': 'All apps', title: 'All apps' }, icon('back')),
      dot(app.id),
      h('h1', {}, h('bdi', {}, app.name)),
      chips(app),
      h('span', { class: 'push' }),
      state,
      again,
    )
  }

  function stopped(text) {
    say(state, 'stopped')
    again.hidden = !store.apps.get(id)?.enabled
    fill(stage, h('p', { class: 'empty' }, `Stopped: ${text}.`))
    announce(text)
  }

  function close() {
    opening += 1
    const was = frame
    frame = null
    was?.stop()
  }

  async function open() {
    close()
    const turn = (opening += 1)
    const app = store.apps.get(id)
    again.hidden = true
    if (!app || app.kind !== 'web-app') {
      say(state, '')
      const words = store.about ? 'This app is not here (any more).' : 'Connecting…'
      return fill(element, h('div', { class: 'page-head' }, h('h1', {}, 'Apps')), h('p', { class: 'empty' }, words))
    }
    fill(top, head(app))
    fill(element, top, stage)
    if (!app.enabled) return stopped('it is switched off')
    say(state, 'opening')
    fill(stage)
    if (!allowed.has(id) && !app.url && !(await wallHolds())) return turn === opening ? warn() : undefined
    let opened
    try {
      opened = await call('POST', `/v1/wall/${encodeURIComponent(id)}/frames`, {})
    } catch (error) {
      return turn === opening ? stopped(error.message) : undefined
    }
    if (turn !== opening) {
      live.request('wall/close', { frame_token: opened.token }).catch(() => {})
      return undefined
    }
    frame = walledFrame({
      opened,
      request: live.request,
      title: app.name,
      reloads: Boolean(app.url),
      onEnd: (why, reason) => {
        if (frame === null) return
        frame = null
        // A change is followed at once: what is shown is what is approved now.
        if (reason === 'changed' && store.apps.get(id)?.enabled) open()
        else stopped(why)
      },
    })
    say(state, app.url ? 'from a development address: without the network wall' : '')
    fill(stage, frame.element)
    return undefined
  }

  function warn() {
    say(state, 'not opened')
    fill(
      stage,
      h(
        'div',
        { class: 'note', data: { tone: 'bad' } },
        h(
          'p',
          {},
          'This browser does not hold a frame to its own origin, so this app could send what it sees elsewhere, over peer connections. Chromium does.',
        ),
        h(
          'button',
          {
            type: 'button',
            on: {
              click: () => {
                allowed.add(id)
                open()
              },
            },
          },
          'Open it all the same',
        ),
      ),
    )
  }

  // ------------------------------------------------------------ what comes

  store.on('apps', (changes) => {
    if (!element.isConnected) return
    if (id === null) return list()
    const app = store.apps.get(id)
    if (app && frame !== null) fill(top, head(app))
    // An open frame hears of its end itself; one that waits for the app to come back or to be switched on is opened.
    if (frame === null && (changes.has(id) || changes.has('*')) && (app?.enabled || !app)) open()
    return undefined
  })
  // Which development addresses may be shown stands in the policy that this page came with.
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    const url = store.apps.get(id)?.url
    if (frame === null || effectiveDirective !== 'frame-src' || !url) return
    close()
    if (!url.startsWith(blockedURI)) return stopped('it left its page')
    say(state, 'not opened')
    const reload = h('button', { type: 'button', on: { click: () => location.reload() } }, icon('reload'), 'Load this page anew')
    fill(stage, h('div', { class: 'note' }, h('p', {}, `It comes from ${url}, which was installed after this page was opened.`), reload))
  })
  store.wallHeard.add((method, params) => frame?.told(method, params))
  store.on('about', () => frame?.attach())
  addEventListener('pagehide', close)

  return {
    element,
    show([wanted]) {
      const next = wanted ?? null
      if (next !== null && next === id && frame) return
      id = next
      close()
      if (id === null) list()
      else open()
    },
    hide() {
      close()
      id = null
    },
  }
}
