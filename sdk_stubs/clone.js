// structuredClone: data of every kind, cycles too; functions and nodes cannot be cloned.

export function structuredClone(value) {
  return copy(value, new Map())
}

const refuse = (value) => new DOMException(`${typeof value === 'function' ? 'A function' : 'This object'} could not be cloned.`, 'DataCloneError')

function copy(value, seen) {
  if (typeof value === 'symbol' || typeof value === 'function') throw refuse(value)
  if (typeof value !== 'object' || value === null) return value
  if (seen.has(value)) return seen.get(value)
  const remember = (made) => {
    seen.set(value, made)
    return made
  }
  if (Array.isArray(value)) {
    const list = remember(new Array(value.length))
    for (const key of Object.keys(value)) list[key] = copy(value[key], seen)
    return list
  }
  switch (Object.prototype.toString.call(value).slice(8, -1)) {
    case 'Date':
      return remember(new Date(value.getTime()))
    case 'RegExp':
      return remember(new RegExp(value.source, value.flags))
    case 'Map': {
      const map = remember(new Map())
      for (const [key, held] of value) map.set(copy(key, seen), copy(held, seen))
      return map
    }
    case 'Set': {
      const set = remember(new Set())
      for (const held of value) set.add(copy(held, seen))
      return set
    }
    case 'ArrayBuffer':
      return remember(value.slice(0))
    case 'Boolean':
    case 'Number':
    case 'String':
      return remember(Object(value.valueOf()))
    case 'Error': {
      const { name, message, stack, cause } = value
      const error = remember(new (/^(Eval|Range|Reference|Syntax|Type|URI)Error$/.test(name) ? globalThis[name] : Error)(message))
      if (stack) error.stack = stack
      if (cause !== undefined) error.cause = copy(cause, seen)
      return error
    }
    default:
  }
  if (ArrayBuffer.isView(value)) {
    const buffer = copy(value.buffer, seen)
    return remember(value instanceof DataView ? new DataView(buffer, value.byteOffset, value.byteLength) : new value.constructor(buffer, value.byteOffset, value.length))
  }
  if (typeof value.then === 'function' || value.nodeType !== undefined || value instanceof WeakMap || value instanceof WeakSet) throw refuse(value)
  const record = remember({})
  for (const key of Object.keys(value)) record[key] = copy(value[key], seen)
  return record
}
