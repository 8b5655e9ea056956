// @ts-check
// A theme worked out from one hue, light and dark, with contrast that is measured and not hoped for.
import { THEMES_AREA, contrastRatio, oklchToHex, readableOn } from '@hermes/plugin-sdk'

const HUE = 285
const READABLE = 4.5

/** A grey with a breath of the hue: lightness 0 to 1. */
const grey = (l, c = 0.012) => oklchToHex({ l, c, h: HUE })
const accent = (l) => oklchToHex({ l, c: 0.16, h: HUE })
const warning = (l) => oklchToHex({ l, c: 0.18, h: 25 })

/** The palette for a background lightness; everything else keeps its distance from it. */
function palette(background) {
  const dark = background < 0.5
  const step = (distance) => grey(dark ? background + distance : background - distance)
  const paper = grey(background)

  // The accent moves away from the paper until text in it can be read.
  let lightness = dark ? 0.62 : 0.55
  while (contrastRatio(accent(lightness), paper) < READABLE && lightness > 0.1 && lightness < 0.95) {
    lightness += dark ? 0.02 : -0.02
  }
  const primary = accent(lightness)
  const destructive = warning(dark ? 0.65 : 0.5)
  const ink = grey(dark ? 0.93 : 0.22)
  const quiet = grey(dark ? 0.72 : 0.45)

  return {
    background: paper,
    foreground: ink,
    card: step(0.03),
    cardForeground: ink,
    muted: step(0.05),
    mutedForeground: quiet,
    popover: step(0.04),
    popoverForeground: ink,
    primary,
    primaryForeground: readableOn(primary),
    secondary: step(0.06),
    secondaryForeground: ink,
    accent: step(0.08),
    accentForeground: ink,
    border: step(0.12),
    input: step(0.12),
    ring: primary,
    midground: primary,
    destructive,
    destructiveForeground: readableOn(destructive),
    sidebarBackground: step(0.015),
    sidebarBorder: step(0.1),
    userBubble: step(0.07),
    userBubbleBorder: step(0.12),
  }
}

/** @type {import('@hermes/plugin-sdk').HermesPlugin} */
export default {
  id: 'dusk-theme',
  name: 'Dusk',
  description: 'A quiet violet theme for day and night.',

  register(ctx) {
    // Registering lists the theme in the settings. Choosing it stays with the user.
    ctx.register({
      id: 'theme',
      area: THEMES_AREA,
      data: {
        name: 'dusk-theme',
        label: 'Dusk',
        description: 'Violet greys with one accent.',
        colors: palette(0.97),
        darkColors: palette(0.19),
      },
    })
  },
}
