// What is undefined has no members: the plugin ends before it showed anything.
import { PANES_AREA } from '@hermes/plugin-sdk'

const settings = undefined

export default {
  id: 'throws-in-register',
  register(ctx) {
    ctx.register({ id: 'pane', area: PANES_AREA, title: settings.title, data: { placement: 'right' }, render: () => null })
  },
}
