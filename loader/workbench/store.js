// What the page knows: rows, events, pet, actions. Listeners are called once a frame, however much has come.

const EVENTS_KEPT = 1000

export function createStore() {
  const listeners = new Map()
  const dirty = new Map()
  let asked = false

  const store = {
    about: null,
    /** 'connecting' | 'live' | 'away' | 'locked' */
    connection: 'connecting',
    /** key → row */
    rows: new Map(),
    /** key → {moduleUrl, token, imports} of the revision that runs */
    running: new Map(),
    /** {n, at, method, id, key, params} oldest first */
    events: [],
    pet: { visible: false, core_status: 'idle', lines: [] },
    petToldAt: 0,
    actions: [],
    /** id → what stands behind the wall, as `GET /v1/wall` shows it */
    apps: new Map(),
    /** How many requests of agents wait for a person, as far as that was told since the page is open. */
    waiting: 0,
    /** Called at once with what is said of one frame alone: (method, params). */
    wallHeard: new Set(),

    /** `listener(changes)` once a frame; `changes` is the set of what was given to `touch`. */
    on(topic, listener) {
      if (!listeners.has(topic)) listeners.set(topic, new Set())
      listeners.get(topic).add(listener)
      return () => listeners.get(topic).delete(listener)
    },
    touch(topic, what = null) {
      if (!dirty.has(topic)) dirty.set(topic, new Set())
      dirty.get(topic).add(what)
      if (asked) return
      asked = true
      // A hidden tab draws no frames, but its title and its data shall be right when it is looked at.
      if (document.visibilityState === 'hidden') setTimeout(flush, 50)
      else requestAnimationFrame(flush)
    },
    receive,
    putApps(apps) {
      store.apps = new Map(apps.map((app) => [app.id, app]))
      store.touch('apps', '*')
    },
    rowOf(key) {
      return store.rows.get(key) ?? [...store.rows.values()].find((row) => row.id === key)
    },
  }

  function flush() {
    asked = false
    const topics = [...dirty]
    dirty.clear()
    for (const [topic, changes] of topics) for (const listener of [...(listeners.get(topic) ?? [])]) listener(changes)
  }

  let count = 0

  function note(method, params, row) {
    store.events.push({
      n: (count += 1),
      at: Date.now(),
      method,
      id: row?.id ?? params.id ?? params.plugin ?? null,
      key: row?.key ?? null,
      params,
    })
    if (store.events.length > EVENTS_KEPT) store.events.splice(0, store.events.length - EVENTS_KEPT)
    store.touch('events')
  }

  function put(row) {
    store.rows.set(row.key, row)
    store.touch('rows', row.key)
  }

  function run(key, { module_url, plugin_token, imports, frame = null }) {
    store.running.set(key, { moduleUrl: module_url, token: plugin_token, imports, frame })
    store.touch('running', key)
  }

  function receive(method, params) {
    switch (method) {
      case 'hello':
        return hello(params)
      case 'plugin/load':
        run(params.row.key, params)
        put(params.row)
        break
      case 'plugin/failed':
        put(params.row)
        break
      case 'plugin/changed':
        if (params.removed) {
          store.rows.delete(params.row.key)
          store.touch('rows', params.row.key)
        } else put(params.row)
        break
      case 'plugin/unload':
        for (const [key, row] of store.rows) {
          if (row.id !== params.id || row.running_revision !== params.revision) continue
          store.running.delete(key)
          store.touch('running', key)
        }
        break
      case 'wall/text':
      case 'wall/closed':
        for (const listener of store.wallHeard) listener(method, params)
        return
      case 'wall/changed':
        if (params.app) store.apps.set(params.id, params.app)
        else store.apps.delete(params.id)
        store.touch('apps', params.id)
        break
      case 'packages/requests':
        store.waiting = params.waiting
        store.touch('requests')
        break
      case 'policy/actions':
        store.actions = params.actions
        store.touch('policy')
        break
      case 'pet/lines':
        store.pet = { ...store.pet, lines: params.lines }
        store.petToldAt = Date.now()
        store.touch('policy')
        break
    }
    note(method, params, params.row)
  }

  function hello(params) {
    store.about = { version: params.version, root: params.root, home: params.home, instance: params.instance }
    if (params.plugins) {
      store.rows = new Map(params.plugins.map((entry) => [entry.row.key, entry.row]))
      store.running = new Map()
      for (const entry of params.plugins) if (entry.module_url || entry.frame) run(entry.row.key, entry)
      store.touch('rows', '*')
    }
    if (params.actions) store.actions = params.actions
    if (params.pet) store.pet = params.pet
    store.petToldAt = Date.now()
    store.touch('about')
    store.touch('policy')
    note(params.resumed ? 'resumed' : 'hello', params, null)
  }

  return store
}
