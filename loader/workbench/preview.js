// What a rehearsal drew, in a frame that can do nothing: no scripts, no origin, no network, no forms, no navigation.
// The markup is foreign; this file is the only one that hands markup to the browser, and only to such a frame.

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

const trusted = globalThis.trustedTypes?.createPolicy('preview', { createHTML: (markup) => markup })
let sheet = null

/** The stylesheet of previews: inline in each frame, allowed there by its hash in the page's own policy. */
async function styles() {
  sheet ??= fetch('/workbench/preview.css').then((response) => response.text())
  return sheet
}

const HEIGHTS = [
  [/^(statusBar|titleBar|composer\.(leading|actions|microActions|modelPill)|sessionRow|workspace)/, 44],
  [/^(composer|transcript)/, 110],
  [/^(panes|routes|chat|settings|appearance)/, 320],
]

export function heightOf(area) {
  return HEIGHTS.find(([areas]) => areas.test(area))?.[1] ?? 140
}

/** `theme` is 'light' or 'dark'. The frame is returned at once and filled when the stylesheet is there. */
export function previewFrame(markup, { theme, area, title }) {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', '')
  frame.setAttribute('csp', POLICY)
  frame.setAttribute('referrerpolicy', 'no-referrer')
  frame.setAttribute('loading', 'lazy')
  frame.setAttribute('tabindex', '-1')
  frame.title = title
  frame.className = 'preview'
  frame.style.setProperty('height', `${heightOf(area)}px`)
  styles().then((css) => {
    const text =
      `<!doctype html><html lang="en" data-theme="${theme === 'dark' ? 'dark' : 'light'}"><head><meta charset="utf-8">` +
      `<meta http-equiv="Content-Security-Policy" content="${POLICY}"><style>${css}</style></head><body>${markup}</body></html>`
    frame.srcdoc = trusted ? trusted.createHTML(text) : text
  })
  return frame
}
