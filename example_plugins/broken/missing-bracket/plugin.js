// A bracket is missing: the parser notices at the end, the mistake is above.
import { PANES_AREA } from '@hermes/plugin-sdk'

export default {
  id: 'missing-bracket',
  register(ctx) {
    ctx.register({
      id: 'pane',
      area: PANES_AREA,
      title: 'Pane',
      data: { placement: 'right', width: '300px' },
      render: () => null,
    }
  },
}
