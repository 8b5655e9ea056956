// AbortController and AbortSignal.

import { clock } from '@@host'
import { Event, EventTarget, dispatch } from '@@events'

const aborted = () => new DOMException('This operation was aborted', 'AbortError')

export class AbortSignal extends EventTarget {
  aborted = false
  reason = undefined
  onabort = null

  throwIfAborted() {
    if (this.aborted) throw this.reason
  }

  static abort(reason = aborted()) {
    const signal = new AbortSignal()
    end(signal, reason)
    return signal
  }

  static timeout(ms) {
    const signal = new AbortSignal()
    clock.schedule(() => end(signal, new DOMException('The operation timed out.', 'TimeoutError')), ms, { untracked: true })
    return signal
  }

  static any(signals) {
    const joint = new AbortSignal()
    for (const signal of signals) {
      if (signal.aborted) end(joint, signal.reason)
      else signal.addEventListener('abort', () => end(joint, signal.reason))
    }
    return joint
  }
}

function end(signal, reason) {
  if (signal.aborted) return
  signal.aborted = true
  signal.reason = reason
  dispatch(signal, new Event('abort'))
}

export class AbortController {
  signal = new AbortSignal()

  abort(reason = aborted()) {
    end(this.signal, reason)
  }
}
