// What stands outside of functions runs while the file is imported.
const config = JSON.parse('{ not json }')

export default {
  id: 'throws-at-import',
  register() {
    return config
  },
}
