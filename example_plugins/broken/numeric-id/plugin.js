// The id is a name, not a number.
export default {
  id: 42,
  register() {},
}
