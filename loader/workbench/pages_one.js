// One page of one plugin: shown, kept fresh while it is looked at, pressed; drafts are kept or removed.

import { announce, fill, h, icon } from '/workbench/dom.js'
import { confirmInDialog, pollAfterMs, renderPage, stateAfter } from '/workbench/pages.js'
import { DRAFTS, statusTag } from '/workbench/pages_hub.js'
import { call, get } from '/workbench/session.js'

const LOOK_AGAIN_MS = 5000

/** Opens it in `main`. `around` draws what stands beside it anew, after a look at its place. */
export function openPage(main, place, plugin, id) {
  const around = h('div', { class: 'around' })
  const note = h('div', { class: 'note', data: { tone: 'bad' }, role: 'alert', hidden: true })
  const room = h('div', {})
  const path = `${place.base}/${encodeURIComponent(plugin)}/${encodeURIComponent(id)}`
  let closed = false
  let drawn = null
  let answer = null
  let loading = null
  let timer = 0

  /** The newest document; at most one request is under way. Faults leave what is shown as it is. */
  function load(reset = false) {
    loading ??= (async () => {
      try {
        const found = await get(path)
        if (closed) return
        note.hidden = true
        show(found, reset)
      } catch (error) {
        if (!closed && error.status !== 401) complain(error)
      } finally {
        loading = null
        schedule()
      }
    })()
    return loading
  }

  function complain(error) {
    const again = h('button', { type: 'button', on: { click: () => load(true) } }, icon('reload'), 'Try again')
    fill(note, h('p', {}, error.message), h('div', { class: 'row' }, again))
    note.hidden = false
  }

  function show(found, reset) {
    const before = !reset && answer ? stateAfter(answer.document, found.document, drawn.state()) : null
    const same = answer !== null && answer.seen === found.seen && !reset
    answer = found
    if (same) return
    drawn = renderPage(found.document, id, { onAction: press, before })
    fill(room, drawn.element)
    document.title = `${drawn.element.querySelector('.hp-title').textContent} · Hermes Desktop`
  }

  async function press(item, state) {
    try {
      await call('POST', `${path}/actions/${encodeURIComponent(item.id)}`, {
        seen: answer.seen,
        state,
        confirmed: item.action.confirmation !== null,
      })
      announce('Done')
      await load(true)
    } catch (error) {
      complain(error)
      // A page that has changed meanwhile is shown as it is now.
      if (error.status === 409) await load(true)
    }
  }

  function schedule() {
    clearTimeout(timer)
    // What could not be shown at all is tried again: a backend may be slow to start.
    const wait = answer ? pollAfterMs(answer.poll_s) : LOOK_AGAIN_MS
    if (wait !== null && !closed && document.visibilityState === 'visible') timer = setTimeout(() => load(), wait)
  }

  function drawAround() {
    const surface = place.surface(plugin)
    const page = surface?.pages.find((one) => one.id === id)
    const may = surface?.may_write
    const decides = DRAFTS.includes(plugin) ? page?.status : null
    fill(
      around,
      h('a', { href: '#/', class: 'row' }, icon('back'), surface?.name ?? 'Pages'),
      !place.isOwn && h('span', { class: 'tag' }, h('bdi', {}, place.name)),
      statusTag(page?.status),
      decides === 'draft' && h('button', { type: 'button', class: 'primary', disabled: !may, on: { click: () => decide('promote', page) } }, 'Keep'),
      decides && page.digest && h('button', { type: 'button', disabled: !may, on: { click: () => decide('remove', page) } }, 'Remove'),
      decides && !may && h('small', { class: 'faint' }, 'To keep or remove, let drafted pages do so.'),
    )
  }

  async function decide(decision, page) {
    const keep = decision === 'promote'
    const asked = keep ? `Keep “${page.title}” as it is now?` : `Remove “${page.title}”? It cannot be brought back.`
    if (!(await confirmInDialog(asked, keep ? 'Keep' : 'Remove'))) return
    try {
      await call('POST', place.decisionPath(plugin, id, decision), { expected_digest: page.digest })
      announce(keep ? 'Kept' : 'Removed')
      if (!keep) location.hash = '#/'
    } catch (error) {
      fill(note, h('p', {}, error.message))
      note.hidden = false
    }
    place.look()
  }

  document.addEventListener('visibilitychange', schedule)
  fill(main, h('div', { class: 'shown' }, around, note, room))
  drawAround()
  return {
    place,
    plugin,
    load,
    around: drawAround,
    close() {
      closed = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', schedule)
    },
  }
}
