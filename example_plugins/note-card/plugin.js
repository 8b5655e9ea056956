// @ts-check
// A transcript directive: where the model writes ::note-card{title="…" text="…" tone="warn"} alone in a paragraph,
// this is shown.
import { Codicon, TRANSCRIPT_DIRECTIVE_AREA } from '@hermes/plugin-sdk'
import { jsx, jsxs } from 'react/jsx-runtime'

const LONGEST = 400

const TONES = {
  info: { icon: 'info', color: 'var(--ui-accent)' },
  warn: { icon: 'warning', color: 'var(--ui-text-primary)' },
}

const text = (value) => (typeof value === 'string' ? value.slice(0, LONGEST) : '')

/**
 * The attributes are the model's words: strings, and not to be trusted. They are shown as text, never as markup or address.
 *
 * @param {import('@hermes/plugin-sdk').TranscriptDirectiveProps} props
 */
function NoteCard({ attrs, streaming }) {
  const tone = attrs.tone === 'warn' ? TONES.warn : TONES.info
  const body = text(attrs.text)
  return jsxs('aside', {
    'aria-label': text(attrs.title) || 'Note',
    style: { borderLeft: `3px solid ${tone.color}`, display: 'grid', gap: 4, padding: '8px 12px' },
    children: [
      jsxs('strong', {
        style: { color: 'var(--ui-text-secondary)' },
        children: [jsx(Codicon, { name: tone.icon }), ' ', text(attrs.title) || 'Note'],
      }),
      // While the message streams the text may be cut in the middle.
      jsx('p', { children: body || (streaming ? '…' : 'This note has no text.') }),
    ],
  })
}

/** @type {import('@hermes/plugin-sdk').HermesPlugin} */
export default {
  id: 'note-card',
  name: 'Note card',
  description: 'Shows ::note-card directives as cards in the transcript.',

  register(ctx) {
    ctx.register({
      id: 'directive',
      area: TRANSCRIPT_DIRECTIVE_AREA,
      // The first plugin that registers a name owns it, so the name is the plugin's own.
      data: { name: 'note-card', render: (props) => jsx(NoteCard, props) },
    })
  },
}
