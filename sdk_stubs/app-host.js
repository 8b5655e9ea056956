// `host`: the app as plugins see it. State reads as a calm, connected window; what a plugin asks for is recorded; what only
// a gateway could answer stays pending.

import { contribute, duringRegister, never, onDispose, record, track } from '@@host'
import { registerAppLocale } from '@@plugin-i18n'
import { atom, readable } from '@@store'

const state = (name, value) => readable(atom(value, `host.state.${name}`))

const STATE = {
  activeSessionId: 'runtime-1',
  awaitingResponse: false,
  busy: false,
  busyBySession: { 'runtime-1': false },
  connectionId: 'local',
  cwd: '/home/you/project',
  focusedSessionId: 'runtime-1',
  focusedSessionOwner: { connectionId: 'local', profile: 'default' },
  focusedSessionProfile: 'default',
  focusedStoredSessionId: 'session-1',
  focusedUsage: null,
  gateway: 'open',
  model: 'hermes-4',
  profile: 'default',
  viewport: { width: 1280, height: 800, narrow: false },
}

/** Notes that the plugin asked the app to do something. */
export const ask = (name, ...args) => record('action', { name, args })

const asked = (name, answer) => (...args) => {
  ask(`host.${name}`, ...args)
  return typeof answer === 'function' ? answer(...args) : answer
}
const later = (name, answer) => async (...args) => {
  ask(`host.${name}`, ...args)
  return answer
}
const waits = (name) => (...args) => never(`host.${name}${typeof args[0] === 'string' ? ` ${args[0]}` : ''}`)

// The appearance keys that plugins may read and set, with plausible values.
const settings = new Map(
  Object.entries({
    'backdrop.v1': true,
    'composerPopout.gesturesEnabled': true,
    'embed-mode': 'ask',
    hideThreadTimeline: false,
    'interfaceMode.v1': 'advanced',
    'intro-splash.v1': true,
    'reasoning.collapsedByDefault': true,
    sessionListDensity: 'comfortable',
    tabStripDefault: 'auto',
    titlebarAppActions: 'right',
    'toolView.hideCodeDiffs': false,
    'toolView.technical': 'product',
    'user-bubble-transparency.v1': 0,
  }).map(([key, value]) => [key, atom(value, `host.settings ${key}`)]),
)

function setting(key) {
  if (!settings.has(key)) throw new Error(`host.settings has no key '${key}'.`)
  return settings.get(key)
}

const paneIds = new Map()

function paneVisibility(id) {
  if (!paneIds.has(id)) paneIds.set(id, readable(atom(true, `host.paneVisibility ${id}`)))
  return paneIds.get(id)
}

/** Gateway events: nothing is ever sent, listeners are counted; made during register they end with the plugin. */
export function listenToEvents(what, type, listener, owned) {
  if (typeof listener !== 'function') throw new TypeError(`${what} wants a function to call.`)
  const release = track('subscription', `${what} '${type}'`)
  let cancel = () => {}
  if (owned) cancel = onDispose(release)
  return () => {
    cancel()
    release()
  }
}

function openWorkspace(options) {
  const { id, title, render } = options ?? {}
  if (typeof id !== 'string' || id === '' || typeof render !== 'function') {
    throw new Error('host.openWorkspace needs an id and a render function.')
  }
  return contribute({ id, area: 'workspace', title, render, data: { ...options } }, 'host.openWorkspace')
}

let toasts = 0

const ROUTE = { profile: 'default', targetProfile: 'default', connectionId: 'local', mode: 'local' }

