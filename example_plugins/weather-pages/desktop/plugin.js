// @ts-check
// The desktop half of a package whose pages are drawn by phone and web hosts: one line in the status bar, same backend.
import { STATUSBAR_AREAS, Tip, useQuery } from '@hermes/plugin-sdk'
import { jsx, jsxs } from 'react/jsx-runtime'

const EVERY_MS = 300_000

const line = { color: 'var(--ui-text-secondary)' }

function Now({ rest }) {
  const query = useQuery({ queryKey: ['weather-pages', 'today'], queryFn: () => rest('/today'), refetchInterval: EVERY_MS })
  // Nothing to say is said with nothing: a status bar is no place for errors of a backend that is off.
  if (!query.data) return null
  const { city, sky, degrees } = query.data
  return jsx(Tip, {
    label: `${city}: ${sky}`,
    children: jsxs('span', { role: 'status', style: line, children: [degrees, ' °C, ', sky] }),
  })
}

/** @type {import('@hermes/plugin-sdk').HermesPlugin} */
export default {
  id: 'weather-pages',
  name: 'Weather',
  description: 'Pages for phone and web from a backend, and a line in the status bar.',

  register(ctx) {
    ctx.register({ id: 'now', area: STATUSBAR_AREAS.right, order: 50, render: () => jsx(Now, { rest: ctx.rest }) })
  },
}
