// Ids are small letters, digits, - and _.
export default {
  id: 'Shouting-Id',
  register() {},
}
