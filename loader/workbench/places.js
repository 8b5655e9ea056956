// Which place of the window an area stands for, and what only one plugin can have. Pure.

const PREFIXES = [
  ['composer.', 'composer'],
  ['sidebar', 'sidebar'],
  ['sessionRow.', 'sidebar'],
  ['transcript.', 'transcript'],
  ['chat.', 'main'],
  ['workspace', 'main'],
  ['modelMenu.', 'composer'],
  ['settings.', 'settings'],
  ['appearance.', 'settings'],
]
const SAME = new Set([
  'titleBar.left',
  'titleBar.center',
  'titleBar.right',
  'statusBar.left',
  'statusBar.right',
  'palette',
  'keybinds',
  'themes',
])
const PANES = {
  left: 'panes.left',
  right: 'panes.right',
  top: 'panes.top',
  bottom: 'panes.bottom',
  floating: 'floating',
}

export function placeOf({ area, payload }) {
  if (SAME.has(area)) return area
  if (area === 'routes') return 'main'
  if (area === 'panes') return PANES[payload?.placement] ?? 'main'
  return PREFIXES.find(([prefix]) => area.startsWith(prefix))?.[1] ?? 'elsewhere'
}

export function titleOf({ title, payload, id }) {
  for (const name of [title, payload?.label, payload?.path, payload?.name])
    if (typeof name === 'string' && name) return name
  return id
}

export function contributionsOf(rows) {
  return rows.flatMap((row) => row.contributions.map((contribution) => ({ row, contribution })))
}

const combo = (text) =>
  String(text)
    .toLowerCase()
    .split('+')
    .map((part) => part.trim())
    .sort()
    .join('+')

/** What a contribution takes for itself, as [kind, name]. */
export function claimsOf({ area, scoped_id: scoped, payload }) {
  const claims = [['id', `${area} ${scoped}`]]
  const text = (name) => (typeof payload?.[name] === 'string' ? payload[name] : null)
  if (area === 'routes' && text('path')) claims.push(['path', text('path')])
  if (area === 'keybinds' && Array.isArray(payload?.defaults))
    for (const keys of payload.defaults) claims.push(['key', combo(keys)])
  if ((area === 'keybinds' || area === 'palette') && text('id'))
    claims.push([area === 'palette' ? 'command' : 'key command', text('id')])
  if (area === 'themes' && text('name')) claims.push(['theme', text('name')])
  if (area === 'transcript.directives' && text('name')) claims.push(['directive', `::${text('name')}`])
  return claims
}

/** `list`: {what, rows} of each thing that two plugins want; `clashOf`: found → what, for those concerned. */
export function collisionsOf(found) {
  const wanted = new Map()
  for (const each of found) {
    for (const [kind, name] of claimsOf(each.contribution)) {
      const what = `${kind} ${name}`
      wanted.set(what, [...(wanted.get(what) ?? []), each])
    }
  }
  const list = []
  const clashOf = new Map()
  for (const [what, by] of wanted) {
    const rows = [...new Set(by.map((each) => each.row))]
    if (rows.length < 2) continue
    list.push({ what, rows })
    for (const each of by) clashOf.set(each, what)
  }
  return { list, clashOf }
}
