// Draws declarative pages with the host's own components: data in, elements out, and no markup, URL or code on the way.
// It is given documents that the service's check let pass. Nothing here reaches a network: a press is handed out.

const SVG = 'http://www.w3.org/2000/svg'
const DURATION_MS = { FAST: 120, NORMAL: 220, SLOW: 360 }
const KEYFRAMES = {
  FADE: [{ opacity: 0 }, { opacity: 1 }],
  SCALE: [{ opacity: 0, transform: 'scale(.9)' }, { opacity: 1, transform: 'none' }],
  SLIDE_VERTICAL: [{ opacity: 0, transform: 'translateY(-12px)' }, { opacity: 1, transform: 'none' }],
  HIGHLIGHT: [{ backgroundColor: 'var(--hp-flash)' }, { backgroundColor: 'transparent' }],
}
// As the phone has it: spaces of every kind, and the controls that part words; a byte order mark is none.
const BLANK = /^[\p{Z}\t-\r\x1c-\x1f]*$/u
const calm = matchMedia('(prefers-reduced-motion: reduce)')
let made = 0

/** A number as the phone shows it: 64-bit, no trailing .0, exponents from ten million up and below a thousandth. */
export function numberText(number) {
  const size = Math.abs(number)
  if (Object.is(number, -0)) return '-0'
  if (size === 0 || (size >= 1e-3 && size < 1e7)) return String(number)
  const [digits, exponent] = number.toExponential().split('e')
  return `${digits.includes('.') ? digits : `${digits}.0`}E${Number(exponent)}`
}

/** A state value's text form; null has none. */
export function valueText(value) {
  if (!value || value.type === 'null') return null
  return value.type === 'number' ? numberText(value.value) : String(value.value)
}

export function resolveText(text, state) {
  if (text.type === 'literal') return text.value
  return valueText(state.get(text.key)) ?? text.fallback ?? ''
}

/** Whether a condition holds; none always does. A key that is not there reads as null. */
export function holds(condition, state) {
  if (!condition) return true
  switch (condition.type) {
    case 'truthy': {
      const value = state.get(condition.key)
      if (!value || value.type === 'null') return false
      if (value.type === 'string') return !BLANK.test(value.value)
      return value.type === 'boolean' ? value.value : value.value !== 0
    }
    case 'equals': {
      const value = state.get(condition.key) ?? { type: 'null' }
      return value.type === condition.value.type && value.value === condition.value.value
    }
    case 'not':
      return !holds(condition.condition, state)
    case 'all':
      return condition.conditions.every((one) => holds(one, state))
    case 'any':
      return condition.conditions.some((one) => holds(one, state))
  }
  return false
}

function make(tag, className, attributes = {}) {
  const element = document.createElement(tag)
  if (className) element.className = className
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  return element
}

function put(element, text) {
  if (element.textContent !== text) element.textContent = text
}

/**
 * @param {object} source the document, canonical (defaults filled in)
 * @param {string} pageId the contribution's id: the first page of that id is shown
 * @param {{onAction?: (element: object, state: object) => Promise<void> | void,
 *   confirm?: (text: string) => Promise<boolean>, before?: Map<string, object>}} host
 *   `onAction` is called for a press that has a request, after its confirmation; `before` is a state to go on with
 */
