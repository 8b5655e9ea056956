// Which module this loads is known only when it runs.
const NAMES = { date: 'date-fns' }

export default {
  id: 'computed-import',
  async register() {
    await import(NAMES.date)
  },
}
