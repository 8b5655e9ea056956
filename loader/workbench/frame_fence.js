// Runs first in a plugin's frame. A peer connection is no fetch, so the frame's policy does not stop it: its names go.
// They would be there again in a document that the plugin makes, so it makes none: a frame without an address has an
// origin of its own (sandbox), one with an address is refused (frame-src), and `srcdoc` is refused here.

for (const name of Object.getOwnPropertyNames(globalThis)) {
  if (/^(webkit)?RTC|^WebTransport/.test(name)) delete globalThis[name]
}

globalThis.trustedTypes?.createPolicy('default', {
  createHTML(markup, type, sink) {
    // An attribute's name cannot be written in any other way, so looking for the letters is enough.
    if (/srcdoc/i.test(`${sink} ${markup}`)) throw new TypeError('a plugin in a frame makes no documents of its own')
    return markup
  },
  createScript: () => null,
  createScriptURL: () => null,
})
