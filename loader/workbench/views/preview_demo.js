// A ::preview frame with its prompt limiter: what the widget sends, what would be handed on, what is dropped and why.

import { fill, h } from '/workbench/dom.js'
import { call } from '/workbench/session.js'
import { themeNow } from '/workbench/theme.js'

const KEPT = 12

export function previewDemo() {
  const log = h('ol', { class: 'prompts', 'aria-label': 'Prompts' })
  const box = h('div', { class: 'stack tight' })
  const show = h('button', { type: 'button', on: { click: open } }, 'Show the frame')
  const element = h(
    'section',
    { class: 'card pad wide', 'aria-label': 'Preview frame' },
    h('div', { class: 'row' }, h('h2', {}, 'A ::preview frame and its prompts'), h('span', { class: 'push' }), show),
    box,
  )
  const lines = []
  let frame = null

  function open() {
    frame = h('iframe', {
      class: 'preview',
      sandbox: 'allow-scripts',
      src: `/workbench/demo.html#theme=${themeNow()}`,
      title: 'A preview widget',
      css: { height: '110px' },
    })
    show.hidden = true
    fill(box, frame, log)
  }

  addEventListener('message', async ({ source, data }) => {
    if (!frame || source !== frame.contentWindow || data?.kind !== 'prompt') return
    const text = String(data.text).slice(0, 2000)
    const answer = await call('POST', '/v1/previews/workbench-demo/prompts', { text }).catch((error) => ({
      ok: false,
      reason: error.message,
    }))
    lines.unshift(
      h(
        'li',
        { class: 'row' },
        h(
          'span',
          { class: 'tag', data: { tone: answer.ok ? 'good' : 'warn' } },
          answer.ok ? 'handed on' : `dropped: ${answer.reason}`,
        ),
        h('bdi', {}, text.slice(0, 120)),
      ),
    )
    lines.splice(KEPT)
    fill(log, lines)
  })

  return element
}
