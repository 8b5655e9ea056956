// Only three modules can be imported. Everything else belongs into the file.
import { debounce } from 'lodash-es'
import { host } from '@hermes/plugin-sdk'

const tell = debounce(() => host.notify({ kind: 'info', message: 'quiet now' }), 300)

export default {
  id: 'npm-import',
  register() {
    tell()
  },
}
