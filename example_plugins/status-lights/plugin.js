// @ts-check
// Status bar and title bar that follow the app's state, and run its actions.
import { Codicon, STATUSBAR_AREAS, StatusDot, TITLEBAR_AREAS, Tip, computed, host, useValue } from '@hermes/plugin-sdk'
import { jsx, jsxs } from 'react/jsx-runtime'

// One store made of two: `busy` is the turn of the focused chat, `awaitingResponse` the wait for its first word.
// (`host.state.gateway` is the socket's state and says nothing about work.)
const $phase = computed([host.state.busy, host.state.awaitingResponse], (busy, waiting) =>
  waiting ? 'waiting' : busy ? 'working' : 'idle',
)

const WORDS = { idle: 'Idle', waiting: 'Waiting for the first word', working: 'Working' }
/** @type {Record<string, 'muted' | 'warn' | 'good'>} */
const TONES = { idle: 'muted', waiting: 'warn', working: 'good' }

const row = { alignItems: 'center', color: 'var(--ui-text-secondary)', display: 'inline-flex', gap: 6 }

function PhaseLight() {
  const phase = useValue($phase)
  const model = useValue(host.state.model)
  return jsx(Tip, {
    label: `${model}: ${WORDS[phase]}`,
    // The dot alone would be invisible to a screen reader: the words stand beside it, and changes are announced.
    children: jsxs('span', {
      role: 'status',
      style: row,
      children: [jsx(StatusDot, { tone: TONES[phase], 'aria-hidden': true }), jsx('span', { children: WORDS[phase] })],
    }),
  })
}

/** @type {import('@hermes/plugin-sdk').HermesPlugin} */
export default {
  id: 'status-lights',
  name: 'Status lights',
  description: 'Shows in the status bar what the focused chat is doing.',

  register(ctx) {
    ctx.register({ id: 'phase', area: STATUSBAR_AREAS.left, order: 50, render: () => jsx(PhaseLight, {}) })

    if (typeof ctx.runAction !== 'function') return
    ctx.register({
      id: 'search',
      area: TITLEBAR_AREAS.left,
      data: {
        id: 'status-lights:search',
        label: 'Search sessions',
        icon: jsx(Codicon, { name: 'search' }),
        onSelect() {
          const result = ctx.runAction?.('session.focusSearch')
          if (result && !result.ok) host.notify({ kind: 'warning', message: result.error })
        },
      },
    })
  },
}
