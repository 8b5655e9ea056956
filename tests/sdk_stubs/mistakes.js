// @ts-check
// Mistakes that the declarations must show in an editor. Each line with one ends in the code that tsc gives for it.
import { Buttn, PANES_AREA, SIDEBAR_NAV_AREA, TITLEBAR_AREAS, atom, hexToOklch, host, useValue } from '@hermes/plugin-sdk' // TS2724
import { useStat } from 'react' // TS2724
import { jsx } from 'react/jsx-runtime'

const $count = atom(0)
$count.set('one') // TS2345
host.state.busy.set(true) // TS2339
host.notify({ kind: 'info' }) // TS2741
host.openWorkspace({ id: 'mistakes:tab', render: () => null }) // TS2722
hexToOklch('#fff').l.toFixed(2) // TS2531

function Count() {
  return jsx('b', { children: useValue($count).toUpperCase() }) // TS2339
}

/** @type {import('@hermes/plugin-sdk').HermesPlugin} */
export default {
  id: 7, // TS2322
  register(ctx) {
    ctx.regster({ id: 'a', area: PANES_AREA }) // TS2551
    ctx.runAction('view.showBrowser') // TS2722
    ctx.pet?.say?.('hello', { tone: 'shout' }) // TS2322
    ctx.register({ id: 'pane', area: PANES_AREA, title: 'Pane', render: Count, data: { placement: 'centre' } }) // TS2345
    ctx.register({ id: 'nav', area: SIDEBAR_NAV_AREA, data: { path: '/x', label: 'X' } }) // TS2345
    ctx.register({ id: 'tool', area: TITLEBAR_AREAS.right, data: { id: 'tool', icon: null } }) // TS2345
    ctx.register({ id: 'where', area: 'statusbar.left', render: () => null }) // TS2820
    ctx.storage.set() // TS2554
  },
}
