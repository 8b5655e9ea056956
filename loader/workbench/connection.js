// How the connection stands, for both pages: whether the service still knows us, and what a person sees and hears of it.

import { announce, say } from '/workbench/dom.js'
import { forget, get, Refused } from '/workbench/session.js'

const WORDS = { connecting: 'Connecting', live: 'Live', away: 'Service away, trying again', locked: 'Session over' }
let told = null

/** 'yes' | 'no' | 'locked': a WebSocket does not say why it was refused. */
export async function alive() {
  try {
    // Without a version in it the service answered, but no longer knows this session.
    if ((await get('/v1/health')).version) return 'yes'
  } catch (error) {
    if (!(error instanceof Refused && error.status === 401)) return 'no'
  }
  forget()
  return 'locked'
}

/** `known`: something is shown that outlives the session. */
export function showConnection(state, known) {
  const shown = document.getElementById('connection')
  const words = state === 'locked' && !known ? 'Not entered' : WORDS[state]
  shown.dataset.state = state
  shown.title = words
  say(shown.querySelector('.words'), words)
  document.documentElement.dataset.connection = state
  // Every try to come back is one of `connecting` and `away`: it is heard once.
  if (state !== 'away' && state !== 'live') return
  if (told !== null && told !== state) announce(state === 'away' ? 'The service is away' : 'The service is back')
  told = state
}
