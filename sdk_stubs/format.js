// Numbers, times and class names as the app writes them, in English: the rehearsal has no locale of its own.

import { clock } from '@@host'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Class names from strings, arrays and {name: wanted}; falsy ones drop out. */
export function cn(...inputs) {
  const names = []
  const add = (input) => {
    if (!input) return
    if (Array.isArray(input)) input.forEach(add)
    else if (typeof input === 'object') Object.keys(input).forEach((name) => input[name] && names.push(name))
    else names.push('' + input)
  }
  inputs.forEach(add)
  return names.join(' ')
}

/** → {unit, value}: the coarsest unit in which an age makes sense. */
export function coarseElapsed(deltaMs) {
  const ms = Math.max(0, deltaMs)
  if (ms >= DAY) return { unit: 'day', value: Math.floor(ms / DAY) }
  if (ms >= HOUR) return { unit: 'hour', value: Math.floor(ms / HOUR) }
  if (ms >= MINUTE) return { unit: 'minute', value: Math.floor(ms / MINUTE) }
  return { unit: 'second', value: Math.floor(ms / SECOND) }
}

const SHORT = { day: 'day', hour: 'hr', minute: 'min', second: 'sec' }

/** 'in 5 min', '2 hr ago'. */
export function relativeTime(targetMs, nowMs = clock.now()) {
  const { unit, value } = coarseElapsed(Math.abs(targetMs - nowMs))
  if (unit === 'second' && value === 0) return 'now'
  if (unit === 'day' && value === 1) return targetMs < nowMs ? 'yesterday' : 'tomorrow'
  const name = unit === 'day' && value !== 1 ? 'days' : SHORT[unit]
  return targetMs < nowMs ? `${value} ${name} ago` : `in ${value} ${name}`
}

/** An age in the words of `labels` {ageNow, ageSeconds(n), ageMinutes(n), ageHours(n), ageDays(n)}. */
export function formatAgo(fromMs, labels, nowMs = clock.now()) {
  const { unit, value } = coarseElapsed(nowMs - fromMs)
  if (unit === 'second' && value < 2) return labels.ageNow
  return { second: labels.ageSeconds, minute: labels.ageMinutes, hour: labels.ageHours, day: labels.ageDays }[unit](value)
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const two = (number) => ('' + number).padStart(2, '0')

function clockText(date) {
  const hours = date.getHours()
  return `${hours % 12 === 0 ? 12 : hours % 12}:${two(date.getMinutes())} ${hours < 12 ? 'AM' : 'PM'}`
}

const asDate = (value) => (value instanceof Date ? value : new Date(value ?? clock.now()))
const formatter = (write) => ({
  format: (value) => write(asDate(value)),
  formatToParts: (value) => [{ type: 'literal', value: write(asDate(value)) }],
  resolvedOptions: () => ({ locale: 'en-US', timeZone: 'UTC', calendar: 'gregory', numberingSystem: 'latn' }),
})

/** Formatters, not functions: `fmtDateTime.format(ms)`. */
export const fmtDateTime = formatter((date) => `${MONTHS[date.getMonth()]} ${date.getDate()}, ${date.getFullYear()}, ${clockText(date)}`)
export const fmtDayTime = formatter((date) => `${MONTHS[date.getMonth()]} ${date.getDate()}, ${clockText(date)}`)

/** 1230 → '1.2k', 1500000 → '1.5M'. */
export function compactNumber(value) {
  const size = Math.abs(value)
  if (!Number.isFinite(value)) return '0'
  for (const [limit, letter] of [
    [1e9, 'B'],
    [1e6, 'M'],
    [1e3, 'k'],
  ]) {
    if (size >= limit) return (value / limit).toFixed(1).replace(/\.0$/, '') + letter
  }
  return '' + Math.round(value)
}

const TOKENS = { mod: 'Ctrl', meta: 'Meta', cmd: 'Meta', ctrl: 'Ctrl', alt: 'Alt', shift: 'Shift' }

/** How a modifier is written on this system's keys. */
export const formatModifierToken = (token) => TOKENS[('' + token).toLowerCase()] ?? '' + token

export const REASONING_EFFORT_VALUES = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh']
export const DEFAULT_REASONING_EFFORT = 'medium'
const EFFORT_LABELS = { none: 'Off', minimal: 'Min', low: 'Low', medium: 'Med', high: 'High', xhigh: 'Max' }
export const reasoningEffortLabel = (effort) => EFFORT_LABELS[effort] ?? ''
export const REASONING_EFFORTS = REASONING_EFFORT_VALUES.map((value) => ({ value, label: EFFORT_LABELS[value] }))

/** How late a run is in ms, null when it is not or has no time. */
export function nextRunOverdueMs(job, nowMs = clock.now()) {
  const next = typeof job === 'object' && job !== null ? job.next_run_at : job
  const at = typeof next === 'number' ? next : Date.parse(next ?? '')
  return Number.isFinite(at) && at < nowMs ? nowMs - at : null
}

/** Enter sends; Shift+Enter and an Enter that ends a composition do not. */
export const isSubmitEnter = (event) => event?.key === 'Enter' && !event.shiftKey && !(event.nativeEvent ?? event).isComposing
