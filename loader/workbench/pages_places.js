// Where pages come from: this service's own plugins, or a Hermes host elsewhere that a person has connected. A host
// elsewhere tells nothing, so it is asked again after a while; the service asks it, and its token stays there.

import { call, get } from '/workbench/session.js'

// Our own backends and drafts are pushed; this is for what changes without a word.
const OWN_EVERY_MS = 60_000
const FOREIGN_EVERY_MS = 5000

/**
 * @param {{id: string, name: string, url: string, profile: string | null} | null} host null: this service's own plugins
 * @param {(place: object, changed: boolean) => void} onLook after every look, whatever came of it
 */
export function createPlace(host, onLook) {
  const base = host ? `/v1/page-hosts/${encodeURIComponent(host.id)}/pages` : '/v1/pages'
  const everyMs = host ? FOREIGN_EVERY_MS : OWN_EVERY_MS
  let looking = null
  let again = false
  let watched = false
  let timer = 0

  // An error has no fields that JSON would show.
  const told = () => JSON.stringify([place.surfaces, place.faults, place.trouble?.message])

  async function lookOnce() {
    const before = told()
    const choices = place.choices
    try {
      const { surfaces, faults } = await get(base)
      // What a person chose meanwhile is not in this answer.
      if (choices !== place.choices) again = true
      else Object.assign(place, { surfaces, faults, trouble: null })
    } catch (error) {
      place.trouble = error
    }
    onLook(place, before !== told())
  }

  /** Asks what there is; at most one such request is under way, and a wish that comes meanwhile is kept. */
  function look() {
    if (looking) {
      again = true
      return looking
    }
    clearTimeout(timer)
    looking = (async () => {
      do {
        again = false
        await lookOnce()
      } while (again)
    })().finally(() => {
      looking = null
      later()
    })
    return looking
  }

  function later() {
    clearTimeout(timer)
    if (watched) timer = setTimeout(look, everyMs)
  }

  const place = {
    id: host?.id ?? null,
    name: host?.name ?? null,
    url: host?.url ?? null,
    profile: host?.profile ?? null,
    isOwn: host === null,
    base,
    surfaces: null,
    /** What its catalogue names and is never asked: {name, why} */
    faults: [],
    trouble: null,
    choices: 0,
    look,
    /** While somebody sees the hub, and the page is visible, it is asked again after a while. */
    watch(on) {
      if (watched === on) return
      watched = on
      if (on && !looking) look()
      else later()
    },
    surface: (plugin) => place.surfaces?.find(({ id }) => id === plugin),
    async choose(plugin, wish) {
      place.choices += 1
      try {
        const row = await call('PUT', `${base}/${encodeURIComponent(plugin)}`, wish)
        place.surfaces = place.surfaces.map((surface) => (surface.id === plugin ? row : surface))
      } finally {
        // A look that was begun meanwhile may have been answered before the choice was made.
        place.choices += 1
      }
    },
    /** Where a person keeps or removes a draft. */
    decisionPath: (plugin, page, decision) =>
      host
        ? `/v1/page-hosts/${encodeURIComponent(host.id)}/drafts/${encodeURIComponent(page)}/${decision}`
        : `/api/plugins/${encodeURIComponent(plugin)}/mobile/plugins/${encodeURIComponent(page)}/${decision}`,
    /** The address of a page within the hub: `~` stands before a host's id, which no plugin's id begins with. */
    hash: (plugin, page) =>
      `#/${host ? `~${encodeURIComponent(host.id)}/` : ''}${encodeURIComponent(plugin)}/${encodeURIComponent(page)}`,
  }
  return place
}
