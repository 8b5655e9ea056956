// The rehearsal's side of CONTRACT.md for tests: what is recorded and tracked lies open in `seen`.

export const seen = { records: [], problems: [], contributions: [], waiting: [], alive: [], disposers: [], console: [], registering: false, id: 'demo' }

const say = (level) => (...args) => void seen.console.push(`${level}: ${args.map(String).join(' ')}`)
globalThis.console = { log: say('log'), info: say('info'), warn: say('warn'), error: say('error'), debug: say('debug') }

export const record = (kind, value) => void seen.records.push({ kind, value })
export function track(kind, detail) {
  const entry = { kind, detail }
  seen.alive.push(entry)
  return () => {
    seen.alive = seen.alive.filter((other) => other !== entry)
  }
}
export function contribute(contribution, via) {
  const entry = { contribution, via }
  seen.contributions.push(entry)
  return () => {
    seen.contributions = seen.contributions.filter((other) => other !== entry)
  }
}
export function onDispose(fn) {
  seen.disposers.push(fn)
  return () => {
    seen.disposers = seen.disposers.filter((other) => other !== fn)
  }
}
export const duringRegister = () => seen.registering
export const awaits = (what) => void seen.waiting.push(what)
export function never(what) {
  awaits(what)
  return new Promise(() => {})
}
export const problem = (code, message) => void seen.problems.push({ code, message })
export const pluginId = () => seen.id

let now = 1_700_000_000_000
let last = 0
let timers = []
export const clock = {
  now: () => now,
  schedule(fn, delayMs, { every = false, args = [] } = {}) {
    timers.push({ id: ++last, at: now + Math.max(0, delayMs), every: every ? Math.max(1, delayMs) : 0, fn, args })
    return last
  },
  cancel(id) {
    timers = timers.filter((timer) => timer.id !== id)
  },
}
/** Moves the fake clock and runs what is due, in order. */
export function advance(ms) {
  const end = now + ms
  for (;;) {
    const [next] = timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at || a.id - b.id)
    if (next === undefined) break
    now = next.at
    if (next.every) next.at += next.every
    else clock.cancel(next.id)
    next.fn(...next.args)
  }
  now = end
}

export const safe = {
  apply: (fn, self, args) => Reflect.apply(fn, self, args),
  text: (value, max = 1000) => String(value).slice(0, max),
  json: (value) => JSON.stringify(value) ?? 'null',
  error: (value) => ({ name: value?.name ?? 'Error', message: value?.message ?? String(value), stack: value?.stack ?? '' }),
}

/** Forgets what was seen; every test begins with it. */
export function reset() {
  Object.assign(seen, { records: [], problems: [], contributions: [], waiting: [], alive: [], disposers: [], console: [], registering: false, id: 'demo' })
  timers = []
}
