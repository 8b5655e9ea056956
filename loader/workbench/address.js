// What an address of the page says after its `#`: people write and cut such addresses, so that any of them is one.

/** The words between the slashes of `#/plugins/standalone%3Aclock`. One that cannot be decoded stays as it is written. */
export function wordsOf(hash) {
  return hash.split('/').slice(1).map((word) => {
    try {
      return decodeURIComponent(word)
    } catch {
      return word
    }
  })
}
