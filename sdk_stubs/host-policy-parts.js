// Small parts of host-policy.js, which know nothing of plugins: values to watch, limits, and what goes out in order.

/** A value that can be watched: `get`, `listen` (changes), `subscribe` (now and changes). */
export function atom(value) {
  const listeners = new Set()
  const call = (listener) => {
    try {
      listener(value)
    } catch {
      // One listener that throws must not silence the others.
    }
  }
  const listen = (listener) => {
    // Who listens twice hears twice, and each of the two ends by itself.
    const own = { listener }
    listeners.add(own)
    return () => void listeners.delete(own)
  }
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value) || (Array.isArray(next) && !next.length && !value.length)) return
      value = next
      for (const own of [...listeners]) if (listeners.has(own)) call(own.listener)
    },
    listen,
    subscribe(listener) {
      call(listener)
      return listen(listener)
    },
  }
}

/** An atom as others get it: `face` can be read and watched, not written; after `end` nobody hears of it any more. */
export function readable(source) {
  const stops = new Set()
  let ended = false
  const kept = (watch) => (listener) => {
    if (ended) return () => {}
    const stop = watch(listener)
    stops.add(stop)
    return () => {
      stops.delete(stop)
      stop()
    }
  }
  const face = Object.freeze({
    get value() {
      return source.get()
    },
    get: source.get,
    listen: kept(source.listen),
    subscribe: kept(source.subscribe),
  })
  return {
    face,
    end() {
      ended = true
      for (const stop of stops) stop()
      stops.clear()
    },
  }
}

/** True at most `count` times in any `windowMs`. */
export function allowance(count, windowMs, nowMs) {
  const times = []
  return () => {
    while (times.length && nowMs() - times[0] >= windowMs) times.shift()
    if (times.length >= count) return false
    times.push(nowMs())
    return true
  }
}

/** One console line in `intervalMs` for each plugin and kind; what came between is counted in the next one. */
export function foldedLog(target, nowMs, intervalMs) {
  const last = new Map()
  return (plugin, kind, words) => {
    const key = `${plugin} ${kind}`
    const now = nowMs()
    const entry = last.get(key)
    if (entry && now - entry.at < intervalMs) {
      entry.folded += 1
      return
    }
    const more = entry?.folded ? ` (and ${entry.folded} more before)` : ''
    last.set(key, { at: now, folded: 0 })
    try {
      target.warn(`[plugin:${plugin}] ${kind}: ${words}${more}`)
    } catch {
      // A console that throws is no reason for a plugin to hear of it.
    }
  }
}

/** Hands on what is newest, one after the other: two requests under way at a time could overtake each other. */
export function newest(send) {
  let owed = []
  let turn = null
  async function work(mine) {
    while (turn === mine && owed.length) {
      const [state] = owed
      owed = []
      try {
        await send(state)
      } catch {
        // Whom it was for is away: the next connection is told anew.
      }
    }
    if (turn === mine) turn = null
  }
  return {
    tell(state) {
      owed = [state]
      if (turn === null) work((turn = {}))
    },
    /** Waits no longer for what is under way: it went over a connection that has gone. */
    anew() {
      owed = []
      turn = null
    },
  }
}

const FRAME_LOOK_MS = 1000

/** Calls `tell(focused)` whenever a page gains or loses the focus; gives what ends that. */
export function followFocus(tell, page = globalThis.document, target = globalThis) {
  let last = page.hasFocus()
  let timer = null
  const look = () => {
    clearTimeout(timer)
    const focused = page.hasFocus()
    if (focused !== last) tell((last = focused))
    // A page is not told when the focus leaves one of its frames for another window.
    timer = focused && page.activeElement?.localName === 'iframe' ? setTimeout(look, FRAME_LOOK_MS) : null
  }
  // At the event itself the focus may still be on its way into a frame.
  const later = () => {
    clearTimeout(timer)
    timer = setTimeout(look)
  }
  for (const type of ['focus', 'blur']) target.addEventListener(type, later)
  return () => {
    clearTimeout(timer)
    for (const type of ['focus', 'blur']) target.removeEventListener(type, later)
  }
}