export function renderPage(source, pageId, host = {}) {
  const page = source.pages.find(({ id }) => id === pageId)
  const state = new Map(host.before ?? Object.entries(source.initialState ?? {}))
  const updates = []
  const prefix = `hp${(made += 1)}-`
  const element = make('article', 'hp-page', { 'aria-labelledby': `${prefix}title` })
  const title = make('h1', 'hp-title', { id: `${prefix}title` })
  element.append(title)
  let drawn = false

  function refresh() {
    for (const update of updates) update()
  }

  function change(key, value) {
    const old = state.get(key)
    if (old && old.type === value.type && old.value === value.value) return
    state.set(key, value)
    refresh()
  }

  // ---------------------------------------------------------------- elements

  function draw(item) {
    const box = ELEMENTS[item.type](item)
    box.classList.add('hp')
    box.dataset.id = item.id
    const motion = { enter: 'NONE', change: 'NONE', speed: 'NORMAL', ...item.animation }
    let shown = null
    let leaving = null
    updates.push(() => {
      const visible = holds(item.visibleWhen, state)
      if (visible === shown) {
        if (visible && drawn) play(box, motion.change, motion.speed)
        return
      }
      const first = shown === null
      shown = visible
      leaving?.cancel()
      leaving = null
      if (visible) {
        box.hidden = false
        if (!first) play(box, motion.enter, motion.speed)
        return
      }
      const last = first ? null : play(box, motion.enter, motion.speed, true)
      if (!last) {
        box.hidden = true
        return
      }
      leaving = last
      last.finished.then(() => (box.hidden = !shown), () => {})
    })
    return box
  }

  function labelled(item, field) {
    const label = make('span', 'hp-label', { id: `${prefix}${item.id}-label` })
    field.setAttribute('aria-labelledby', label.id)
    updates.push(() => put(label, resolveText(item.label, state)))
    return label
  }

  function enabled(item, field) {
    updates.push(() => (field.disabled = !holds(item.enabledWhen, state)))
  }

  const ELEMENTS = {
    group(item) {
      const box = make('div', 'hp-group')
      box.dataset.direction = item.direction ?? 'COLUMN'
      box.dataset.spacing = item.spacing ?? 'MEDIUM'
      box.append(...item.children.map(draw))
      if (item.direction === 'ROW') scrollsByKeyboard(box)
      return box
    },
    card(item) {
      const box = make('div', 'hp-card')
      box.append(draw(item.child))
      return box
    },
    text(item) {
      const heading = ['TITLE', 'HEADLINE'].includes(item.style)
      const box = make('p', 'hp-text', heading ? { role: 'heading', 'aria-level': '2' } : {})
      box.dataset.style = item.style ?? 'BODY'
      updates.push(() => put(box, resolveText(item.text, state)))
      return box
    },
    badge(item) {
      const box = make('span', 'hp-badge')
      box.dataset.tone = item.tone ?? 'NEUTRAL'
      updates.push(() => put(box, resolveText(item.text, state)))
      return box
    },
    button(item) {
      const box = make('button', 'hp-button', { type: 'button' })
      box.dataset.style = item.style ?? 'PRIMARY'
      updates.push(() => put(box, resolveText(item.label, state)))
      enabled(item, box)
      box.addEventListener('click', () => press(item, box))
      return box
    },
    text_input(item) {
      const box = make('label', 'hp-field')
      const field = make('textarea', '', { rows: '1', maxlength: String(item.maxLength ?? 2000) })
      box.append(labelled(item, field), field)
      updates.push(() => {
        const bound = state.get(item.binding)
        const text = bound?.type === 'string' ? bound.value : ''
        if (field.value !== text) field.value = text
        field.placeholder = item.placeholder ? resolveText(item.placeholder, state) : ''
      })
      field.addEventListener('input', () => {
        change(item.binding, { type: 'string', value: field.value.slice(0, item.maxLength ?? 2000) })
      })
      return box
    },
    toggle(item) {
      const box = make('label', 'hp-toggle')
      const field = make('input', '', { type: 'checkbox', role: 'switch' })
      box.append(labelled(item, field), field)
      enabled(item, field)
      updates.push(() => {
        const bound = state.get(item.binding)
        field.checked = bound?.type === 'boolean' && bound.value
      })
      field.addEventListener('change', () => change(item.binding, { type: 'boolean', value: field.checked }))
      return box
    },
    progress(item) {
      const box = make('div', 'hp-progress')
      const bar = make('progress', '', { max: '1' })
      if (item.label) box.append(labelled(item, bar))
      else bar.setAttribute('aria-label', 'Progress')
      box.append(bar)
      updates.push(() => {
        const bound = item.valueBinding ? state.get(item.valueBinding) : null
        const value = bound?.type === 'number' ? bound.value : (item.value ?? 0)
        bar.value = Math.min(Math.max(value, 0), 1)
      })
      return box
    },
    image(item) {
      const box = make('div', 'hp-image', { role: 'img' })
      box.style.setProperty('aspect-ratio', String(item.aspectRatio ?? 16 / 9))
      box.append(placeholder())
      updates.push(() => box.setAttribute('aria-label', resolveText(item.contentDescription, state) || 'Image'))
      return box
    },
    divider() {
      return make('hr', 'hp-divider')
    },
    spacer(item) {
      const box = make('div', 'hp-spacer', { 'aria-hidden': 'true' })
      box.dataset.size = item.size ?? 'MEDIUM'
      return box
    },
  }

  async function press(item, box) {
    const { action } = item
    if (action.confirmation) {
      const ask = host.confirm ?? confirmInDialog
      if (!(await ask(resolveText(action.confirmation, state)))) return
    }
    if (!action.request) return
    box.setAttribute('aria-busy', 'true')
    try {
      await host.onAction?.(item, Object.fromEntries(state))
    } finally {
      box.removeAttribute('aria-busy')
    }
  }

  if (page) {
    updates.push(() => put(title, resolveText(page.title, state)))
    element.append(draw(page.content))
  } else {
    put(title, 'There is no such page')
  }
  refresh()
  drawn = true

  return {
    element,
    /** The state as it stands, for a page that comes after this one. */
    state: () => new Map(state),
    found: page !== undefined,
  }
}

