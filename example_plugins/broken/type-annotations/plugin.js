// Nothing strips these types. JSDoc comments do the same work and run.
import { host } from '@hermes/plugin-sdk'

const greet = (name: string) => host.notify({ kind: 'info', message: `Hello ${name}` })

export default {
  id: 'type-annotations',
  register() {
    greet('you')
  },
}
