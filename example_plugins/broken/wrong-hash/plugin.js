// integrity.json beside this file names another hash.
export default {
  id: 'wrong-hash',
  register() {},
}
