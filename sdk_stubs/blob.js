// Blob, File, FileReader, FormData: bytes in memory, nothing of a disk.

import { clock } from '@@host'
import { EventTarget, dispatch, eventClasses } from '@@events'
import { TextDecoder, TextEncoder } from '@@text-codec'

const bytesOf = new WeakMap()

function gather(parts) {
  const chunks = [...parts].map((part) => {
    if (bytesOf.has(part)) return bytesOf.get(part)
    if (part instanceof ArrayBuffer) return new Uint8Array(part)
    if (ArrayBuffer.isView(part)) return new Uint8Array(part.buffer, part.byteOffset, part.byteLength)
    return new TextEncoder().encode('' + part)
  })
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0))
  let at = 0
  for (const chunk of chunks) {
    all.set(chunk, at)
    at += chunk.length
  }
  return all
}

export class Blob {
  constructor(parts = [], { type = '' } = {}) {
    bytesOf.set(this, gather(parts))
    this.type = ('' + type).toLowerCase()
  }

  get size() {
    return bytesOf.get(this).length
  }

  slice(start = 0, end = this.size, type = '') {
    return new Blob([bytesOf.get(this).slice(start, end)], { type })
  }

  async text() {
    return new TextDecoder('utf-8').decode(bytesOf.get(this))
  }

  async arrayBuffer() {
    return bytesOf.get(this).slice().buffer
  }

  async bytes() {
    return bytesOf.get(this).slice()
  }

  /** There are no streams here: their name ends the rehearsal, as if the plugin had made one itself. */
  stream() {
    return new ReadableStream()
  }
}

export class File extends Blob {
  constructor(parts, name, options = {}) {
    super(parts, options)
    this.name = '' + name
    this.lastModified = options.lastModified ?? clock.now()
    this.webkitRelativePath = ''
  }
}

export class FileReader extends EventTarget {
  readyState = 0
  result = null
  error = null
  onload = null
  onloadend = null
  onerror = null
  onprogress = null

  #read(blob, convert) {
    this.readyState = 1
    clock.schedule(
      () => {
        this.result = convert(bytesOf.get(blob))
        this.readyState = 2
        for (const type of ['load', 'loadend']) dispatch(this, new eventClasses.ProgressEvent(type))
      },
      0,
      { untracked: true },
    )
  }

  readAsText(blob, label) {
    this.#read(blob, (bytes) => new TextDecoder(label).decode(bytes))
  }

  readAsArrayBuffer(blob) {
    this.#read(blob, (bytes) => bytes.slice().buffer)
  }

  readAsDataURL(blob) {
    this.#read(blob, (bytes) => `data:${blob.type || 'application/octet-stream'};base64,${btoa(latin1(bytes))}`)
  }

  readAsBinaryString(blob) {
    this.#read(blob, latin1)
  }

  abort() {
    this.readyState = 2
  }
}

const latin1 = (bytes) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')

export class FormData {
  #entries = []

  constructor(form) {
    for (const field of form?.elements ?? []) {
      const name = field.getAttribute('name')
      const off = /^(checkbox|radio)$/.test(field.type) && !field.checked
      if (name && !field.disabled && !off && !/^(button|submit|reset)$/.test(field.type)) this.append(name, field.value)
    }
  }

  append(name, value) {
    this.#entries.push(['' + name, value instanceof Blob ? value : '' + value])
  }

  set(name, value) {
    this.delete(name)
    this.append(name, value)
  }

  delete(name) {
    this.#entries = this.#entries.filter(([key]) => key !== '' + name)
  }

  get(name) {
    return this.#entries.find(([key]) => key === '' + name)?.[1] ?? null
  }

  getAll(name) {
    return this.#entries.filter(([key]) => key === '' + name).map(([, value]) => value)
  }

  has(name) {
    return this.#entries.some(([key]) => key === '' + name)
  }

  forEach(visit) {
    for (const [name, value] of this.#entries) visit(value, name, this)
  }

  entries() {
    return this.#entries.map((pair) => [...pair])[Symbol.iterator]()
  }

  keys() {
    return this.#entries.map(([name]) => name)[Symbol.iterator]()
  }

  values() {
    return this.#entries.map(([, value]) => value)[Symbol.iterator]()
  }

  [Symbol.iterator]() {
    return this.entries()
  }
}
