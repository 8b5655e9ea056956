// The app actions that a plugin may run, in the order of the app's list (app_actions.json is the same list as data).

const row = (id, label) => ({ id, label, category: { nav: 'navigation', conversation: 'session', keybinds: 'view' }[id.split('.')[0]] ?? id.split('.')[0] })

export const PLUGIN_APP_ACTIONS = [
  'view.showBrowser',
  'view.showFiles',
  'view.toggleSidebar',
  'view.toggleRightSidebar',
  'view.toggleReview',
  'view.toggleStatusbar',
  'view.findInPage',
  'composer.focus',
  'session.new',
  'session.focusSearch',
  'conversation.scrollPageUp',
  'conversation.scrollPageDown',
  'nav.commandPalette',
  'nav.settings',
  'nav.profiles',
  'nav.capabilities',
  'nav.messaging',
  'nav.artifacts',
  'nav.cron',
  'nav.agents',
  'keybinds.openPanel',
]

const LABELS = [
  'Toggle browser',
  'Show file browser',
  'Toggle sessions sidebar',
  'Toggle file browser',
  'Toggle review pane',
  'Toggle status bar',
  'Find in page',
  'Focus composer',
  'New session',
  'Search sessions',
  'Scroll conversation up one page',
  'Scroll conversation down one page',
  'Open command palette',
  'Open settings',
  'Open profiles',
  'Open skills',
  'Open messaging',
  'Open artifacts',
  'Open scheduled jobs',
  'Open agents',
  'Open keyboard shortcuts',
]

export const listActions = () => PLUGIN_APP_ACTIONS.map((id, index) => row(id, LABELS[index]))

/** Real actions that plugins may not run: exact ids and families. */
const DENIED = new Set(
  `composer.modelPicker composer.voice composer.dictate composer.reasoningUp composer.reasoningDown profile.default
  profile.next profile.prev profile.toggleAll profile.create session.newTab session.newWindow session.next session.prev session.togglePin
  session.archive workspace.newWorktree workspace.openFolder nav.commandCenter view.cycleSidebarGrouping view.toggleTabStrip
  view.toggleProfileRail view.toggleSimpleMode view.toggleHud view.showTerminal view.newTerminal view.nextTerminal view.prevTerminal
  view.closeTerminal view.flipPanes view.closeTab view.reopenTab view.findNext view.findPrevious appearance.toggleMode`.split(/\s+/),
)
const DENIED_FAMILY = /^(view\.tabSlot\.[1-9]|session\.slot\.[1-9]|profile\.switch\.([1-9]|1[0-8]))$/

/** The verdict that the app gives while a shell is there: {ok: true}, or {ok: false, reason, error}. */
export function verdictOn(id) {
  if (PLUGIN_APP_ACTIONS.includes(id)) return { ok: true }
  const shown = `'${('' + id).slice(0, 80)}'`
  if (typeof id === 'string' && (DENIED.has(id) || DENIED_FAMILY.test(id))) {
    return { ok: false, reason: 'denied', error: `${shown} is not available to plugins. ctx.listActions() names those that are.` }
  }
  return { ok: false, reason: 'unknown', error: `${shown} is not a Hermes app action. ctx.listActions() names those that plugins may run.` }
}
