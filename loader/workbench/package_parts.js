// What a package asks for, as words and as checkboxes.

import { h } from '/workbench/dom.js'

const MEANT = {
  tools: 'call the app’s tools',
  storage: 'read the lists of your tabs',
  cdp: 'debug tabs',
  ai: 'ask the model',
  'read-only': 'tools that only read',
  'controls-browser': 'tools that control the browser',
}

/** `{apis, capabilities}` in words; an empty text for nothing. */
export function grantsWords({ apis, capabilities }) {
  return [...apis, ...capabilities].map((name) => (MEANT[name] ? `${name} (${MEANT[name]})` : name)).join(', ')
}

/** A checkbox for each thing that is asked for. `chosen()` gives what is ticked. */
export function grantsFields(requested, approved, prefix) {
  const boxes = []
  const field = (kind) => (name) => {
    const box = h('input', { type: 'checkbox', id: `${prefix}-${name}`, checked: approved[kind].includes(name) })
    boxes.push([kind, name, box])
    return h('span', { class: 'tick' }, box, h('label', { for: `${prefix}-${name}` }, name, h('span', { class: 'faint' }, ` ${MEANT[name] ?? ''}`)))
  }
  const fields = [...requested.apis.map(field('apis')), ...requested.capabilities.map(field('capabilities'))]
  return {
    empty: fields.length === 0,
    element: h('fieldset', { class: 'ticks' }, h('legend', {}, 'It asks for'), fields),
    chosen() {
      const names = (kind) => boxes.filter(([of, , box]) => of === kind && box.checked).map(([, name]) => name)
      return { apis: names('apis'), capabilities: names('capabilities') }
    },
  }
}
