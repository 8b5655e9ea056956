// The app gives its modules by name; attributes are not part of that.
import { host } from '@hermes/plugin-sdk' with { type: 'javascript' }

export default {
  id: 'import-attributes',
  register() {
    host.notify({ kind: 'info', message: 'hello' })
  },
}
