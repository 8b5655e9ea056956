// @ts-check
// Commands in the palette, a key for them, and a clock in the status bar, all on one atom.
import { KEYBINDS_AREA, PALETTE_AREA, STATUSBAR_AREAS, atom, host, useValue } from '@hermes/plugin-sdk'
import { jsx } from 'react/jsx-runtime'

const SESSION_S = 25 * 60
const COMMAND = 'focus-timer.toggle'

/** Seconds left, or null while no session runs. */
const $left = atom(/** @type {number | null} */ (null))

const two = (number) => String(number).padStart(2, '0')
const clock = (seconds) => `${Math.floor(seconds / 60)}:${two(seconds % 60)}`

function toggle() {
  // Handlers read the atom itself: a value taken while rendering would be the one of that render.
  $left.set($left.get() === null ? SESSION_S : null)
}

function tick() {
  const left = $left.get()
  if (left === null) return
  if (left > 1) {
    $left.set(left - 1)
  } else {
    $left.set(null)
    host.notify({ kind: 'success', message: 'Focus session done: time for a break.' })
  }
}

function Clock() {
  const left = useValue($left)
  if (left === null) return null
  return jsx('button', {
    type: 'button',
    'aria-label': `Stop the focus session, ${clock(left)} left`,
    style: { background: 'none', border: 0, color: 'var(--ui-text-secondary)', font: 'inherit' },
    onClick: toggle,
    children: clock(left),
  })
}

/** @type {import('@hermes/plugin-sdk').HermesPlugin} */
export default {
  id: 'focus-timer',
  name: 'Focus timer',
  description: 'Twenty-five quiet minutes from the command palette or with a key.',

  register(ctx) {
    ctx.registerMany([
      { id: 'clock', area: STATUSBAR_AREAS.right, order: 20, render: () => jsx(Clock, {}) },
      {
        id: 'command',
        area: PALETTE_AREA,
        data: { id: COMMAND, label: 'Start or stop a focus session', keywords: ['pomodoro', 'break'], run: toggle },
      },
      {
        id: 'key',
        area: KEYBINDS_AREA,
        // The combination is only a proposal: users change it in the shortcuts panel.
        data: { id: COMMAND, label: 'Start or stop a focus session', defaults: ['mod+alt+f'], run: toggle },
      },
    ])

    // ctx.setInterval ends with the plugin. Builds that lack it need the clean-up said.
    if (typeof ctx.setInterval === 'function') {
      ctx.setInterval(tick, 1000)
    } else {
      const timer = setInterval(tick, 1000)
      ctx.onDispose(() => clearInterval(timer))
    }
    ctx.onDispose(() => $left.set(null))
  },
}
