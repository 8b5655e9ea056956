// A hook behind a condition: the next render calls more hooks than the first.
import { PANES_AREA } from '@hermes/plugin-sdk'
import { useEffect, useState } from 'react'
import { jsx } from 'react/jsx-runtime'

function Panel({ open }) {
  if (open) {
    const [count] = useState(0)
    return jsx('p', { children: count })
  }
  return null
}

function Frame() {
  const [open, setOpen] = useState(false)
  useEffect(() => setOpen(true), [])
  return Panel({ open })
}

export default {
  id: 'conditional-hook',
  register(ctx) {
    ctx.register({ id: 'pane', area: PANES_AREA, title: 'Panel', data: { placement: 'right', width: '300px' }, render: () => jsx(Frame, {}) })
  },
}
