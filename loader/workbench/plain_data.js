// What comes over a port from a frame, before anything of it goes to the service: the connection is one for the whole
// page, and a message that is too large for it ends it.

export const LONGEST_CALL = 128 * 1024

/** As plain data of its own; null for what is none, or too large. */
export function plainData(value) {
  try {
    const text = JSON.stringify(value ?? {})
    return text.length > LONGEST_CALL ? null : JSON.parse(text)
  } catch {
    return null
  }
}
