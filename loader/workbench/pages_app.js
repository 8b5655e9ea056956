// The host of declarative pages: the connection, the places that have pages, and what is looked at.

import { wordsOf } from '/workbench/address.js'
import { say } from '/workbench/dom.js'
import { gate } from '/workbench/gate.js'
import { connectLive } from '/workbench/live.js'
import { DRAFTS, drawHub } from '/workbench/pages_hub.js'
import { openPage } from '/workbench/pages_one.js'
import { createPlace } from '/workbench/pages_places.js'
import { codeIn, forget, get, onEntered, token, Refused } from '/workbench/session.js'
import { setUpTheme } from '/workbench/theme.js'

const CONNECTION = { connecting: 'Connecting', live: 'Live', away: 'Service away, trying again', locked: 'Session over' }
const main = document.getElementById('main')
const live = connectLive({ token, onEvent: receive, onState, alive })
const door = gate({ onEnter: () => live.retry() })
const own = createPlace(null, onLook)
let places = [own]
let connection = 'connecting'
let open = null
let drawn = false

// ---------------------------------------------------------------- the connection

async function alive() {
  try {
    if ((await get('/v1/health')).version) return 'yes'
    forget()
    return 'locked'
  } catch (error) {
    if (!(error instanceof Refused && error.status === 401)) return 'no'
    forget()
    return 'locked'
  }
}

function onState(state) {
  connection = state
  const shown = document.getElementById('connection')
  shown.dataset.state = state
  shown.title = CONNECTION[state]
  say(shown.querySelector('.words'), CONNECTION[state])
  if (state === 'locked') door.show(own.surfaces !== null)
  else if (state === 'live') door.hide()
  watch()
}

function receive(method, params) {
  if (method === 'hello') route()
  else if (method === 'plugin/load' || method === 'plugin/unload') own.look()
  else if (/^plugin\..+\.mobile\.changed$/.test(method)) {
    own.look()
    if (open?.place.isOwn && open.plugin === params.plugin) open.load()
  }
}

// ---------------------------------------------------------------- the places

/** Which hosts are connected; those that stay keep what is known of them. */
async function findHosts() {
  let hosts
  try {
    hosts = (await get('/v1/page-hosts')).hosts
  } catch {
    return // our own look says what is wrong
  }
  const known = new Map(places.map((place) => [place.id, place]))
  const now = [own, ...hosts.map((host) => known.get(host.id) ?? createPlace(host, onLook))]
  const changed = now.length !== places.length || now.some((place) => !known.has(place.id))
  for (const place of places) if (!now.includes(place)) place.watch(false)
  places = now
  if (changed && !open && drawn) draw()
  watch()
}

function onLook(place, changed) {
  if (place.isOwn) findHosts()
  if (open) {
    if (open.place === place) open.around()
  } else if (changed || !drawn) draw()
}

/** Hosts are asked again only while somebody sees the hub. */
function watch() {
  const seen = !open && connection === 'live' && document.visibilityState === 'visible'
  for (const place of places) place.watch(seen)
}

function draw() {
  // Without a session the gate stands before it.
  if (own.surfaces === null && !own.trouble) return
  drawn = true
  drawHub(main, places, () => (open ? open.around() : draw()))
}

// ---------------------------------------------------------------- where we are

function route() {
  const code = codeIn(location.hash)
  if (code && location.hash.includes('code=')) {
    // The code is used once; it must not stay in the address or in the history.
    history.replaceState(null, '', '#/')
    door.enter(code)
  }
  open?.close()
  open = null
  drawn = false
  const words = wordsOf(location.hash)
  if (words[0]?.startsWith('~')) openForeign(words[0].slice(1), words[1], words[2])
  else if (words[0] && words[1]) show(own, ownPlugin(words[0]), words[1])
  else draw()
  own.look()
  watch()
}

function ownPlugin(name) {
  if (name !== 'drafts') return name
  return own.surfaces?.find((surface) => DRAFTS.includes(surface.id))?.id ?? DRAFTS[0]
}

async function openForeign(host, plugin, page) {
  const asked = location.hash
  if (!places.some(({ id }) => id === host)) await findHosts()
  const place = places.find(({ id }) => id === host)
  // The person may have gone on meanwhile.
  if (location.hash !== asked || open) return
  if (!place || !plugin || !page) return draw()
  show(place, plugin, page)
  place.look()
}

function show(place, plugin, page) {
  open = openPage(main, place, plugin, page)
  open.load(true)
  watch()
}

setUpTheme(document.getElementById('theme'))
onEntered(() => {
  if (connection !== 'locked') return false
  queueMicrotask(() => live.retry())
  return true
})
addEventListener('hashchange', route)
document.addEventListener('visibilitychange', watch)
route()
live.open()
