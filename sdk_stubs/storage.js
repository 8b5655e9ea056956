// localStorage and sessionStorage: in memory, empty at the start of each rehearsal.

import { record } from '@@host'

const dataOf = new WeakMap()

export class Storage {
  constructor(name) {
    dataOf.set(this, { name, items: new Map() })
  }

  get length() {
    return dataOf.get(this).items.size
  }

  key(index) {
    return [...dataOf.get(this).items.keys()][index] ?? null
  }

  getItem(key) {
    return dataOf.get(this).items.get('' + key) ?? null
  }

  setItem(key, value) {
    const { name, items } = dataOf.get(this)
    record('action', { name: `${name}.setItem`, args: ['' + key] })
    items.set('' + key, '' + value)
  }

  removeItem(key) {
    dataOf.get(this).items.delete('' + key)
  }

  clear() {
    dataOf.get(this).items.clear()
  }
}

/** A storage whose items are properties too, as in a page. */
function face(name) {
  const storage = new Storage(name)
  const own = (key) => typeof key === 'symbol' || key in Storage.prototype
  const proxy = new Proxy(storage, {
    get: (target, key) => (own(key) ? Reflect.get(target, key) : (target.getItem(key) ?? undefined)),
    set(target, key, value) {
      if (!own(key)) target.setItem(key, value)
      return true
    },
    has: (target, key) => own(key) || target.getItem(key) !== null,
    deleteProperty(target, key) {
      target.removeItem(key)
      return true
    },
    ownKeys: (target) => [...dataOf.get(target).items.keys()],
    getOwnPropertyDescriptor(target, key) {
      const value = own(key) ? null : target.getItem(key)
      return value === null ? undefined : { value, enumerable: true, configurable: true, writable: true }
    },
  })
  dataOf.set(proxy, dataOf.get(storage))
  return proxy
}

export const localStorage = face('localStorage')
export const sessionStorage = face('sessionStorage')

/** Writes without a record, for stubs that have made their own. */
export const write = (storage, key, value) => void dataOf.get(storage).items.set(key, value)
