// @ts-check
// A page of its own with a row in the sidebar that leads to it, and a query that loads and refreshes.
import {
  Button,
  EmptyState,
  ErrorState,
  Loader,
  ROUTES_AREA,
  SIDEBAR_NAV_AREA,
  SearchField,
  host,
  relativeTime,
  useQuery,
} from '@hermes/plugin-sdk'
import { useMemo, useState } from 'react'
import { jsx, jsxs } from 'react/jsx-runtime'

const PATH = '/session-board'
const REFRESH_MS = 15_000

const page = { display: 'flex', flexDirection: 'column', gap: 12, padding: 16 }
const list = { display: 'grid', gap: 4, listStyle: 'none', margin: 0, padding: 0 }
const line = {
  alignItems: 'center',
  borderBottom: '1px solid var(--ui-stroke-secondary)',
  display: 'flex',
  gap: 8,
  justifyContent: 'space-between',
  padding: '6px 0',
}
const faint = { color: 'var(--ui-text-tertiary)' }

/** @typedef {{id: string, title?: string, updated_at?: number}} Session */

/** What the gateway answers may change between versions: take what is there, drop what is not. */
function sessionsIn(answer) {
  const rows = Array.isArray(answer?.sessions) ? answer.sessions : []
  return /** @type {Session[]} */ (rows.filter((row) => typeof row?.id === 'string'))
}

function useSessions() {
  return useQuery({
    // The key starts with the plugin's id: the cache is shared with the whole app.
    queryKey: ['session-board', 'sessions'],
    queryFn: async () => sessionsIn(await host.request('session.list', { limit: 50 })),
    refetchInterval: REFRESH_MS,
  })
}

/** @param {{session: Session}} props */
function Row({ session }) {
  const title = session.title || 'Untitled'
  return jsxs('li', {
    style: line,
    children: [
      jsx('span', { children: title }),
      session.updated_at ? jsx('time', { style: faint, children: relativeTime(session.updated_at * 1000) }) : null,
      jsx(Button, {
        variant: 'ghost',
        'aria-label': `Open ${title}`,
        onClick: () =>
          host.openSession(session.id).catch((error) => host.notifyError(error, 'The session did not open')),
        children: 'Open',
      }),
    ],
  })
}

function Sessions({ query, filter }) {
  if (query.isPending) return jsx(Loader, { label: 'Loading sessions' })
  if (query.isError) {
    return jsx(ErrorState, { title: 'No sessions', description: String(query.error?.message ?? query.error) })
  }
  const shown = query.data.filter((session) => (session.title ?? '').toLowerCase().includes(filter))
  if (shown.length === 0) return jsx(EmptyState, { title: 'No session matches', description: 'Try another word.' })
  return jsx('ul', { style: list, children: shown.map((session) => jsx(Row, { session }, session.id)) })
}

function Board() {
  const query = useSessions()
  const [text, setText] = useState('')
  const filter = useMemo(() => text.trim().toLowerCase(), [text])
  return jsxs('main', {
    style: page,
    children: [
      jsx('h1', { children: 'Sessions' }),
      jsx(SearchField, { 'aria-label': 'Filter sessions', placeholder: 'Filter', value: text, onChange: setText }),
      jsx(Sessions, { query, filter }),
    ],
  })
}

/** @type {import('@hermes/plugin-sdk').HermesPlugin} */
export default {
  id: 'session-board',
  name: 'Session board',
  description: 'All sessions on one page, with a filter.',

  register(ctx) {
    ctx.registerMany([
      { id: 'page', area: ROUTES_AREA, title: 'Sessions', data: { path: PATH }, render: () => jsx(Board, {}) },
      // A page that nothing leads to is never seen: the row belongs to it.
      { id: 'nav', area: SIDEBAR_NAV_AREA, data: { path: PATH, label: 'Session board', codicon: 'list-unordered' } },
    ])
  },
}
