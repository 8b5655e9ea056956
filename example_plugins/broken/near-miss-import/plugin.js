// One letter short of the SDK.
import { host } from '@hermes/plugin-sd'

export default {
  id: 'near-miss-import',
  register() {
    host.notify({ kind: 'info', message: 'hello' })
  },
}
