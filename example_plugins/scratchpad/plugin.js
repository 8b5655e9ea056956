// @ts-check
// A pane with state of its own: notes that are still there after a restart.
import { Button, EmptyState, PANES_AREA, Textarea } from '@hermes/plugin-sdk'
import { useState } from 'react'
import { jsx, jsxs } from 'react/jsx-runtime'

const KEY = 'text'
const LIMIT = 4000

const column = { display: 'flex', flexDirection: 'column', gap: 8, height: '100%', padding: 12 }
const faint = { color: 'var(--ui-text-tertiary)', fontSize: 12 }

/** The notes, kept in the plugin's own storage: other plugins have another name space. */
function Scratchpad({ storage }) {
  const [text, setText] = useState(() => storage.get(KEY, ''))

  const change = (next) => {
    setText(next)
    storage.set(KEY, next)
  }

  return jsxs('section', {
    'aria-label': 'Scratchpad',
    style: column,
    children: [
      jsx(Textarea, {
        'aria-label': 'Notes',
        'aria-describedby': 'scratchpad-count',
        maxLength: LIMIT,
        placeholder: 'Write something to keep…',
        rows: 12,
        value: text,
        onChange: (event) => change(event.target.value),
      }),
      jsxs('p', { id: 'scratchpad-count', style: faint, children: [text.length, ' of ', LIMIT, ' characters'] }),
      text === '' && jsx(EmptyState, { title: 'Nothing here yet', description: 'What you write stays on this computer.' }),
      jsx(Button, { variant: 'secondary', disabled: text === '', onClick: () => change(''), children: 'Clear' }),
    ],
  })
}

/** @type {import('@hermes/plugin-sdk').HermesPlugin} */
export default {
  id: 'scratchpad',
  name: 'Scratchpad',
  description: 'A pane for notes beside the chat.',

  register(ctx) {
    ctx.register({
      id: 'pane',
      area: PANES_AREA,
      title: 'Scratchpad',
      // `render` is a component: hooks work in it, and it is called again whenever the pane is drawn.
      render: () => jsx(Scratchpad, { storage: ctx.storage }),
      data: { placement: 'right', width: '320px', minWidth: '220px' },
    })
  },
}
