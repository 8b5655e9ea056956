// One page of one plugin: shown, kept fresh while it is looked at, pressed; drafts are kept or removed.

import { announce, fill, h, icon } from '/workbench/dom.js'
import { confirmInDialog, pollAfterMs, renderPage, stateAfter } from '/workbench/pages.js'
import { DRAFTS, statusTag } from '/workbench/pages_hub.js'
import { call, get } from '/workbench/session.js'

const LOOK_AGAIN_MS = 5000
// Switched off, or gone: what was shown is then no page that anybody may use.
const NO_PAGE = [403, 404]

/** Opens it in `main`. `around` draws what stands beside it anew, after a look at its place. */
export function openPage(main, place, plugin, id) {
  const around = h('div', { class: 'around' })
  const note = h('div', { class: 'note', data: { tone: 'bad' }, role: 'alert', hidden: true })
  const room = h('div', {})
  const path = `${place.base}/${encodeURIComponent(plugin)}/${encodeURIComponent(id)}`
  const left = new AbortController()
  let beside = null
  let drawn = null
  let answer = null
  let loading = null
  let wanted = null
  let timer = 0

  /** The newest document; one request at a time, and a wish that comes meanwhile is kept. Faults leave what is shown. */
  function load(reset = false) {
    wanted = { reset: reset || wanted?.reset }
    loading ??= (async () => {
      while (wanted && !left.signal.aborted) {
        const { reset: anew } = wanted
        wanted = null
        await loadOnce(anew)
      }
    })().finally(() => {
      loading = null
      schedule()
    })
    return loading
  }

  async function loadOnce(reset) {
    try {
      const found = await get(path)
      if (left.signal.aborted) return
      if (note.dataset.of === 'page') note.hidden = true
      show(found, reset)
    } catch (error) {
      if (left.signal.aborted || error.status === 401) return
      if (NO_PAGE.includes(error.status)) drawn = answer = null
      if (!drawn) fill(room, h('h1', { class: 'hp-title untold' }, pageHere()?.title ?? id))
      complain(error, 'page')
    }
  }

  /** `of` what it speaks: what is wrong with the page ends when it is read; what became of a press is there to be read. */
  function complain(error, of) {
    const words = [note.dataset.of, note.querySelector('p')?.textContent]
    if (!note.hidden && words[0] === of && words[1] === error.message) return
    note.dataset.of = of
    const again = h('button', { type: 'button', on: { click: () => load(true) } }, icon('reload'), 'Try again')
    const dismiss = h('button', { type: 'button', on: { click: () => (note.hidden = true) } }, 'Dismiss')
    fill(note, h('p', {}, error.message), h('div', { class: 'row' }, of === 'page' ? again : dismiss))
    note.hidden = false
  }

  function show(found, reset) {
    const before = !reset && answer ? stateAfter(answer.document, found.document, drawn.state()) : null
    const same = answer !== null && answer.seen === found.seen && !reset
    answer = found
    if (same) return
    drawn = renderPage(found.document, id, {
      // What is sent is what this page says, also if another one is there by the time a person has confirmed.
      onAction: (item, state) => press(found.seen, item, state),
      // Its words are the plugin's own: whose they are is ours to say.
      confirm: (text) => confirmInDialog(text, 'Confirm', left.signal, `${place.surface(plugin)?.name ?? plugin} asks`),
      before,
    })
    fill(room, drawn.element)
    document.title = `${drawn.element.querySelector('.hp-title').textContent} · Hermes Desktop`
    if (!isListed()) place.look()
    drawAround()
  }

  async function press(seen, item, state) {
    try {
      await call('POST', `${path}/actions/${encodeURIComponent(item.id)}`, {
        seen,
        state,
        confirmed: item.action.confirmation !== null,
      })
      note.hidden = true
      announce('Done')
      await load(true)
    } catch (error) {
      complain(error, 'press')
      // A page that has changed meanwhile is shown as it is now.
      if (error.status === 409) await load(true)
    }
  }

  function schedule() {
    clearTimeout(timer)
    // What could not be shown at all is tried again: a backend may be slow to start.
    const wait = answer ? pollAfterMs(answer.poll_s) : LOOK_AGAIN_MS
    if (wait !== null && !left.signal.aborted && document.visibilityState === 'visible') timer = setTimeout(() => load(), wait)
  }

  const pageHere = () => place.surface(plugin)?.pages.find((one) => one.id === id)

  /** Whether the listed revision, whose digest a decision names, is the one that a person sees. */
  function isListed() {
    const [shown, listed] = [answer?.document.host_revision, pageHere()?.revision]
    return typeof shown !== 'number' || typeof listed !== 'number' || shown === listed
  }

  function drawAround() {
    const surface = place.surface(plugin)
    const page = pageHere()
    const may = Boolean(surface?.may_write)
    const decides = DRAFTS.includes(plugin) && page?.digest?.startsWith('sha256:') ? page.status : null
    const changed = Boolean(answer) && !isListed()
    const idle = !may || !answer || changed
    const now = JSON.stringify([surface?.name, page, may, changed, idle])
    if (now === beside) return
    beside = now
    const decision = (what, words, more = {}) =>
      h('button', { type: 'button', disabled: idle, data: { focus: what }, on: { click: () => decide(what, page) }, ...more }, words)
    fill(
      around,
      h('a', { href: '#/', class: 'row', data: { focus: 'back' } }, icon('back'), surface?.name ?? 'Pages'),
      !place.isOwn && h('span', { class: 'tag' }, h('bdi', {}, place.name)),
      statusTag(page?.status),
      decides === 'draft' && decision('promote', 'Keep', { class: 'primary' }),
      decides && decision('remove', 'Remove'),
      decides && !may && h('small', { class: 'faint' }, 'Nobody may keep or remove it yet: switch on “May keep and remove pages” in the list.'),
      decides && may && changed && h('small', { class: 'faint' }, 'It has changed: look at it as it is now.'),
    )
  }

  async function decide(decision, page) {
    const keep = decision === 'promote'
    const asked = keep ? `Keep “${page.title}” as it is now?` : `Remove “${page.title}”? It cannot be brought back.`
    if (!(await confirmInDialog(asked, keep ? 'Keep' : 'Remove', left.signal))) return
    try {
      await call('POST', place.decisionPath(plugin, id, decision), { expected_digest: page.digest })
      announce(keep ? 'Kept' : 'Removed')
      note.hidden = true
      if (!keep) location.hash = '#/'
    } catch (error) {
      complain(error, 'press')
      load()
    }
    place.look()
  }

  document.addEventListener('visibilitychange', schedule)
  main.replaceChildren(h('div', { class: 'shown' }, around, note, room))
  drawAround()
  return {
    place,
    plugin,
    load,
    around: drawAround,
    close() {
      left.abort()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', schedule)
    },
  }
}
