// Plugins are ES modules: there is no require and no module.exports.
const { host } = require('@hermes/plugin-sdk')

module.exports = {
  id: 'commonjs',
  register() {
    host.notify({ kind: 'info', message: 'hello' })
  },
}
