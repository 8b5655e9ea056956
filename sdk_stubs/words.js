// Texts of the app's own language pack. The stub has no pack: a word reads as its key ('closeAll' → 'Close all'), can be
// called like the messages that take arguments, and may be asked for any deeper key.

/** Under this symbol a word gives its text; the renderer looks for it. */
export const WORD = Symbol.for('hermes.rehearsal.word')

const spell = (key) => {
  const last = ('' + key).split('.').pop()
  const text = last.replace(/[_-]+/g, ' ').replace(/([a-z0-9])([A-Z])/g, (_, before, letter) => `${before} ${letter.toLowerCase()}`)
  return text === '' ? '' : text[0].toUpperCase() + text.slice(1)
}

const plainArgument = (value) => ['string', 'number'].includes(typeof value)
export const wordText = (key, args = []) => [spell(key), ...args.filter(plainArgument)].join(' ')

export function word(key) {
  const text = spell(key)
  return new Proxy(() => text, {
    get(target, name) {
      if (name === WORD) return text
      if (name === Symbol.toPrimitive || name === 'toString' || name === 'valueOf' || name === 'toJSON') return () => text
      if (typeof name === 'symbol' || name === 'then' || name === 'prototype') return undefined
      if (name === 'length') return text.length
      const method = String.prototype[name]
      if (typeof method === 'function') return method.bind(text)
      return word(key === '' ? name : `${key}.${name}`)
    },
    apply: (_, __, args) => wordText(key, args),
    has: (_, name) => typeof name === 'string' && name !== 'then',
  })
}
