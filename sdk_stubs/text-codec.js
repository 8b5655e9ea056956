// TextEncoder and TextDecoder for UTF-8, UTF-16 and Latin-1.

export class TextEncoder {
  get encoding() {
    return 'utf-8'
  }

  encode(text = '') {
    const bytes = []
    for (const letter of '' + text) {
      let code = letter.codePointAt(0)
      if (code >= 0xd800 && code <= 0xdfff) code = 0xfffd
      if (code < 0x80) bytes.push(code)
      else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63))
      else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63))
      else bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63))
    }
    return new Uint8Array(bytes)
  }

  encodeInto(text, target) {
    let read = 0
    let written = 0
    for (const letter of '' + text) {
      const bytes = this.encode(letter)
      if (written + bytes.length > target.length) break
      target.set(bytes, written)
      written += bytes.length
      read += letter.length
    }
    return { read, written }
  }
}

const LABELS = { 'utf-8': 'utf-8', utf8: 'utf-8', 'utf-16le': 'utf-16le', 'utf-16': 'utf-16le', latin1: 'windows-1252', 'iso-8859-1': 'windows-1252', ascii: 'windows-1252', 'windows-1252': 'windows-1252' }

const bytesOf = (input) => {
  if (input === undefined) return new Uint8Array(0)
  if (input instanceof ArrayBuffer) return new Uint8Array(input)
  return new Uint8Array(input.buffer, input.byteOffset, input.byteLength)
}

export class TextDecoder {
  #rest = []

  constructor(label = 'utf-8', { fatal = false, ignoreBOM = false } = {}) {
    const encoding = LABELS[('' + label).trim().toLowerCase()]
    if (encoding === undefined) throw new RangeError(`'${label}' is no encoding that the decoder knows.`)
    Object.assign(this, { encoding, fatal, ignoreBOM })
  }

  decode(input, { stream = false } = {}) {
    const bytes = [...this.#rest, ...bytesOf(input)]
    this.#rest = []
    let text
    if (this.encoding === 'windows-1252') text = bytes.map((byte) => String.fromCharCode(byte)).join('')
    else if (this.encoding === 'utf-16le') text = this.#utf16(bytes, stream)
    else text = this.#utf8(bytes, stream)
    return !this.ignoreBOM && text.startsWith('\ufeff') ? text.slice(1) : text
  }

  #bad() {
    if (this.fatal) throw new TypeError('The bytes are not valid in this encoding.')
    return '\ufffd'
  }

  #utf16(bytes, stream) {
    let text = ''
    for (let at = 0; at + 1 < bytes.length; at += 2) text += String.fromCharCode(bytes[at] | (bytes[at + 1] << 8))
    if (bytes.length % 2 === 1) {
      if (stream) this.#rest = bytes.slice(-1)
      else text += this.#bad()
    }
    return text
  }

  #utf8(bytes, stream) {
    let text = ''
    let at = 0
    while (at < bytes.length) {
      const first = bytes[at]
      if (first < 0x80) {
        text += String.fromCharCode(first)
        at += 1
        continue
      }
      const length = first >= 0xc2 && first <= 0xdf ? 2 : first >= 0xe0 && first <= 0xef ? 3 : first >= 0xf0 && first <= 0xf4 ? 4 : 0
      let code = length === 2 ? first & 31 : length === 3 ? first & 15 : first & 7
      let used = 1
      while (used < length && at + used < bytes.length && isNext(bytes, at, used)) {
        code = (code << 6) | (bytes[at + used] & 63)
        used += 1
      }
      if (length > 0 && used < length && at + used >= bytes.length && stream) {
        this.#rest = bytes.slice(at)
        break
      }
      text += length === 0 || used < length ? this.#bad() : String.fromCodePoint(code)
      at += used
    }
    return text
  }
}

/** Whether the byte continues the sequence; the second one may not make an overlong form, a surrogate or a code beyond Unicode. */
function isNext(bytes, at, used) {
  const byte = bytes[at + used]
  const first = bytes[at]
  if (used === 1) {
    if (first === 0xe0 && byte < 0xa0) return false
    if (first === 0xed && byte > 0x9f) return false
    if (first === 0xf0 && byte < 0x90) return false
    if (first === 0xf4 && byte > 0x8f) return false
  }
  return byte >= 0x80 && byte <= 0xbf
}
