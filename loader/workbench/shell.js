// A reference shell: connects, mounts, imports, registers, renders into plain containers, reports, unloads, swaps.
// Any page may use it; it asks for the live objects that plugins shall see and for a way to draw what they give.
//
//   const shell = createShell({ url, token, modules, render, container })
//   modules   {'@hermes/plugin-sdk': …, react: …, 'react/jsx-runtime': …}
//   render    (contribution, element) → () => void        draws, and gives what takes it away
//   container an element; each area gets a child of its own
//
// Plugins live in the page's own realm here, as they do in the app. Where that is too much, see framed.js. What comes
// from elsewhere and is not trusted has a frame of its own origin instead (walled.js), in the area `walled`.

import { connectSocket, createHostPolicy, putPet } from '/workbench/shared/host-policy.js'
import { createPluginContext } from '/workbench/shell_context.js'
import { walledFrame } from '/workbench/walled.js'

const REGISTRY = Symbol.for('hermes.modules')
const VERSION = 'workbench-1'
const FIRST_WAIT_MS = 300
const LONGEST_WAIT_MS = 8000

/**
 * @param {object} options
 * @param {string} [options.url] of the service, without a trailing slash; default: this page's origin
 * @param {string} options.token the endpoint's or a person's
 * @param {'rewrite' | 'map'} [options.specifiers] 'map' when the page has an import map for the three specifiers
 * @param {Record<string, string[]>} [options.exports] names that `modules` have, when they are all that plugins may import
 * @param {Record<string, Function>} [options.handlers] actions of the app that this shell can run
 * @param {Record<string, {description?: string, capability: string, inputSchema?: object, run: Function}>} [options.tools]
 *   the app's tools that plugins behind the wall may be let to, by name; `run(arguments, {plugin, owner})` gives the data
 * @param {(listing: 'browser' | 'workspace') => object[] | Promise<object[]>} [options.tabs] the app's tabs, for the same
 * @param {(url: string) => Promise<any>} [options.importModule]
 * @param {(shell: object) => void} [options.onChange] after every load, unload, dismissal
 */