/** The state to go on with over a poll: a person's edits are kept where the page is the same one. */
export function stateAfter(oldSource, newSource, state) {
  const same = JSON.stringify(oldSource) === JSON.stringify(newSource)
  const revision = oldSource.host_revision
  const sameRevision = revision !== null && revision !== undefined && revision === newSource.host_revision
  return same || sameRevision ? state : null
}

/** How long to wait for the next look, in milliseconds; null: never. Only while the page is visible. */
export function pollAfterMs(seconds) {
  return seconds === null || seconds === undefined ? null : Math.min(Math.max(seconds, 5), 300) * 1000
}

function play(box, name, speed, backwards = false) {
  const frames = KEYFRAMES[name]
  if (!frames || calm.matches || !box.isConnected) return null
  return box.animate(frames, { duration: DURATION_MS[speed], easing: 'ease-out', direction: backwards ? 'reverse' : 'normal' })
}

/** A row that is wider than its room can be scrolled without a pointer. */
function scrollsByKeyboard(box) {
  const sizes = new ResizeObserver(() => {
    if (box.scrollWidth > box.clientWidth + 1) {
      box.tabIndex = 0
      box.setAttribute('role', 'group')
      box.setAttribute('aria-label', 'Scrolls sideways')
    } else {
      for (const name of ['tabindex', 'role', 'aria-label']) box.removeAttribute(name)
    }
  })
  // What the row holds may grow without the row itself changing its size.
  for (const part of [box, ...box.children]) sizes.observe(part)
}

function placeholder() {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(SVG, 'path')
  path.setAttribute('d', 'M4 5h16v14H4z M4 16l5-5 4 4 2.5-2.5L20 17 M15.5 9.5h.01')
  svg.append(path)
  return svg
}

/** A question above everything, of `who` if not the host's own; false when it is left, or when `left` says its page was. */
export function confirmInDialog(text, yes = 'Confirm', left = null, who = null) {
  return new Promise((resolve) => {
    const dialog = make('dialog', 'hp-dialog')
    const words = make('p')
    words.textContent = text || 'Do this?'
    words.id = `hp${(made += 1)}-question`
    dialog.setAttribute('aria-labelledby', words.id)
    const buttons = make('div', 'hp-buttons')
    const cancel = make('button', 'hp-button', { type: 'button' })
    cancel.dataset.style = 'TEXT'
    cancel.textContent = 'Cancel'
    const confirm = make('button', 'hp-button', { type: 'button' })
    confirm.dataset.style = 'PRIMARY'
    confirm.textContent = yes
    buttons.append(cancel, confirm)
    if (who) {
      const asks = make('h2')
      asks.textContent = who
      dialog.append(asks)
    }
    dialog.append(words, buttons)
    cancel.addEventListener('click', () => dialog.close())
    confirm.addEventListener('click', () => dialog.close('yes'))
    const leave = () => dialog.close()
    left?.addEventListener('abort', leave)
    dialog.addEventListener('close', () => {
      left?.removeEventListener('abort', leave)
      dialog.remove()
      resolve(dialog.returnValue === 'yes')
    })
    document.body.append(dialog)
    dialog.showModal()
    cancel.focus()
  })
}
