// An area that does not exist: nothing fails, and nothing is ever shown.
import { jsx } from 'react/jsx-runtime'

export default {
  id: 'unknown-area',
  register(ctx) {
    ctx.register({ id: 'light', area: 'statusbar.left', render: () => jsx('span', { children: 'here?' }) })
  },
}
