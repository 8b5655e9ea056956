// crypto, always with the same numbers: two rehearsals of one file say the same.

import { never } from '@@host'

let state = 0x9e3779b9

function nextByte() {
  state ^= state << 13
  state ^= state >>> 17
  state ^= state << 5
  return state & 255
}

export const crypto = {
  getRandomValues(array) {
    if (!ArrayBuffer.isView(array) || array instanceof DataView) throw new TypeError('getRandomValues wants a typed array of integers.')
    if (array.byteLength > 65536) throw new DOMException('More than 65536 bytes at once.', 'QuotaExceededError')
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
    for (let index = 0; index < bytes.length; index += 1) bytes[index] = nextByte()
    return array
  },
  randomUUID() {
    const bytes = crypto.getRandomValues(new Uint8Array(16))
    bytes[6] = (bytes[6] & 15) | 64
    bytes[8] = (bytes[8] & 63) | 128
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  },
  // Real digests are beyond a rehearsal: who waits for one waits for ever.
  subtle: Object.fromEntries(['digest', 'encrypt', 'decrypt', 'sign', 'verify', 'generateKey', 'importKey', 'exportKey', 'deriveKey', 'deriveBits'].map((name) => [name, () => never(`crypto.subtle.${name}`)])),
}
