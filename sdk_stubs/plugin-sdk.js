// The face of `@hermes/plugin-sdk`: one export for every name that any known build of the app has (surface.json).
// Which of them a plugin sees is decided by the wrapper that the rehearsal makes.

import { contribute, never, record, track } from '@@host'
import { createElement } from '@@elements'
import { useEffect, useMemo, useRef } from '@@hooks'
import { createContext } from '@@elements'
import { ask } from '@@app-host'
import { clock } from '@@host'
import { word, wordText } from '@@words'

export * from '@@areas'
export { $accentOverride, host, requestTheme, setAccentOverride, useTheme } from '@@app-host'
export { PLUGIN_APP_ACTIONS } from '@@app-actions'
export { atom, computed, useValue } from '@@store'
export { useMutation, useQuery, useQueryClient, queryClient } from '@@query'
export { usePluginI18n } from '@@plugin-i18n'
export { LruCache } from '@@lru-cache'
export {
  PROFILE_SWATCHES,
  contrastRatio,
  hexToOklch,
  hueDelta,
  maxChroma,
  mixOklab,
  normalizeHex,
  oklchToHex,
  oklchToSrgb255,
  profileColor,
  profileColorSoft,
  readableOn,
  retintTheme,
  themeHue,
} from '@@color'
export {
  DEFAULT_REASONING_EFFORT,
  REASONING_EFFORTS,
  REASONING_EFFORT_VALUES,
  cn,
  coarseElapsed,
  compactNumber,
  fmtDateTime,
  fmtDayTime,
  formatAgo,
  formatModifierToken,
  isSubmitEnter,
  nextRunOverdueMs,
  reasoningEffortLabel,
  relativeTime,
} from '@@format'
export * from '@@kit-controls'
export * from '@@kit-overlays'
export * from '@@kit-display'

// ---------------------------------------------------------------- contributions from inside a page

/** While it is mounted, its children stand in the slot of `area`. */
export function Contribute(props) {
  const { area, id, title, order, data, enabled } = props
  const shown = useRef(props.children)
  shown.current = props.children
  useEffect(() => contribute({ id, area, title, order, data, enabled, render: () => shown.current ?? null }, 'Contribute'), [area, id])
  return null
}

// ---------------------------------------------------------------- words

const LANGUAGE = { t: word(''), locale: 'en', setLocale: (locale) => ask('setLocale', locale), rtl: false }
export const useI18n = () => LANGUAGE
export const translateNow = (key, ...args) => wordText(key, args)

// ---------------------------------------------------------------- class names and sizes that some builds export

export const ACTIVE_ICON_BTN = 'icon-button icon-button-active'
export const GHOST_ICON_BTN = 'icon-button icon-button-ghost'
export const ICON_BTN = 'icon-button'
export const PRIMARY_ICON_BTN = 'icon-button icon-button-primary'
export const PRIMARY_ICON_FACE = 'icon-face-primary'
export const FIELD_LABEL = 'field-label'
export const FIELD_STACK = 'field-stack'
export const SIDE_PANEL_LABEL = 'side-panel-label'
export const SIDE_PANEL_TITLE = 'side-panel-title'
export const SIDEBAR_ROW_LEAD = 'sidebar-row-lead'
export const SIDEBAR_TRUNCATED_LEADING = 'sidebar-truncated-leading'
export const composerDockCard = (edge) => `composer-dock-card composer-dock-${edge}`
export const composerFill = 'composer-fill'
export const composerFloatingPill = 'composer-floating-pill'
export const composerFloatingStrip = 'composer-floating-strip'
export const composerPanelCard = 'composer-panel-card'
export const composerSurfaceGlass = 'composer-surface-glass'
export const controlVariants = (options) => ['control', options?.size && `control-${options.size}`, options?.className].filter(Boolean).join(' ')

export const APPROVAL_RESPOND_TIMEOUT_MS = 15_000
export const BOT_CHAT_SESSION_HYDRATION_TIMEOUT_MS = 60_000
export const DEFAULT_SESSION_HYDRATION_TIMEOUT_MS = 20_000
export const HYDRATION_SYNC_BADGE_TIMEOUT_MS = 20_000

export const ModelMenuCloseContext = createContext(() => {})

// ---------------------------------------------------------------- what the app does for plugins

export const haptic = (kind) => void record('action', { name: 'haptic', args: [kind] })
export const ackStoredSessionId = (...args) => ask('ackStoredSessionId', ...args)
export const forgetSessionUnread = (...args) => ask('forgetSessionUnread', ...args)
export const markSessionUnreadFinished = (...args) => ask('markSessionUnreadFinished', ...args)
export const captureGatewayFileDownload = async (...args) => {
  ask('captureGatewayFileDownload', ...args)
  return null
}
export const surfaceModelSwitchConfirm = (options) => {
  ask('surfaceModelSwitchConfirm', options?.model)
  return false
}
/** Asks the gateway by the request function that it is given: in the rehearsal nobody answers. */
export const evaluateRuntimeReadiness = () => never('evaluateRuntimeReadiness')
export const resolveSiblingWsUrl = () => never('resolveSiblingWsUrl')

export const pluginSettingsHref = (pluginId, page) => `/settings?tab=plugins&plugin=${pluginId}${page ? `&page=${page}` : ''}`
export const catalogProviderMatches = (provider, query) => ('' + (provider?.name ?? provider ?? '')).toLowerCase().includes(('' + (query ?? '')).toLowerCase())

/** A picture for a name; here an empty one of the right size. */
export const blobatarSvg = (name, options) => `<svg xmlns="http://www.w3.org/2000/svg" width="${options?.size ?? 32}" height="${options?.size ?? 32}" data-name="${encodeURIComponent(name)}"></svg>`

/** An animation clock: calls `draw(nowMs)` at most `fps` times a second, rests while `idleWhen()` is true, until `wake()`. */
export function createBudgetedLoop(draw, { fps = 15, idleWhen } = {}) {
  const step = 1000 / fps
  let timer = null
  let release = track('timer', 'createBudgetedLoop')
  const rest = () => {
    if (timer !== null) clock.cancel(timer)
    timer = null
  }
  const tick = () => {
    draw(clock.now())
    if (idleWhen?.()) rest()
  }
  const wake = () => {
    if (timer === null && release !== null) timer = clock.schedule(tick, step, { every: true, untracked: true })
  }
  wake()
  return {
    wake,
    isDormant: () => timer === null,
    dispose() {
      rest()
      release?.()
      release = null
    },
  }
}

/** Nothing to grab without layout: a ref and the handlers that the app's hook returns. */
export function useGrabScroll() {
  const ref = useRef(null)
  return useMemo(() => ({ ref, grabbing: false, onPointerDown() {}, onPointerMove() {}, onPointerUp() {}, onClickCapture() {} }), [])
}

// ---------------------------------------------------------------- names that only a shell knows

/** A harmless value for a name that a shell announced and no known build has. */
export function anyExport(name) {
  if (/^[A-Z][A-Z0-9_]+$/.test(name)) return name.endsWith('_AREAS') ? {} : name.toLowerCase()
  if (/^[A-Z]/.test(name)) {
    const Component = (props) => createElement('div', { 'data-ui': name, className: props.className }, props.children)
    Component.displayName = name
    return Component
  }
  if (/^use[A-Z]/.test(name)) return () => ({})
  return (...args) => void record('action', { name, args })
}