export function createShell(options) {
  const { token, modules, render, container } = options
  const url = options.url ?? location.origin
  const importModule = options.importModule ?? ((address) => import(address))
  const onChange = options.onChange ?? (() => {})
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const policy = createHostPolicy({ handlers: options.handlers ?? {}, reportPet: putPet(url, token) })
  /** id → {revision, name, contributions: Map, disposers, host} */
  const running = new Map()
  const dismissed = new Set()
  let link = null
  let since = null
  let stopped = false
  let waitMs = FIRST_WAIT_MS
  let work = Promise.resolve()
  /** The service's table, which a frame judges by in the same tick. */
  let actions = []

  const tools = Object.entries(options.tools ?? {})
  const answers = {
    'tool/call': ({ tool, arguments: given, plugin, owner }) => options.tools[tool].run(given, { plugin, owner }),
    ...(options.tabs ? { 'tabs/list': ({ listing }) => options.tabs(listing) } : {}),
  }
  const offered = {
    ...(tools.length ? { tools: tools.map(([name, { run, ...about }]) => ({ name, ...about })) } : {}),
    ...(options.tabs ? { offers: ['storage'] } : {}),
  }

  globalThis[REGISTRY] = { ...globalThis[REGISTRY], ...modules }

  // ---------------------------------------------------------------- the connection

  function connect() {
    if (stopped) return
    const query = since ? `?since=${encodeURIComponent(`${since.instance}:${since.seq}`)}` : ''
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/v1/events${query}`, [
      'hermes-plugins.v1',
      `bearer.${token}`,
    ])
    const announced = options.exports ? { exports: options.exports } : {}
    const mount = { version: VERSION, ...announced, ...offered }
    link = connectSocket(policy, socket, mount, receive, answers)
    link.mounted.then(
      () => running.forEach(({ frame }) => frame?.attach()),
      () => {},
    )
    socket.addEventListener('open', () => {
      waitMs = FIRST_WAIT_MS
    })
    socket.addEventListener('close', () => {
      // What runs keeps running while the service is away.
      if (!stopped) setTimeout(connect, waitMs)
      waitMs = Math.min(waitMs * 1.6, LONGEST_WAIT_MS)
    })
  }

  function receive(method, params) {
    if (Array.isArray(params.actions)) {
      actions = params.actions
      for (const { frame } of running.values()) frame?.tell({ kind: 'actions', actions, mounted: true })
    }
    if (method === 'hello') {
      since = { instance: params.instance, seq: params.seq }
      if (params.plugins) snapshot(params.plugins)
      return
    }
    if (method.startsWith('wall/')) for (const { frame } of running.values()) frame?.told(method, params)
    if (since && typeof params.seq === 'number') since.seq = params.seq
    if (method === 'plugin/load') queue(() => load(params))
    if (method === 'plugin/unload') queue(() => unload(params.id))
  }

  /** One swap after the other, so that an unload never overtakes its own load. */
  function queue(step) {
    work = work.then(step).catch((error) => console.error('[shell]', error))
    return work
  }

  function snapshot(entries) {
    const wanted = new Map(entries.filter((entry) => entry.module_url || entry.frame).map((entry) => [entry.row.id, entry]))
    for (const [id, plugin] of running)
      if (wanted.get(id)?.row.running_revision !== plugin.revision) queue(() => unload(id))
    for (const [id, entry] of wanted) {
      const revision = entry.row.running_revision
      queue(() => {
        if (running.get(id)?.revision !== revision) return load(entry)
        // It ran through the service's absence: only its word is new.
        return report(id, revision, 'loaded', 'register')
      })
    }
  }

  function report(id, revision, outcome, phase, error) {
    const said = error === undefined ? {} : { error: String(error?.stack ?? error).slice(0, 2000) }
    return link.mounted
      .then(() => link.request('plugin/report', { id, revision, outcome, phase, ...said }))
      .catch(() => {})
  }

  // ---------------------------------------------------------------- one plugin

  async function load({ row, module_url: path, plugin_token: pluginToken, frame = null }) {
    if (frame) return loadWalled(row, frame)
    const { id } = row
    const revision = row.running_revision ?? row.revision
    unload(id)
    const face = policy.forPlugin({ id, token: pluginToken })
    const plugin = {
      id,
      revision,
      name: row.name,
      contributions: new Map(),
      disposers: [face.dispose],
      drawn: new Map(),
    }
    let phase = 'import'
    try {
      const module = await importModule(`${url}${path}${options.specifiers === 'map' ? '' : '?sdk=rewrite'}`)
      phase = 'register'
      running.set(id, plugin)
      const ctx = createPluginContext({
        id,
        contribute: (contribution) => contribute(plugin, contribution),
        onDispose: (dispose) => plugin.disposers.push(dispose),
        policy: face.ctx,
        rest: (address, rest) => askBackend(id, pluginToken, address, rest),
      })
      await module.default.register(ctx)
    } catch (error) {
      if (running.get(id) === plugin) unload(id)
      else face.dispose()
      onChange(shell)
      return report(id, revision, 'failed', phase, error)
    }
    onChange(shell)
    return report(id, revision, 'loaded', phase)
  }

  /** What comes from elsewhere: never in this realm. Its frame says what became of it, and is asked no further. */
  async function loadWalled(row, { open }) {
    const { id } = row
    const revision = row.running_revision ?? row.revision
    unload(id)
    const plugin = { id, revision, name: row.name, contributions: new Map(), disposers: [], drawn: new Map(), frame: null }
    running.set(id, plugin)
    const box = areaBox('walled')
    try {
      const answer = await fetch(url + open, { method: 'POST', headers, body: '{}' })
      if (!answer.ok) throw new Error(`the service answered ${answer.status}`)
      const opened = await answer.json()
      if (running.get(id) !== plugin) return undefined
      await new Promise((started, failed) => {
        plugin.frame = walledFrame({
          opened,
          request: (method, params) => link.request(method, params),
          title: row.name,
          start: { id, name: row.name, module: '/.hermes/plugin.js', theme: 'light', keeps: true, actions, mounted: true },
          onSay({ kind, text }) {
            if (kind !== 'state') return
            if (text?.startsWith('runs')) started()
            if (text?.startsWith('failed') || text?.startsWith('no React')) failed(new Error(text))
          },
          onEnd: (why) => failed(new Error(why)),
        })
        plugin.frame.element.dataset.plugin = id
        box.append(plugin.frame.element)
      })
    } catch (error) {
      if (running.get(id) === plugin) unload(id)
      return report(id, revision, 'failed', 'register', error)
    }
    onChange(shell)
    return report(id, revision, 'loaded', 'register')
  }

  function unload(id) {
    const plugin = running.get(id)
    if (!plugin) return
    running.delete(id)
    plugin.frame?.stop()
    for (const scoped of [...plugin.contributions.keys()]) withdraw(plugin, scoped)
    for (const dispose of plugin.disposers.reverse()) {
      try {
        dispose()
      } catch (error) {
        // The others still have to go.
        console.error(`[plugin:${id}] dispose`, error)
      }
    }
    onChange(shell)
  }

  async function askBackend(id, pluginToken, address, rest = {}) {
    const { method = 'GET', body, timeoutMs = 30_000 } = rest
    const path = `/api/plugins/${encodeURIComponent(id)}/${String(address).replace(/^\/+/, '')}`
    if (path.split(/[/?#]/).some((part) => /^(\.|%2e){1,2}$/i.test(part)))
      throw new Error('a path may not leave the plugin')
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${pluginToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!response.ok) throw new Error(`${response.status} ${response.statusText}`)
    return response.json()
  }

  // ---------------------------------------------------------------- contributions

  function contribute(plugin, contribution) {
    const scoped = `${plugin.id}:${contribution.id}`
    withdraw(plugin, scoped)
    plugin.contributions.set(scoped, contribution)
    draw(plugin, scoped)
    onChange(shell)
    return () => {
      // A disposer takes away what it made, not what came in its place.
      if (plugin.contributions.get(scoped) !== contribution) return
      withdraw(plugin, scoped)
      onChange(shell)
    }
  }

  function areaBox(area) {
    for (const child of container.children) if (child.dataset.area === area) return child
    const box = document.createElement('section')
    box.dataset.area = area
    box.setAttribute('aria-label', area)
    container.append(box)
    return box
  }

  function draw(plugin, scoped) {
    const contribution = plugin.contributions.get(scoped)
    if (dismissed.has(scoped) || !container || typeof contribution.render !== 'function') return
    const element = document.createElement('div')
    element.dataset.plugin = plugin.id
    element.dataset.contribution = scoped
    const box = areaBox(contribution.area)
    const order = Number.isFinite(contribution.order) ? contribution.order : 1000
    element.dataset.order = String(order)
    const behind = [...box.children].find((other) => Number(other.dataset.order) > order)
    box.insertBefore(element, behind ?? null)
    let undo = () => {}
    try {
      undo =
        render(contribution, element, (error) => report(plugin.id, plugin.revision, 'failed', 'render', error)) ?? undo
    } catch (error) {
      report(plugin.id, plugin.revision, 'failed', 'render', error)
    }
    plugin.drawn.set(scoped, () => {
      undo()
      element.remove()
      if (!box.children.length) box.remove()
    })
  }

  function erase(plugin, scoped) {
    const undo = plugin.drawn.get(scoped)
    plugin.drawn.delete(scoped)
    try {
      undo?.()
    } catch (error) {
      console.error(`[plugin:${plugin.id}] unmount`, error)
    }
  }

  function withdraw(plugin, scoped) {
    erase(plugin, scoped)
    plugin.contributions.delete(scoped)
  }

  const shell = {
    connect,
    policy,
    /** Until all that has come so far is loaded or unloaded. */
    settled: () => work,
    get mounted() {
      return link?.mounted
    },
    /** [{id, name, revision, contributions: [{scopedId, area, title, dismissed}]}] */
    plugins: () =>
      [...running.values()].map(({ id, name, revision, contributions }) => ({
        id,
        name,
        revision,
        contributions: [...contributions].map(([scopedId, { area, title }]) => ({
          scopedId,
          area,
          title,
          dismissed: dismissed.has(scopedId),
        })),
      })),
    /** A pane's close button: the only pane of a plugin switches the plugin off, one of several is merely dismissed. */
    async closePane(scopedId) {
      const plugin = running.get(scopedId.slice(0, scopedId.indexOf(':')))
      if (!plugin?.contributions.has(scopedId)) return
      const panes = [...plugin.contributions].filter(([, { area }]) => area === 'panes')
      if (panes.length > 1) {
        dismissed.add(scopedId)
        erase(plugin, scopedId)
        onChange(shell)
        return
      }
      const address = `${url}/v1/plugins/${encodeURIComponent(plugin.id)}/enabled`
      const answer = await fetch(address, { method: 'PUT', headers, body: JSON.stringify({ enabled: false }) })
      if (!answer.ok) throw new Error(`the service answered ${answer.status}`)
    },
    /** Brings back what was dismissed. */
    reset() {
      dismissed.clear()
      for (const plugin of running.values())
        for (const scoped of plugin.contributions.keys()) if (!plugin.drawn.has(scoped)) draw(plugin, scoped)
      onChange(shell)
    },
    close() {
      stopped = true
      link?.close()
      for (const id of [...running.keys()]) unload(id)
    },
  }
  return shell
}
