// A plugin's own locale bundles: {en: {title: 'Board', count: n => `${n} cards`}}. The rehearsal reads English, else the first one.

import { onDispose, record } from '@@host'
import { useCallback } from '@@hooks'

const bundlesOf = new Map()

function lookUp(messages, key) {
  let found = messages
  for (const part of ('' + key).split('.')) {
    if (typeof found !== 'object' || found === null) return undefined
    found = found[part]
  }
  return found
}

function fill(text, args) {
  const [first] = args
  return text.replace(/\{(\w+)\}/g, (all, name) => {
    const value = typeof first === 'object' && first !== null ? first[name] : args[Number(name)]
    return value === undefined ? all : '' + value
  })
}

/** The plugin's message for `key`; the key itself where no bundle has it, as in the app. */
export function translate(pluginId, key, args) {
  const bundles = bundlesOf.get(pluginId) ?? {}
  const message = lookUp(bundles.en ?? bundles[Object.keys(bundles)[0]], key)
  if (typeof message === 'function') return message(...args)
  if (typeof message === 'string') return fill(message, args)
  return '' + key
}

export function createI18n(pluginId) {
  return {
    register(bundles) {
      bundlesOf.set(pluginId, { ...bundlesOf.get(pluginId), ...bundles })
      const drop = () => void bundlesOf.delete(pluginId)
      const cancel = onDispose(drop)
      return () => {
        cancel()
        drop()
      }
    },
    t: (key, ...args) => translate(pluginId, key, args),
    // Some builds only; nobody changes the language of a rehearsal.
    onLocaleChange: () => onDispose(() => {}),
    registerAppLocale: (id, locale) => registerAppLocale(id, locale),
  }
}

/** A language for the whole app; dropped with the plugin. */
export function registerAppLocale(id, locale) {
  record('action', { name: 'i18n.registerAppLocale', args: [id, Object.keys(locale ?? {})] })
  return onDispose(() => {})
}

/** The translator itself, as ctx.i18n.t. */
export const usePluginI18n = (pluginId) => useCallback((key, ...args) => translate(pluginId, key, args), [pluginId])
