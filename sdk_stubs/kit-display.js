// What the UI kit shows: texts, rows, panels, states, icons.

import { createElement } from '@@elements'
import { simple, splitProps } from '@@kit'

const names = (text) => text.trim().split(/\s+/)
const family = (tag, fixed, text, options) => Object.fromEntries(names(text).map((name) => [name, simple(name, tag, fixed, options)]))

export const { Badge, Kbd, PanelPill, PanelSectionLabel, PageHeaderCount, DecodeText, LocalizedTabTitle, SidePanelMeta } = {
  ...family('span', {}, 'Badge PanelPill PanelSectionLabel PageHeaderCount DecodeText LocalizedTabTitle SidePanelMeta'),
  ...family('kbd', {}, 'Kbd'),
}
export const KbdGroup = simple('KbdGroup', 'span')
export const { PageHeaderTitle, SidePanelTitle, Wordmark } = family('h2', {}, 'PageHeaderTitle SidePanelTitle Wordmark')
export const { PanelHeader, PageHeader, SidePanelHeader } = family('header', {}, 'PanelHeader PageHeader SidePanelHeader')
export const { PanelBlock, PanelBody, PanelDetail, PanelEmpty, PanelRowMenu, PageHeaderActions, PageShell, SidePanelBody, SidePanelMetaRow, SidePanelSection, SidePanelToolbar, ListRow, FadeScroll, ScrollArea, Callout } = family(
  'div',
  {},
  'PanelBlock PanelBody PanelDetail PanelEmpty PanelRowMenu PageHeaderActions PageShell SidePanelBody SidePanelMetaRow SidePanelSection SidePanelToolbar ListRow FadeScroll ScrollArea Callout',
)
export const SidePanel = simple('SidePanel', 'aside')
export const PanelList = simple('PanelList', 'div', { role: 'list' })
export const PanelListRow = simple('PanelListRow', 'button', { type: 'button' })
export const EmptyState = simple('EmptyState', 'div', { role: 'status' })
export const ErrorState = simple('ErrorState', 'div', { role: 'alert' })
export const Loader = simple('Loader', 'div', { role: 'status', 'aria-busy': true })
export const GlyphSpinner = simple('GlyphSpinner', 'span', { role: 'status', 'aria-busy': true })
export const Skeleton = simple('Skeleton', 'div', { 'aria-hidden': true })
export const Separator = simple('Separator', 'hr', {}, { empty: true, slots: [] })
export const { StatusDot, SessionStatusDot, ConnectionGlyph, SidebarRowLead } = family('span', { role: 'img' }, 'StatusDot SessionStatusDot ConnectionGlyph SidebarRowLead')
export const DisclosureCaret = simple('DisclosureCaret', 'i', { 'aria-hidden': true })

/** One of VS Code's icons by its name. */
export function Codicon(props) {
  const { host } = splitProps('Codicon', props, { taken: ['name', 'spinning'], slots: [] })
  const { name, spinning } = props
  return createElement('i', { ...host, className: ['codicon', `codicon-${name}`, props.className].filter(Boolean).join(' '), 'data-codicon': name, 'data-spinning': spinning, 'aria-hidden': props['aria-label'] ? undefined : true })
}

/** Lines of a log: text, lines or children. */
export function LogView(props) {
  const { lines, text } = props
  const { host } = splitProps('LogView', props, { taken: ['lines', 'text'] })
  const body = Array.isArray(lines) ? lines.map((line) => (typeof line === 'string' ? line : (line?.text ?? ''))).join('\n') : text
  return createElement('pre', { role: 'log', ...host }, body, props.children)
}

/** Rows of [name, value]. */
export function PanelMeta(props) {
  const { host } = splitProps('PanelMeta', props, { taken: ['rows'] })
  const rows = Array.isArray(props.rows) ? props.rows : []
  return createElement('dl', host, ...rows.flatMap((row) => [createElement('dt', { key: `${row?.label}` }, row?.label), createElement('dd', null, row?.value)]), props.children)
}

const textBlock = (name) => {
  const Component = (props) => {
    const { host } = splitProps(name, props, { taken: ['text', 'content'], slots: [] })
    return createElement('div', host, props.children ?? props.text ?? props.content)
  }
  Component.displayName = name
  return Component
}
export const Streamdown = textBlock('Streamdown')
export const MessageTextContent = textBlock('MessageTextContent')

/** A page in a frame of its own; the rehearsal shows only that it is there. */
export const SandboxedFrame = simple('SandboxedFrame', 'section', {}, { empty: true })

// Whole surfaces of the app: named boxes, since what they hold comes from the app.
export const { CapabilitiesView, ConnectorsTab, McpTab, SkillsView, ModelCatalogMenu, SessionChat, ToolsetConfigPanel, Blobatar } = family(
  'div',
  {},
  'CapabilitiesView ConnectorsTab McpTab SkillsView ModelCatalogMenu SessionChat ToolsetConfigPanel Blobatar',
)

// ---------------------------------------------------------------- icons by name

const made = new Map()

function icon(name) {
  if (!made.has(name)) {
    const Icon = (props) => {
      const { host } = splitProps('Icon', props, { taken: ['size', 'strokeWidth', 'absoluteStrokeWidth'], slots: [] })
      return createElement('svg', { width: props.size ?? 24, height: props.size ?? 24, ...host, 'data-icon': name, 'aria-hidden': props['aria-label'] ? undefined : true })
    }
    Icon.displayName = name
    made.set(name, Icon)
  }
  return made.get(name)
}

/** Any name that starts with a capital is an icon; nothing else is there, `then` least of all. */
export const icons = new Proxy(Object.create(null), {
  get: (_, name) => (typeof name === 'string' && /^[A-Z][A-Za-z0-9]*$/.test(name) ? icon(name) : undefined),
  has: (_, name) => typeof name === 'string' && /^[A-Z][A-Za-z0-9]*$/.test(name),
  set: () => false,
})
