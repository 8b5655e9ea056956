// The `ctx` that register() gets from this shell. What the host cannot do here says so by its result, as in the app.

const MAX_TIMEOUT_MS = 2 ** 31 - 1

/**
 * @param {object} options
 * @param {string} options.id
 * @param {(contribution: object) => () => void} options.contribute
 * @param {(dispose: () => void) => void} options.onDispose
 * @param {{runAction: Function, listActions: Function, pet: object}} options.policy
 * @param {(path: string, options?: object) => Promise<any>} [options.rest]
 * @param {Storage | Map<string, string> | null} [options.store] where `ctx.storage` keeps things; default: localStorage
 */
export function createPluginContext({ id, contribute, onDispose, policy, rest, store = globalThis.localStorage }) {
  function track(dispose) {
    let done = false
    const once = () => {
      if (done) return
      done = true
      dispose()
    }
    onDispose(once)
    return once
  }

  function register(contribution) {
    if (!contribution || typeof contribution.area !== 'string' || typeof contribution.id !== 'string') {
      throw new TypeError('a contribution needs an area and an id')
    }
    return track(contribute({ ...contribution, source: `plugin:${id}` }))
  }

  const ctx = {
    source: `plugin:${id}`,
    register,
    registerMany(contributions) {
      const disposers = [...contributions].map(register)
      return () => disposers.forEach((dispose) => dispose())
    },
    registerSettingsPage: (page) => register({ ...page, area: 'settings.plugins' }),
    onDispose: (dispose) => void track(dispose),
    onEvent: () => track(() => {}), // no gateway stands behind this page, so no event ever comes
    setTimeout(callback, delayMs = 0, ...args) {
      const timer = setTimeout(callback, Math.min(delayMs, MAX_TIMEOUT_MS), ...args)
      return track(() => clearTimeout(timer))
    },
    setInterval(callback, delayMs = 0, ...args) {
      const timer = setInterval(callback, Math.min(delayMs, MAX_TIMEOUT_MS), ...args)
      return track(() => clearInterval(timer))
    },
    addEventListener(target, type, listener, options) {
      target.addEventListener(type, listener, options)
      return track(() => target.removeEventListener(type, listener, options))
    },
    rest: rest ?? (() => Promise.reject(new Error('this shell has no backends'))),
    socket: () => track(() => {}),
    storage: storageOf(id, store),
    i18n: { t: (key) => key, register: () => track(() => {}), locale: 'en' },
    os: Object.freeze({
      notify: async () => ({ ok: false, reason: 'unavailable', error: 'this shell shows no notifications' }),
      openExternal: async () => false,
      revealPath: async () => false,
      writeClipboard: async () => false,
      pickSavePath: async () => null,
      pickOpenPath: async () => null,
    }),
    ...policy,
  }
  return Object.freeze(ctx)
}

/** JSON under a prefix of the plugin's own; what cannot be kept is lost silently, as private windows have it. */
function storageOf(id, store) {
  const prefix = `hermes.plugin.${id}.`
  const names = () => (store instanceof Map ? [...store.keys()] : Object.keys(store ?? {}))
  const read = (key) => (store instanceof Map ? store.get(key) : store?.getItem(key))
  return Object.freeze({
    get(key, fallback = null) {
      try {
        const text = read(prefix + key)
        return text === null || text === undefined ? fallback : JSON.parse(text)
      } catch {
        return fallback
      }
    },
    set(key, value) {
      try {
        const text = JSON.stringify(value)
        if (store instanceof Map) store.set(prefix + key, text)
        else store.setItem(prefix + key, text)
      } catch {
        // As said above.
      }
    },
    remove(key) {
      if (store instanceof Map) store.delete(prefix + key)
      else store?.removeItem(prefix + key)
    },
    keys: () =>
      names()
        .filter((name) => name.startsWith(prefix))
        .map((name) => name.slice(prefix.length)),
  })
}
