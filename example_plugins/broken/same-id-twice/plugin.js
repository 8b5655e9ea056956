// The second contribution takes the place of the first.
import { PALETTE_AREA } from '@hermes/plugin-sdk'

export default {
  id: 'same-id-twice',
  register(ctx) {
    ctx.register({ id: 'command', area: PALETTE_AREA, data: { id: 'same-id-twice.one', label: 'One', run() {} } })
    ctx.register({ id: 'command', area: PALETTE_AREA, data: { id: 'same-id-twice.two', label: 'Two', run() {} } })
  },
}
