// What plugins hand over, as texts that are small and safe to send or to show. Part of host-policy.js: it lies beside it.

// More than the service ever shows or compares, and far less than a frame may hold.
export const TEXT_UNITS = 1024
export const ID_UNITS = 256
const ERROR_GRAPHEMES = 120
const ERROR_CODE_POINTS = 480
const SHOWN_CHARACTERS = 80

/** A foreign value for a message, as the service shows it: what cannot be seen is escaped, at most 80 characters. */
export function shown(value) {
  const letters = []
  let length = 0
  const all = [...textOf(value, 'null').slice(0, 4 * SHOWN_CHARACTERS)]
  for (const letter of all.slice(0, SHOWN_CHARACTERS + 1)) {
    const piece = HIDDEN.test(letter) ? escaped(letter) : letter
    length += [...piece].length
    letters.push(piece)
  }
  if (length <= SHOWN_CHARACTERS && all.length <= SHOWN_CHARACTERS) return letters.join('')
  while (length > SHOWN_CHARACTERS - 1) length -= [...letters.pop()].length
  return `${letters.join('')}…`
}

const HIDDEN = /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\uFEFF'\\]|(?! )\p{White_Space}/u

function escaped(letter) {
  if (letter === "'" || letter === '\\') return `\\${letter}`
  const code = letter.codePointAt(0).toString(16)
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
}

/** String(value) that cannot throw; `nothing` stands for null and undefined. */
export function textOf(value, nothing = '') {
  if (value === null || value === undefined) return nothing
  try {
    return String(value)
  } catch {
    return typeof value
  }
}

/** One line, small enough to send. The service cleans again and decides; this keeps frames small. */
export function lineOf(value, units) {
  const text = textOf(value)
  const line = text.replace(/[\p{White_Space}\uFEFF]+/gu, ' ').replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}]+/gu, '')
  // Blanks that only a control character held apart would push what follows them out of the bound.
  return line.replace(/ +/g, ' ').trimStart().slice(0, units)
}

export function sayOptions(opts) {
  const params = {}
  try {
    const { id, tone, ttlMs } = opts ?? {}
    if (id !== undefined && id !== null) params.id = lineOf(id, ID_UNITS)
    if (tone !== undefined && tone !== null) params.tone = sendable(tone)
    if (Number.isFinite(ttlMs)) params.ttlMs = ttlMs
  } catch {
    // A getter that throws: the defaults.
  }
  return params
}

/** A value that has to be one of a few words: texts as they are, everything else in a list, which is none of them. */
export function sendable(value) {
  return typeof value === 'string' ? value.slice(0, ID_UNITS) : [textOf(value, 'null').slice(0, ID_UNITS)]
}

/** What an app window says of a failure, as long as the service would repeat it. */
export function wordsOf(error) {
  let words = error
  try {
    if (typeof error?.message === 'string') words = error.message
  } catch {
    words = typeof error
  }
  return cut(lineOf(words, 2 * ERROR_CODE_POINTS)).trimEnd().replace(/\.+$/, '')
}

/** The longest start that splits no character as a reader sees it. */
function cut(text) {
  let end = 0
  let count = 0
  let points = 0
  for (const { segment } of new Intl.Segmenter('en').segment(text)) {
    points += [...segment].length
    if ((count += 1) > ERROR_GRAPHEMES || points > ERROR_CODE_POINTS) break
    end += segment.length
  }
  return end ? text.slice(0, end) : [...text].slice(0, ERROR_CODE_POINTS).join('')
}
