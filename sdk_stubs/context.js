// `ctx`: what register(ctx) gets. Everything a plugin makes through it ends with the plugin.

import { clock, contribute, never, onDispose, record, track } from '@@host'
import { listActions, verdictOn } from '@@app-actions'
import { ask, listenToEvents } from '@@app-host'
import { QUIET } from '@@events'
import { createI18n } from '@@plugin-i18n'
import { localStorage, write } from '@@storage'
import { atom, readable } from '@@store'

const PET_TONES = ['info', 'wait', 'warn', 'error']

/** What `end` undoes is undone once: by the returned disposer, or at unload. */
function owned(end) {
  let ended = false
  const once = () => {
    if (ended) return
    ended = true
    end()
  }
  const cancel = onDispose(once)
  return () => {
    cancel()
    once()
  }
}

function checkPath(what, path) {
  const text = '' + path
  if (text.split(/[?#]/)[0].split('/').some((part) => part === '..' || decoded(part) === '..')) {
    throw new Error(`${what}: '${text}' leaves the plugin's own name space.`)
  }
  return text
}

function decoded(part) {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function createStorage(pluginId) {
  const prefix = `hermes.plugin.${pluginId}.`
  const store = localStorage
  return {
    get(key, fallback) {
      const text = store.getItem(prefix + key)
      if (text === null) return fallback
      try {
        return JSON.parse(text)
      } catch {
        return fallback
      }
    },
    set(key, value) {
      record('action', { name: 'ctx.storage.set', args: [key] })
      write(store, prefix + key, JSON.stringify(value))
    },
    remove: (key) => store.removeItem(prefix + key),
  }
}

const os = {
  notify: (input) => void ask('ctx.os.notify', input),
  async openExternal(url) {
    ask('ctx.os.openExternal', url)
    return true
  },
  async revealPath(path) {
    ask('ctx.os.revealPath', path)
    return true
  },
  async writeClipboard(text) {
    ask('ctx.os.writeClipboard', text)
    return true
  },
  // Nobody is there to choose a file: the dialogs end as when the user cancels.
  async pickSavePath(options) {
    ask('ctx.os.pickSavePath', options)
    return null
  },
  async pickOpenPath(options) {
    ask('ctx.os.pickOpenPath', options)
    return null
  },
  async pickOpenPaths(options) {
    ask('ctx.os.pickOpenPaths', options)
    return []
  },
}

function createPet(pluginId) {
  return {
    say(text, options) {
      const { id, tone } = options ?? {}
      if (tone !== undefined && !PET_TONES.includes(tone)) {
        console.warn(`[plugin:${pluginId}] pet.say: '${tone}' is no tone, info is used`)
      }
      ask('ctx.pet.say', text, options)
      return owned(() => ask('ctx.pet.clear', id))
    },
    clear: (id) => void ask('ctx.pet.clear', id),
    visible: readable(atom(true, 'ctx.pet.visible')),
  }
}

/** A timer that ends with the plugin; → disposer, not a number. */
function timer(fn, delayMs, every, args) {
  let end = () => {}
  const run = (...given) => {
    if (!every) end()
    return fn(...given)
  }
  // `of` is whose answer `run` gives, so that a failure that comes later can be heard.
  const id = clock.schedule(run, delayMs, { every, args, of: fn })
  end = owned(() => clock.cancel(id))
  return end
}

export function createContext(pluginId) {
  const register = (contribution) => {
    const drop = contribute(contribution, 'ctx.register')
    return owned(drop)
  }
  return {
    source: `plugin:${pluginId}`,
    register,
    registerMany(contributions) {
      const disposers = [...contributions].map(register)
      return () => disposers.forEach((dispose) => dispose())
    },
    registerSettingsPage(page) {
      const { id, title, render, order, ...data } = page ?? {}
      return owned(contribute({ id, area: 'settings.plugins', title, order, render, data }, 'ctx.registerSettingsPage'))
    },
    onDispose(fn) {
      onDispose(fn)
    },
    onEvent: (type, listener) => listenToEvents('ctx.onEvent', type, listener, true),
    setTimeout: (fn, delayMs, ...args) => timer(fn, delayMs, false, args),
    setInterval: (fn, delayMs, ...args) => timer(fn, delayMs, true, args),
    addEventListener(target, type, listener, options) {
      const capture = typeof options === 'object' && options !== null ? options : { capture: Boolean(options) }
      target.addEventListener(type, listener, { ...capture, quiet: QUIET })
      return owned(() => target.removeEventListener(type, listener, capture))
    },
    rest(path, options) {
      try {
        return never(`ctx.rest ${options?.method ?? 'GET'} ${checkPath('ctx.rest', path)}`)
      } catch (error) {
        return Promise.reject(error)
      }
    },
    socket(path, onMessage) {
      if (typeof onMessage !== 'function') throw new TypeError('ctx.socket wants a function for its messages.')
      const release = track('socket', `ctx.socket ${checkPath('ctx.socket', path)}`)
      return owned(release)
    },
    os,
    pet: createPet(pluginId),
    runAction(id) {
      ask('ctx.runAction', id)
      const verdict = verdictOn(id)
      if (!verdict.ok) console.warn(`[plugin:${pluginId}] runAction: ${verdict.error}`)
      return verdict
    },
    listActions,
    storage: createStorage(pluginId),
    i18n: createI18n(pluginId),
  }
}
