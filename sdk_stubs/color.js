// Colours in #rrggbb, OKLab and OKLCH. The matrices are Björn Ottosson's (https://bottosson.github.io/posts/oklab/),
// luminance and contrast are WCAG 2's.

const clamp = (value, low, high) => Math.min(high, Math.max(low, value))

const toLinear = (channel) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4)
const fromLinear = (channel) => (channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055)

const dot = (row, vector) => row[0] * vector[0] + row[1] * vector[1] + row[2] * vector[2]
const times = (matrix, vector) => matrix.map((row) => dot(row, vector))

const RGB_TO_LMS = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
]
const LMS_TO_LAB = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
]
const LAB_TO_LMS = [
  [1, 0.3963377774, 0.2158037573],
  [1, -0.1055613458, -0.0638541728],
  [1, -0.0894841775, -1.291485548],
]
const LMS_TO_RGB = [
  [4.0767416621, -3.3077115913, 0.2309699292],
  [-1.2684380046, 2.6097574011, -0.3413193965],
  [-0.0041960863, -0.7034186147, 1.707614701],
]

/** '#rgb', '#rgba', '#rrggbb' or '#rrggbbaa' (the '#' may be missing) → [r, g, b, alpha], 0–255 and 0–1; null for anything else. */
function parse(text) {
  if (typeof text !== 'string') return null
  const digits = text.trim().replace(/^#/, '')
  if (!/^([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(digits)) return null
  const pairs = digits.length < 6 ? [...digits].map((digit) => digit + digit) : digits.match(/../g)
  const [red, green, blue, alpha = 255] = pairs.map((pair) => parseInt(pair, 16))
  return [red, green, blue, alpha / 255]
}

const hexOf = (channels) => '#' + channels.slice(0, 3).map((channel) => clamp(Math.round(channel), 0, 255).toString(16).padStart(2, '0')).join('')

/** Any hex colour as flat '#rrggbb', alpha laid over `backdrop`; null for what is no hex colour. */
export function normalizeHex(input, backdrop = '#000000') {
  const color = parse(input)
  if (color === null) return null
  const under = parse(backdrop) ?? [0, 0, 0]
  return hexOf(color.slice(0, 3).map((channel, index) => under[index] + (channel - under[index]) * color[3]))
}

const labOf = ([red, green, blue]) => times(LMS_TO_LAB, times(RGB_TO_LMS, [red, green, blue].map((channel) => toLinear(channel / 255))).map(Math.cbrt))

const polar = ([l, a, b]) => ({ l, c: Math.hypot(a, b), h: ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360 })

/** → {l 0–1, c, h 0–360} or null. */
export function hexToOklch(hex) {
  const color = parse(hex)
  return color === null ? null : polar(labOf(color))
}

function linearOf({ l, c, h }) {
  const angle = (h * Math.PI) / 180
  const roots = times(LAB_TO_LMS, [l, c * Math.cos(angle), c * Math.sin(angle)])
  return times(LMS_TO_RGB, roots.map((root) => root ** 3))
}

const EDGE = 0.001
const displayable = (linear) => linear.every((channel) => channel >= -EDGE && channel <= 1 + EDGE)

/** The largest chroma up to `limit` that a display can show at this lightness and hue. */
function fittingChroma(l, h, limit) {
  if (displayable(linearOf({ l, c: limit, h }))) return limit
  let low = 0
  let high = limit
  for (let round = 0; round < 24; round += 1) {
    const middle = (low + high) / 2
    if (displayable(linearOf({ l, c: middle, h }))) low = middle
    else high = middle
  }
  return low
}

export const maxChroma = (l, h) => fittingChroma(l, h, 0.4)

const srgb255 = (color) => linearOf(color).map((channel) => clamp(fromLinear(channel), 0, 1) * 255)

/** Gives up chroma, never hue or lightness, for what a display cannot show. */
export const oklchToHex = (color) => hexOf(srgb255({ ...color, c: fittingChroma(color.l, color.h, color.c) }))

/** → [r, g, b] 0–255, or null outside of what a display can show. */
export const oklchToSrgb255 = (color) => (displayable(linearOf(color)) ? srgb255(color).map(Math.round) : null)

/** The signed shortest way round the circle of hues, in degrees. */
export const hueDelta = (from, to) => ((((to - from + 180) % 360) + 360) % 360) - 180

/** Blends two colours in OKLab; `amount` 0 is the first, 1 the second. */
export function mixOklab(first, second, amount) {
  const [a, b] = [parse(first), parse(second)]
  if (a === null || b === null) return first
  const [from, to] = [labOf(a), labOf(b)]
  const part = clamp(amount, 0, 1)
  return oklchToHex(polar(from.map((value, index) => value + (to[index] - value) * part)))
}

function luminance(hex) {
  const color = parse(hex)
  return color === null ? 0 : dot([0.2126, 0.7152, 0.0722], color.slice(0, 3).map((channel) => toLinear(channel / 255)))
}

/** WCAG contrast, 1 to 21. */
export function contrastRatio(first, second) {
  const [low, high] = [luminance(first), luminance(second)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

const INK = '#161616'
const PAPER = '#ffffff'

/** The ink that reads better on this colour. */
export const readableOn = (hex) => (contrastRatio(hex, PAPER) >= contrastRatio(hex, INK) ? PAPER : INK)

// ---------------------------------------------------------------- identities and themes

function hash(text) {
  let value = 2166136261
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 16777619)
  return value >>> 0
}

export const PROFILE_SWATCHES = [0, 36, 72, 108, 144, 180, 216, 252, 288, 324].map((h) => oklchToHex({ l: 0.68, c: 0.14, h }))

/** The same name has the same colour everywhere; the default profile has none. */
export const profileColor = (name) => (name === null || name === undefined || name === '' || name === 'default' ? null : PROFILE_SWATCHES[hash('' + name) % PROFILE_SWATCHES.length])

/** A colour as a translucent fill. */
export const profileColorSoft = (color, percent = 16) => (color === null || color === undefined ? null : `color-mix(in srgb, ${color} ${percent}%, transparent)`)

const ACCENT_KEYS = ['primary', 'accent', 'ring', 'midground', 'composerRing']

/** The hue of a theme's own accent, in degrees. */
export function themeHue(theme) {
  const colors = theme?.colors ?? theme ?? {}
  return hexToOklch(normalizeHex(colors.midground ?? colors.primary ?? colors.ring) ?? '')?.h ?? 0
}

/** The theme with its accents turned to the hue of `accent`; anything that is no hex colour leaves it as it is. */
export function retintTheme(theme, accent) {
  const wanted = hexToOklch(accent)
  if (wanted === null || !theme?.colors) return theme
  const turn = (colors) => {
    if (!colors) return colors
    const turned = { ...colors }
    for (const key of ACCENT_KEYS) {
      const now = hexToOklch(normalizeHex(colors[key]) ?? '')
      if (now !== null) turned[key] = oklchToHex({ ...now, h: wanted.h })
    }
    return turned
  }
  return { ...theme, colors: turn(theme.colors), ...(theme.darkColors ? { darkColors: turn(theme.darkColors) } : {}) }
}
