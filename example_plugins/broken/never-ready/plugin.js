// A module that waits for something that never comes is never loaded.
const ready = new Promise(() => {})
await ready

export default {
  id: 'never-ready',
  register() {},
}
