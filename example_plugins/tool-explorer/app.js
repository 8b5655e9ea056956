// @ts-check
// Tool explorer: a web app behind the wall. It lists the tools that a person granted it, draws a form from each one's
// schema, and calls it. Every part of `window.meithPlugin` may be missing: it is there only where somebody approved it.
const api = window.meithPlugin

/** @template {HTMLElement} Kind @param {string} id @param {new () => Kind} kind */
function part(id, kind) {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`index.html has no #${id}`)
  return found
}

const list = part('tools', HTMLUListElement)
const form = part('form', HTMLFormElement)
const filter = part('filter', HTMLInputElement)
const answer = part('answer', HTMLDivElement)
const calls = part('calls', HTMLOListElement)
const KEPT = 'calls'
const MOST_CALLS = 8

/** @type {PluginBridgeTool[]} */
let tools = []
let drawn = false

/** @param {string} tag @param {Record<string, string>} attributes @param {(string | Node)[]} children */
function h(tag, attributes, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...children)
  return element
}

/** @param {string} id @param {string} text */
function say(id, text) {
  part(id, HTMLElement).textContent = text
}

// ---------------------------------------------------------------- the list

function showTools() {
  const wanted = filter.value.trim().toLowerCase()
  const shown = tools.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(wanted))
  list.replaceChildren(
    ...shown.map((tool) => {
      const button = h('button', { type: 'button' }, tool.name, ' ', h('small', {}, tool.capability))
      button.addEventListener('click', () => choose(tool))
      return h('li', {}, button)
    }),
  )
  say('count', tools.length ? `${shown.length} of ${tools.length}` : 'No app window has a tool for this app now.')
}

// ---------------------------------------------------------------- one of them

/** A field for one argument. What a schema says is a wish of the tool's: nothing here relies on its form. */
function field(name, schema, required) {
  const id = `argument-${name}`
  const choices = Array.isArray(schema?.enum) ? schema.enum : schema?.type === 'boolean' ? [true, false] : null
  const plain = schema?.type === 'string'
  const input = choices
    ? h('select', { id }, h('option', { value: '' }, ''), ...choices.map((value) => h('option', { value: JSON.stringify(value) }, String(value))))
    : h('input', { id, type: 'text', autocomplete: 'off', spellcheck: 'false', placeholder: plain ? '' : 'JSON' })
  input.setAttribute('name', name)
  if (required) input.setAttribute('required', '')
  input.dataset.plain = String(plain && !choices)
  const hint = typeof schema?.description === 'string' ? schema.description : ''
  return h('div', { class: 'field' }, h('label', { for: id }, name, required ? ' (needed)' : ''), input, h('small', {}, hint))
}

/** @param {PluginBridgeTool} tool */
function choose(tool) {
  const properties = tool.inputSchema?.properties
  const required = Array.isArray(tool.inputSchema?.required) ? tool.inputSchema.required : []
  const named = properties && typeof properties === 'object' ? Object.entries(properties) : []
  say('tool-title', tool.name)
  say('about', tool.description)
  answer.replaceChildren()
  form.replaceChildren(
    ...named.map(([name, schema]) => field(name, schema, required.includes(name))),
    h('button', { type: 'submit', class: 'main' }, `Call ${tool.name}`),
  )
  form.hidden = false
  form.onsubmit = (event) => {
    event.preventDefault()
    call(tool.name)
  }
}

/** What was typed, as the object of arguments. Throws a SyntaxError for what is no JSON where JSON is wanted. */
function typed() {
  /** @type {Record<string, unknown>} */
  const found = {}
  for (const input of form.querySelectorAll('input, select')) {
    if (!(input instanceof HTMLInputElement || input instanceof HTMLSelectElement) || input.value === '') continue
    found[input.name] = input.dataset.plain === 'true' ? input.value : JSON.parse(input.value)
  }
  return found
}

/** @param {string} name */
async function call(name) {
  let given
  try {
    given = typed()
  } catch {
    return showAnswer(false, 'An argument is no JSON: texts stand in "quotes" there.')
  }
  answer.replaceChildren(h('p', {}, 'Asking …'))
  const result = await api?.tools?.call(name, given)
  if (!result) return undefined
  // A refusal is a value like any other: it has a code, and says what lacks.
  if (result.ok === false) {
    keep(name, result.error.code)
    return showAnswer(false, `${result.error.code}: ${result.error.message}`)
  }
  keep(name, 'ok')
  return showAnswer(true, JSON.stringify(result.data, null, 2) ?? 'nothing')
}

/** @param {boolean} ok @param {string} text */
function showAnswer(ok, text) {
  answer.replaceChildren(h('pre', { 'data-ok': String(ok), tabindex: '0', 'aria-label': ok ? 'Answer' : 'Refusal' }, text))
}

// ---------------------------------------------------------------- what is kept: this app's own storage, behind the wall too

/** @returns {string[]} */
function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEPT) ?? '[]')
    return Array.isArray(found) ? found.filter((line) => typeof line === 'string') : []
  } catch {
    return []
  }
}

/** @param {string} name @param {string} outcome */
function keep(name, outcome) {
  localStorage.setItem(KEPT, JSON.stringify([`${name}: ${outcome}`, ...kept()].slice(0, MOST_CALLS)))
  showCalls()
}

function showCalls() {
  calls.replaceChildren(...kept().map((line) => h('li', {}, line)))
}

// ---------------------------------------------------------------- begin, and end

async function begin() {
  showCalls()
  if (!api) return say('who', 'Outside of Hermes Desktop there are no tools.')
  say('who', `${api.identity.pluginId}, version ${api.identity.version}`)
  if (!api.tools) return say('count', 'Nobody approved that this app calls tools.')
  const found = await api.tools.list()
  // Drawn anew only when it is another list: the first press into the frame brings the focus too, and a button that is
  // replaced between press and release is never clicked.
  if (drawn && JSON.stringify(found) === JSON.stringify(tools)) return
  tools = found
  drawn = true
  showTools()
}

filter.addEventListener('input', showTools)
// An app window that comes, or another approval, changes what may be called.
addEventListener('focus', () => begin().catch((error) => say('count', error.message)))
addEventListener('meithplugin:closed', () => say('count', 'This app was switched off: open it again.'))
begin().catch((error) => say('count', error.message))
