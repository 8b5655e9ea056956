// The page's side of a plugin in a frame: the frame asks over a port, the page passes on what policy is for.

import { fill, h } from '/workbench/dom.js'
import { plainData } from '/workbench/plain_data.js'
import { themeNow } from '/workbench/theme.js'

// What a frame may ask in a second; what is more is dropped, so that it can fill neither the console nor the socket.
const CALLS_A_SECOND = 40
const LOG_LINES = 200
const DOORS = new Set(['runAction', 'pet.say', 'pet.clear'])

const short = (value, length = 500) => String(value ?? '').slice(0, length)

/** @returns {{element: HTMLElement, stop: () => void}} */
export function runFramed({ store, row, granted, live, onState }) {
  const log = h('ol', { class: 'run-log', 'aria-label': 'What it says' })
  const frame = h('iframe', {
    class: 'run-frame',
    sandbox: 'allow-scripts',
    src: '/workbench/frame.html',
    title: `${row.name}, running`,
    referrerpolicy: 'no-referrer',
    allow: '',
  })
  const element = h('div', { class: 'stack' }, frame, log)
  const { port1, port2 } = new MessageChannel()
  let told = 0
  let windowStart = 0
  let calls = 0
  let stopped = false

  function line(level, text) {
    if ((told += 1) > LOG_LINES) return
    log.append(
      h(
        'li',
        { data: { level } },
        h('span', { class: 'faint mono' }, level),
        h('bdi', { class: 'mono' }, told === LOG_LINES ? 'more is not shown' : short(text)),
      ),
    )
  }

  function allowedNow() {
    const now = performance.now()
    if (now - windowStart > 1000) {
      windowStart = now
      calls = 0
    }
    return (calls += 1) <= CALLS_A_SECOND
  }

  async function answer(data) {
    if (!data || typeof data !== 'object' || !allowedNow()) return
    if (data.kind === 'state') {
      onState(short(data.text, 200))
      line('state', data.text)
    } else if (data.kind === 'console')
      line(['log', 'info', 'warn', 'error'].includes(data.level) ? data.level : 'log', data.text)
    else if (data.kind === 'call' && DOORS.has(data.method)) {
      // The plugin's own token is added here and never given to the frame.
      const asked = plainData(data.params)
      const result = asked
        ? await live
            .request(data.method, { ...asked, plugin_token: granted.token })
            .catch((error) => ({ ok: false, reason: 'unavailable', error: error.message }))
        : { ok: false, reason: 'unavailable', error: 'what is passed is plain data, and not so large' }
      line(
        'policy',
        `${data.method} ${JSON.stringify(asked ?? '…').slice(0, 120)}: ${result.ok ? 'ok' : (result.reason ?? 'refused')}`,
      )
      if (!stopped) port1.postMessage({ kind: 'answer', id: data.id, result })
    }
  }

  port1.onmessage = ({ data }) => {
    answer(data).catch((error) => line('error', error.message))
  }
  frame.addEventListener('load', () => {
    // A second load means that the frame has gone somewhere else: it gets no port there.
    if (stopped || frame.dataset.loaded) return stop('it left its frame')
    frame.dataset.loaded = 'yes'
    frame.contentWindow.postMessage(
      {
        kind: 'start',
        id: row.id,
        name: row.name,
        module: `${granted.moduleUrl}?sdk=rewrite`,
        theme: themeNow(),
        ...(known = actionsNow()),
      },
      '*', // its origin is opaque, so it has no name that could be given here
      [port2],
    )
    return undefined
  })

  /** What plugins may run now; a row says which app windows are connected, since each has every running plugin. */
  function actionsNow() {
    return { actions: store.actions, mounted: Boolean(store.rows.get(row.key)?.shells.length) }
  }

  let known = actionsNow()

  function tellActions() {
    const now = actionsNow()
    if (now.actions === known.actions && now.mounted === known.mounted) return
    known = now
    port1.postMessage({ kind: 'actions', ...now })
  }
  const ends = [store.on('policy', tellActions), store.on('rows', tellActions)]

  function stop(why) {
    stopped = true
    for (const end of ends) end()
    port1.close()
    frame.remove()
    if (why) fill(element, h('p', { class: 'note', data: { tone: 'bad' } }, `Stopped: ${why}.`))
  }

  return { element, stop: () => stop(null) }
}
