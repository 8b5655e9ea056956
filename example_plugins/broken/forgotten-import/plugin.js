// The component is used but not imported: it shows when the pane is drawn.
import { PANES_AREA } from '@hermes/plugin-sdk'
import { jsx } from 'react/jsx-runtime'

function Panel() {
  return jsx(Button, { children: 'Go' })
}

export default {
  id: 'forgotten-import',
  register(ctx) {
    ctx.register({ id: 'pane', area: PANES_AREA, title: 'Panel', data: { placement: 'right', width: '300px' }, render: () => jsx(Panel, {}) })
  },
}
