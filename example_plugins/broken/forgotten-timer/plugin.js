// The timer, the listener and the observer go on after the plugin is gone, once more with each reload.
import { host } from '@hermes/plugin-sdk'

export default {
  id: 'forgotten-timer',
  register() {
    setInterval(() => host.notify({ kind: 'info', message: 'still here' }), 60_000)
    window.addEventListener('resize', () => host.notify({ kind: 'info', message: 'still listening' }))
    new MutationObserver(() => host.notify({ kind: 'info', message: 'still watching' })).observe(document.body)
  },
}
