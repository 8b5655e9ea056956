// integrity.json beside this file holds a hash in hex: it must be sha256- and base64.
export default {
  id: 'malformed-hash',
  register() {},
}