export const host = {
  state: Object.fromEntries(Object.keys(STATE).map((name) => [name, state(name, STATE[name])])),
  settings: {
    get: (key) => setting(key).get(),
    set(key, value) {
      const held = setting(key)
      if (typeof value !== typeof held.get()) throw new Error(`'${value}' is no value for host.settings '${key}'.`)
      ask('host.settings.set', key, value)
      held.set(value)
    },
    subscribe: (key, listener) => setting(key).subscribe(listener),
  },
  composer: {
    getDraft: later('composer.getDraft', ''),
    setDraft: later('composer.setDraft', true),
    insertText: later('composer.insertText', true),
    submit: asked('composer.submit', true),
    focus: asked('composer.focus', undefined),
  },
  sessions: {
    pin: asked('sessions.pin', true),
    reorder: asked('sessions.reorder', true),
    reorderPinned: asked('sessions.reorderPinned', true),
    setColor: asked('sessions.setColor', true),
  },
  skills: { list: later('skills.list', []), setEnabled: later('skills.setEnabled', true) },
  toolsets: { list: later('toolsets.list', []), setEnabled: later('toolsets.setEnabled', true) },
  profiles: { list: later('profiles.list', [{ name: 'default' }]) },
  i18n: { registerAppLocale, languageOptions: () => [{ id: 'en', endonym: 'English', englishName: 'English' }] },
  notify(options) {
    ask('host.notify', options)
    return `toast-${++toasts}`
  },
  notifyError(error, fallback) {
    ask('host.notifyError', error?.message ?? error, fallback)
    return `toast-${++toasts}`
  },
  logs: waits('logs'),
  status: waits('status'),
  restartGateway: later('restartGateway', undefined),
  navigate: asked('navigate', undefined),
  openSession: later('openSession', undefined),
  newChat: asked('newChat', undefined),
  openWorkspace,
  paneVisibility,
  revealPane: asked('revealPane', true),
  undismissPane: asked('undismissPane', undefined),
  onEvent: (type, listener) => listenToEvents('host.onEvent', type, listener, duringRegister()),
  profileRoutes: later('profileRoutes', [ROUTE]),
  requestProfile: (route, method) => never(`host.requestProfile ${method}`),
  request: waits('request'),
  pluginDecisions: readable(atom(Object.freeze({}), 'host.pluginDecisions')),
  completeMcpOAuth: later('completeMcpOAuth', { ok: true }),
  warmProfile: asked('warmProfile', undefined),
  deleteProfile: later('deleteProfile', undefined),
  activeConnectionId: () => 'local',
  connections: later('connections', [{ id: 'local', label: 'This computer', kind: 'local' }]),
  agents: later('agents', []),
  warmAgent: asked('warmAgent', undefined),
  ensureAgent: later('ensureAgent', undefined),
  setWorkspaceOwnerLabel: asked('setWorkspaceOwnerLabel', undefined),
  setWorkspaceScope: asked('setWorkspaceScope', true),
  focusOpenWorkspaceSession: asked('focusOpenWorkspaceSession', null),
  retainProfileSocket(profile) {
    return track('socket', `host.retainProfileSocket ${profile}`)
  },
  async retainProfile() {
    return track('socket', 'host.retainProfile')
  },
  listPersistedSessions: later('listPersistedSessions', { sessions: [], total: 0 }),
  setPersistedSessionHidden: later('setPersistedSessionHidden', undefined),
  getGateway: () => null,
  traceIdentityChange: asked('traceIdentityChange', undefined),
}

// ---------------------------------------------------------------- the painted theme

const COLORS = {
  background: '#101113',
  foreground: '#e6e6e6',
  card: '#17181b',
  cardForeground: '#e6e6e6',
  muted: '#1d1f23',
  mutedForeground: '#9a9da3',
  popover: '#17181b',
  popoverForeground: '#e6e6e6',
  primary: '#5b8def',
  primaryForeground: '#ffffff',
  secondary: '#1d1f23',
  secondaryForeground: '#e6e6e6',
  accent: '#23262b',
  accentForeground: '#e6e6e6',
  border: '#2a2d33',
  input: '#2a2d33',
  ring: '#5b8def',
  midground: '#5b8def',
  destructive: '#d64545',
  destructiveForeground: '#ffffff',
}
const THEME = { name: 'rehearsal', label: 'Rehearsal', description: 'The theme of the rehearsal', colors: COLORS }

export const $accentOverride = atom(null)

export function setAccentOverride(color) {
  ask('setAccentOverride', color)
  $accentOverride.set(color ?? null)
}

/** True when the theme exists: the rehearsal has one of its own and takes every other name for installed. */
export function requestTheme(name) {
  ask('requestTheme', name)
  return typeof name === 'string' && name !== ''
}

const PAINTED = {
  theme: THEME,
  themeName: THEME.name,
  mode: 'dark',
  resolvedMode: 'dark',
  availableThemes: [THEME],
  setTheme: (name) => ask('setTheme', name),
  setMode: (mode) => ask('setMode', mode),
}
export const useTheme = () => PAINTED

