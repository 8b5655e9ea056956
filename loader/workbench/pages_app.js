// The host of declarative pages: the connection, the places that have pages, and what is looked at.

import { wordsOf } from '/workbench/address.js'
import { alive, showConnection } from '/workbench/connection.js'
import { gate } from '/workbench/gate.js'
import { connectLive } from '/workbench/live.js'
import { createHub, DRAFTS } from '/workbench/pages_hub.js'
import { openPage } from '/workbench/pages_one.js'
import { createPlace } from '/workbench/pages_places.js'
import { codeIn, get, onEntered, onOver, token } from '/workbench/session.js'
import { setUpTheme } from '/workbench/theme.js'

const main = document.getElementById('main')
export const live = connectLive({ token, onEvent: receive, onState, alive })
const door = gate({ onEnter: () => live.retry() })
const own = createPlace(null, onLook)
const hub = createHub({ redraw: () => (open ? open.around() : draw()), onHosts: findHosts })
let places = [own]
let connection = 'connecting'
let open = null
let drawn = false

// ---------------------------------------------------------------- the connection

function onState(state) {
  connection = state
  showConnection(state, own.surfaces !== null)
  if (state === 'locked') door.show(own.surfaces !== null)
  else if (state === 'live') door.hide()
  watch()
}

function receive(method, params) {
  if (method === 'hello') back()
  else if (method === 'plugin/load' || method === 'plugin/unload') own.look()
  else if (/^plugin\..+\.mobile\.changed$/.test(method)) {
    own.look()
    if (open?.place.isOwn && open.plugin === params.plugin) open.load()
  }
}

/** The service is there (again). What a person has typed into an open page stays, as over any other look. */
function back() {
  if (!open) return route()
  open.load()
  open.place.look()
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
  if (hub.element.parentElement !== main) main.replaceChildren(hub.element)
  document.title = 'Pages · Hermes Desktop'
  hub.draw(places)
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
  if (words[0]?.startsWith('~')) openOnce(findPlace(words[0].slice(1)), () => words[1], words[2])
  else if (words[0] === 'drafts') openOnce(own.surfaces ? own : own.look().then(() => own), draftsId, words[1])
  else if (words[0] && words[1]) show(own, words[0], words[1])
  else draw()
  own.look()
  watch()
}

const draftsId = () => own.surfaces?.find((surface) => DRAFTS.includes(surface.id))?.id ?? DRAFTS[0]

async function findPlace(host) {
  if (!places.some(({ id }) => id === host)) await findHosts()
  return places.find(({ id }) => id === host)
}

/** Shows a page once it is known where it comes from. */
async function openOnce(found, plugin, page) {
  const asked = location.hash
  const place = await found
  // The person may have gone on meanwhile.
  if (location.hash !== asked || open) return
  if (!place || !plugin() || !page) return draw()
  show(place, plugin(), page)
  if (!place.isOwn) place.look()
}

function show(place, plugin, page) {
  open = openPage(main, place, plugin, page)
  open.load(true)
  // The link that was followed is gone with the hub: whoever reads on with the keyboard begins here.
  if (document.activeElement === document.body) main.focus({ preventScroll: true })
  main.scrollTop = 0
  watch()
}

setUpTheme(document.getElementById('theme'))
onOver(live.check)
onEntered(() => {
  if (connection !== 'locked') return false
  queueMicrotask(() => live.retry())
  return true
})
addEventListener('hashchange', ({ oldURL }) => {
  const left = open
  route()
  if (left && !open) hub.focus(new URL(oldURL).hash)
})
document.addEventListener('visibilitychange', watch)
route()
live.open()
