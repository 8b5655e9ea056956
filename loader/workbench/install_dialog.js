// What a look at a source found, and a person's word about it: parts and grants by checkbox, then install or not.

import { announce, fill, h, say, size } from '/workbench/dom.js'
import { grantsFields, grantsWords } from '/workbench/package_parts.js'
import { call } from '/workbench/session.js'

const PARTS = { desktop: 'desktop half', agent: 'agent half', backend: 'backend', skills: 'skills' }
const KINDS = { standalone: 'desktop plugin', package: 'package', 'web-app': 'web app' }
const TONE = { error: 'bad', warning: 'warn', info: '' }
const SHOWN = 40

export function installDialog({ onDone }) {
  const title = h('h2', { id: 'install-title' })
  const body = h('div', { class: 'stack tight' })
  const element = h('dialog', { id: 'install', class: 'wide', 'aria-labelledby': 'install-title' }, title, body)
  document.body.append(element)

  function close() {
    element.close()
    fill(body)
  }

  /** `asked`: the source as it was named, to name it again. */
  function show(probe, asked) {
    const update = asked.installed !== undefined
    const parts = partFields(probe)
    const grants = grantsFields(probe.requested, probe.keeps, 'install')
    const enable = h('input', { type: 'checkbox', id: 'install-enable', checked: probe.wishes.enable })
    const force = h('input', { type: 'checkbox', id: 'install-force', checked: probe.wishes.force })
    const trouble = h('p', { class: 'note', data: { tone: 'bad' }, role: 'alert', hidden: true })
    const words = h('span', {}, update ? 'Update' : probe.replaces ? 'Replace' : 'Install')
    const go = h('button', { class: 'primary', disabled: !probe.installable }, words)
    const asks = !update && probe.replaces

    async function install(event) {
      event.preventDefault()
      trouble.hidden = true
      go.disabled = true
      const wish = { ...asked, digest: probe.digest, without: parts.left(), approve: grants.chosen(), enable: enable.checked, force: update || (asks && force.checked) }
      try {
        await call('POST', '/v1/packages/install', wish)
        announce(`${probe.id} is installed`)
        close()
        onDone()
      } catch (error) {
        say(trouble, error.message)
        trouble.hidden = false
        // What has changed since can only be looked at anew.
        go.disabled = error.status === 409
      }
    }

    say(title, `${update ? 'Update' : 'Install'} ${probe.id}?`)
    fill(
      body,
      facts(probe),
      findings(probe),
      drawn(probe),
      changes(probe),
      h(
        'form',
        { on: { submit: install } },
        parts.element,
        grants.empty ? h('p', { class: 'soft' }, 'It asks for nothing.') : grants.element,
        tick(enable, 'install-enable', 'Turn it on at once, if all that it asks for is approved'),
        asks ? tick(force, 'install-force', 'What is there already may be replaced') : null,
        trouble,
        h('div', { class: 'buttons' }, h('button', { type: 'button', on: { click: close } }, 'Cancel'), go),
      ),
    )
    element.showModal()
  }

  /** What an agent asked for; `answer(yes)` says it. */
  function showAsked(request, answer) {
    say(title, `An agent asks: install ${request.id}?`)
    const probe = request.probe
    const left = request.without.map((part) => PARTS[part] ?? part).join(', ')
    const decide = (yes) => () => {
      close()
      answer(yes)
    }
    fill(
      body,
      facts(probe),
      findings(probe),
      drawn(probe),
      changes(probe),
      left && h('p', {}, `Without its ${left}.`),
      h('p', {}, grantsWords(request.grants) ? `It would be granted: ${grantsWords(request.grants)}.` : 'It would be granted nothing.'),
      h('p', {}, request.enable ? 'It would be turned on.' : 'It would stay off.'),
      h(
        'div',
        { class: 'buttons' },
        h('button', { type: 'button', on: { click: close } }, 'Later'),
        h('button', { type: 'button', on: { click: decide(false) } }, 'No'),
        h('button', { type: 'button', class: 'primary', on: { click: decide(true) } }, request.force ? 'Replace' : 'Install'),
      ),
    )
    element.showModal()
  }

  return { show, showAsked }
}

function tick(box, id, label) {
  return h('span', { class: 'tick' }, box, h('label', { for: id }, label))
}

function partFields(probe) {
  const boxes = probe.choices.map((part) => [part, h('input', { type: 'checkbox', id: `part-${part}`, checked: !probe.without.includes(part) })])
  const few = boxes.length < 2
  return {
    element: few ? null : h('fieldset', { class: 'ticks' }, h('legend', {}, 'It ships'), boxes.map(([part, box]) => tick(box, `part-${part}`, PARTS[part]))),
    left: () => (few ? [] : boxes.filter(([, box]) => !box.checked).map(([part]) => part)),
  }
}

