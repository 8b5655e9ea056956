// Light, dark, or as the system says; remembered on this device.

import { announce, fill, icon } from '/workbench/dom.js'

const KEY = 'hermes.theme'
const ORDER = ['system', 'light', 'dark']
const ICONS = { system: 'auto', light: 'sun', dark: 'moon' }
const media = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set()
let chosen = 'system'
let button = null

/** 'light' or 'dark': what is shown now. */
export function themeNow() {
  return chosen === 'system' ? (media.matches ? 'dark' : 'light') : chosen
}

export function onTheme(listener) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function apply() {
  if (chosen === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = chosen
  if (button) {
    fill(button, icon(ICONS[chosen]))
    button.setAttribute('aria-label', `Theme: ${chosen}`)
    button.title = `Theme: ${chosen} (t)`
  }
  for (const listener of listeners) listener(themeNow())
}

export function nextTheme() {
  chosen = ORDER[(ORDER.indexOf(chosen) + 1) % ORDER.length]
  try {
    localStorage.setItem(KEY, chosen)
  } catch {
    // A browser that keeps nothing: the choice holds for this visit.
  }
  apply()
  announce(`Theme: ${chosen}`)
}

export function setUpTheme(control) {
  button = control
  try {
    const kept = localStorage.getItem(KEY)
    if (ORDER.includes(kept)) chosen = kept
  } catch {
    // As above.
  }
  control.addEventListener('click', nextTheme)
  media.addEventListener('change', apply)
  apply()
}
