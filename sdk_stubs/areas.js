// Where plugins may put things: the areas by their true values (surface.json holds the same list with the payloads).

export const PANES_AREA = 'panes'
export const ROUTES_AREA = 'routes'
export const SIDEBAR_NAV_AREA = 'sidebar.nav'
export const STATUSBAR_AREAS = { left: 'statusBar.left', right: 'statusBar.right' }
export const TITLEBAR_AREAS = { left: 'titleBar.left', center: 'titleBar.center', right: 'titleBar.right' }
export const PALETTE_AREA = 'palette'
export const KEYBINDS_AREA = 'keybinds'
export const THEMES_AREA = 'themes'
export const COMPOSER_AREAS = {
  top: 'composer.top',
  bottom: 'composer.bottom',
  leading: 'composer.leading',
  actions: 'composer.actions',
  attachments: 'composer.attachments',
  middleware: 'composer.middleware',
  underside: 'composer.underside',
  microActions: 'composer.microActions',
  atCompletions: 'composer.atCompletions',
  modelPill: 'composer.modelPill',
}
export const TRANSCRIPT_DIRECTIVE_AREA = 'transcript.directives'
export const CHAT_EMPTY_AREA = 'chat.empty'
export const WORKSPACE_PAGE_HEADER_AREA = 'workspace.pageHeader'
export const SESSION_ROW_AREAS = { leading: 'sessionRow.leading', trailing: 'sessionRow.trailing' }
export const MODEL_MENU_ROW_AREA = 'modelMenu.row'
export const APPEARANCE_AREAS = { extra: 'appearance.extra' }
export const SETTINGS_PLUGINS_AREA = 'settings.plugins'
export const SIDEBAR_NAV_PREFS_AREA = 'sidebarNav.prefs'
// Exported by the app, but its value is in no text that was read: a name that no other area has.
export const SIDEBAR_PROFILE_GROUP_HEADER_AREA = 'sidebar.profileGroupHeader'
