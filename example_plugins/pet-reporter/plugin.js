// @ts-check
// A line in the pet's bubble when a long turn ends, where the app has a pet that can speak.
import { coarseElapsed, host } from '@hermes/plugin-sdk'

/** Shorter turns are not worth a word. */
const LONG_MS = 20_000
const LINE = 'turn'

const SUFFIX = { second: 's', minute: ' min', hour: ' h', day: ' d' }

function inWords(ms) {
  const { unit, value } = coarseElapsed(ms)
  return `${value}${SUFFIX[unit]}`
}

/** @type {import('@hermes/plugin-sdk').HermesPlugin} */
export default {
  id: 'pet-reporter',
  name: 'Pet reporter',
  description: 'The pet says when a long turn is done.',

  register(ctx) {
    // `ctx.pet` alone says little: what counts is whether it can speak.
    if (typeof ctx.pet?.say !== 'function') return

    let started = 0
    const stop = host.state.busy.listen((busy) => {
      if (busy) {
        started = Date.now()
        return
      }
      const took = Date.now() - started
      // One line with one id: a second one would replace it, not pile up beside it.
      if (started > 0 && took >= LONG_MS) {
        ctx.pet?.say?.(`Done after ${inWords(took)}`, { id: LINE, tone: 'info', ttlMs: 8000 })
      }
      started = 0
    })
    ctx.onDispose(stop)
  },
}
