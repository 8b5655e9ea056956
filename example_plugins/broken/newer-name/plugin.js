// Older builds of the app do not export this name: there the whole plugin would fail to link.
import { APPEARANCE_AREAS } from '@hermes/plugin-sdk'
import { jsx } from 'react/jsx-runtime'

export default {
  id: 'newer-name',
  register(ctx) {
    ctx.register({ id: 'card', area: APPEARANCE_AREAS.extra, title: 'Card', render: () => jsx('p', { children: 'A card' }) })
  },
}
