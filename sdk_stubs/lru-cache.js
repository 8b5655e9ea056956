// A Map with a ceiling: the entry that was used longest ago goes first.

export class LruCache {
  #entries = new Map()
  #limit

  constructor(limit = 100) {
    this.#limit = Math.max(1, typeof limit === 'object' ? (limit?.max ?? 100) : limit)
  }

  get(key) {
    if (!this.#entries.has(key)) return undefined
    const value = this.#entries.get(key)
    this.#entries.delete(key)
    this.#entries.set(key, value)
    return value
  }

  set(key, value) {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    while (this.#entries.size > this.#limit) this.#entries.delete(this.#entries.keys().next().value)
    return this
  }

  has(key) {
    return this.#entries.has(key)
  }

  delete(key) {
    return this.#entries.delete(key)
  }

  clear() {
    this.#entries.clear()
  }

  get size() {
    return this.#entries.size
  }

  keys() {
    return this.#entries.keys()
  }

  values() {
    return this.#entries.values()
  }

  entries() {
    return this.#entries.entries()
  }

  [Symbol.iterator]() {
    return this.#entries[Symbol.iterator]()
  }
}
