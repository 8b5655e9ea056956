// The SDK has no such name; the closest one is meant.
import { useValues, host } from '@hermes/plugin-sdk'

export default {
  id: 'unknown-name',
  register() {
    host.notify({ kind: 'info', message: typeof useValues })
  },
}
