// Nothing compiles this file: markup has to be written as calls.
import { PANES_AREA } from '@hermes/plugin-sdk'

function Hello() {
  return <p>Hello</p>
}

export default {
  id: 'jsx-markup',
  register(ctx) {
    ctx.register({ id: 'pane', area: PANES_AREA, title: 'Hello', data: { placement: 'right' }, render: Hello })
  },
}
