// A page that nothing leads to, and an icon that is not in the set.
import { ROUTES_AREA, SIDEBAR_NAV_AREA } from '@hermes/plugin-sdk'
import { jsx } from 'react/jsx-runtime'

export default {
  id: 'lonely-route',
  register(ctx) {
    ctx.register({ id: 'page', area: ROUTES_AREA, data: { path: '/lonely-route' }, render: () => jsx('h1', { children: 'Alone' }) })
    ctx.register({ id: 'nav', area: SIDEBAR_NAV_AREA, data: { path: '/elsewhere', label: 'Elsewhere', codicon: 'rocket-ship' } })
  },
}
