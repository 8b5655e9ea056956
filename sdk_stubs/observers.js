// Observers that see nothing. What they watch in the document counts until they let go, or until it leaves the document.

import { awaits, track } from '@@host'
import { onRemoval } from '@@nodes'

function observer(name) {
  const made = {
    [name]: class {
      #held = new Map()

      constructor(callback) {
        if (typeof callback !== 'function') throw new TypeError(`${name} wants a function to call.`)
      }

      observe(target) {
        awaits(name)
        if (this.#held.has(target) || target?.isConnected === false) return
        const where = target?.nodeName ? `<${target.nodeName.toLowerCase()}>` : ''
        const release = track('observer', `${name} on ${where}`.trim())
        const cancel = target?.nodeType ? onRemoval(target, () => this.unobserve(target)) : () => {}
        this.#held.set(target, () => {
          cancel()
          release()
        })
      }

      unobserve(target) {
        this.#held.get(target)?.()
        this.#held.delete(target)
      }

      disconnect() {
        for (const end of this.#held.values()) end()
        this.#held.clear()
      }

      takeRecords() {
        return []
      }
    },
  }
  return made[name]
}

export const MutationObserver = observer('MutationObserver')
export const ResizeObserver = observer('ResizeObserver')
export const IntersectionObserver = observer('IntersectionObserver')
export const PerformanceObserver = observer('PerformanceObserver')
PerformanceObserver.supportedEntryTypes = []
