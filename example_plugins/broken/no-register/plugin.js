// An id alone does nothing.
export default {
  id: 'no-register',
  name: 'No register',
}
