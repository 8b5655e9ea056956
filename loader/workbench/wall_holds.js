// Whether this browser holds a frame's connections to the list that its page came with (`Connection-Allowlist`). Without
// that, peer connections and hints to connect are out of every policy's reach, and the wall has a hole.

const PATIENCE_MS = 5000
let asked = null

/** @returns {Promise<boolean>} asked once for a visit */
export function wallHolds() {
  asked ??= new Promise((resolve) => {
    const frame = document.createElement('iframe')
    const done = (held) => {
      removeEventListener('message', heard)
      clearTimeout(timer)
      frame.remove()
      resolve(held)
    }
    const heard = ({ source, data }) => {
      if (source !== null && source === frame.contentWindow && data?.kind === 'hermes:probed') done(data.held === true)
    }
    const timer = setTimeout(done, PATIENCE_MS, false)
    addEventListener('message', heard)
    frame.setAttribute('sandbox', 'allow-scripts')
    frame.hidden = true
    frame.setAttribute('aria-hidden', 'true')
    frame.tabIndex = -1
    frame.src = '/workbench/wall_probe.html'
    document.body.append(frame)
  })
  return asked
}