function facts(probe) {
  const found = [
    ['kind', KINDS[probe.kind] ?? probe.kind],
    probe.name && ['name', h('bdi', {}, `${probe.name} ${probe.version}`)],
    ['from', h('bdi', { class: 'mono' }, probe.source)],
    probe.revision && ['commit', h('span', { class: 'mono' }, probe.revision.slice(0, 12))],
    probe.served_from ? ['size', 'its manifest; its pages stay where they are served'] : ['size', `${probe.files} file${probe.files === 1 ? '' : 's'}, ${size(probe.size_bytes)}`],
    probe.folder && ['goes to', h('bdi', { class: 'mono' }, probe.folder)],
    probe.left_out.length ? ['left out', probe.left_out.slice(0, SHOWN).join(', ')] : null,
  ].filter(Boolean)
  const notes = [
    probe.warning,
    probe.served_from
      ? 'It comes off, and is granted no more than you approve.'
      : probe.kind === 'web-app' || probe.parts.desktop
        ? 'It comes off, and runs behind the wall, with no more than you approve.'
        : null,
    probe.parts.agent || probe.parts.backend ? 'Its Python half runs with your rights once you turn it on in Hermes; it was not looked into.' : null,
    probe.already_enabled.length ? `config.yaml has ${probe.already_enabled.join(', ')} enabled already: its Python half will run.` : null,
    probe.loses_trust ? 'It comes from another place than before, so your trust in it ends.' : null,
  ].filter(Boolean)
  return [
    h('dl', { class: 'facts' }, found.map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])),
    notes.map((text) => h('p', { class: 'note' }, text)),
    [...probe.problems, ...(probe.obstacle ? [probe.obstacle] : [])].map((text) => h('p', { class: 'note', data: { tone: 'bad' } }, text)),
  ]
}

function findings(probe) {
  const found = probe.check?.diagnostics ?? []
  if (!probe.check) return null
  if (!found.length) return h('p', { class: 'soft' }, 'The check found nothing.')
  return h(
    'ul',
    { class: 'findings-list', 'aria-label': 'Findings' },
    found.slice(0, SHOWN).map((one) =>
      h('li', {}, h('span', { class: 'tag', data: { tone: TONE[one.severity] } }, one.code), ` ${one.line ? `line ${one.line}: ` : ''}${one.message}`),
    ),
    found.length > SHOWN ? h('li', {}, `${found.length - SHOWN} more`) : null,
  )
}

function drawn(probe) {
  const shown = (probe.check?.rehearsal?.contributions ?? []).slice(0, SHOWN)
  if (!shown.length) return null
  return h(
    'details',
    { open: shown.length < 4 },
    h('summary', {}, `It adds ${shown.length} thing${shown.length === 1 ? '' : 's'} to the app`),
    shown.map((one) => [
      h('p', { class: 'soft' }, `${one.area} `, h('span', { class: 'mono' }, one.scoped_id), one.title ? ` ${one.title}` : ''),
      one.wireframe ? h('pre', { class: 'code', tabindex: '0', 'aria-label': 'How it looks' }, one.wireframe) : null,
    ]),
  )
}

function changes(probe) {
  const { change } = probe
  if (!change) return null
  const lines = [
    ...change.files.added.map((name) => `+ ${name}`),
    ...change.files.removed.map((name) => `- ${name}`),
    ...change.files.changed.map((name) => `~ ${name}`),
    ...change.contributions.added.map((name) => `+ contributes ${name}`),
    ...change.contributions.removed.map((name) => `- contributes ${name} no more`),
  ]
  const more = grantsWords(change.requests_more)
  const { versions } = change
  return h(
    'details',
    { open: true },
    h('summary', {}, 'What changes'),
    versions ? h('p', { class: 'note', data: versions.older ? { tone: 'warn' } : {} }, `Version ${versions.before} becomes ${versions.after}${versions.older ? ', which is older' : ''}.`) : null,
    h('pre', { class: 'code', tabindex: '0', 'aria-label': 'What changes' }, lines.slice(0, 200).join('\n') || 'the same files'),
    change.code.length
      ? h('pre', { class: 'code', tabindex: '0', 'aria-label': 'The code of plugin.js' }, [...change.code, ...(change.code_more ? [`… ${change.code_more} more lines`] : [])].join('\n'))
      : null,
    more ? h('p', { class: 'note', data: { tone: 'warn' } }, `It asks for more: ${more}`) : null,
  )
}
