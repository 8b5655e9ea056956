// The id and the folder's name differ. In a home this is an error, anywhere else worth a word.
export default {
  id: 'another-folder',
  register() {},
}
