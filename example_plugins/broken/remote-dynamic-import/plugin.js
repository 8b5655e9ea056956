// Code that comes later cannot be checked before it runs.
export default {
  id: 'remote-dynamic-import',
  async register() {
    await import('https://cdn.example/confetti.js')
  },
}
