// What came from elsewhere: look at a source and install it, answer agents, approve, switch, update, remove.

import { announce, h, icon, say } from '/workbench/dom.js'
import { installDialog } from '/workbench/install_dialog.js'
import { grantsFields, grantsWords } from '/workbench/package_parts.js'
import { call, get } from '/workbench/session.js'

const KINDS = { standalone: 'desktop plugin', package: 'package', 'web-app': 'web app' }
const LINK = /^hermes(?:-dev)?:/i
const path = (id, rest = '') => `/v1/packages/${encodeURIComponent(id)}${rest}`

const made = new WeakMap()

/** Cards for these, in their order. One of which nothing has changed stays the element it is, with what was ticked. */
function keep(container, items, make) {
  const old = new Map([...container.children].map((element) => [made.get(element), element]))
  items.forEach((item, index) => {
    const text = JSON.stringify(item)
    let element = old.get(text)
    if (!element) {
      element = make(item)
      made.set(element, text)
    }
    old.delete(text)
    if (container.children[index] !== element) container.insertBefore(element, container.children[index] ?? null)
  })
  for (const element of old.values()) element.remove()
}

export function packagesView({ store }) {
  let visible = false
  let looking = 0
  const source = h('input', {
    type: 'text',
    id: 'package-source',
    autocomplete: 'off',
    spellcheck: 'false',
    maxlength: '4096',
    placeholder: 'owner/repo, a git URL, a link, or the whole path of a folder or an archive',
  })
  const words = h('span', {}, 'Look at it')
  const look = h('button', { class: 'primary' }, words)
  const trouble = h('p', { class: 'note', data: { tone: 'bad' }, role: 'alert', hidden: true })
  const linked = h('p', { class: 'note', role: 'status', hidden: true })
  const form = h(
    'form',
    {
      class: 'row bring',
      on: {
        submit: (event) => {
          event.preventDefault()
          if (source.value.trim()) probe({ source: source.value.trim() })
        },
      },
    },
    h('label', { for: 'package-source' }, 'Install from'),
    source,
    look,
  )
  const waitingHead = h('h2', { hidden: true }, 'Waiting for you')
  const asked = h('div', { class: 'stack tight' })
  const none = h('p', { class: 'empty', hidden: true }, 'Nothing was installed from elsewhere.')
  const list = h('div', { class: 'stack tight' })
  const element = h(
    'div',
    { class: 'page narrow packages' },
    h('div', { class: 'page-head' }, h('h1', {}, 'Installed from elsewhere')),
    form,
    linked,
    trouble,
    waitingHead,
    asked,
    none,
    list,
  )
  const dialog = installDialog({ onDone: refresh })

  function complain(text) {
    say(trouble, text ?? '')
    trouble.hidden = !text
  }

  /** A link that somebody followed: it is named, and nothing more. Whoever made it may not have anything fetched. */
  function bring(link) {
    history.replaceState(null, '', '#/packages')
    if (!LINK.test(link)) return
    source.value = link
    complain(null)
    say(linked, 'A link asks to install this. Nothing was fetched yet: look at it first, then decide.')
    linked.hidden = false
    look.focus()
  }

  async function probe(body) {
    const turn = (looking += 1)
    complain(null)
    linked.hidden = true
    look.disabled = true
    say(words, 'Looking…')
    announce('Fetching, checking and playing it through')
    try {
      const found = await call('POST', '/v1/packages/probe', body)
      if (turn === looking) dialog.show(found, body)
    } catch (error) {
      if (turn === looking) complain(error.message)
    }
    if (turn !== looking) return
    look.disabled = false
    say(words, 'Look at it')
  }

  async function attempt(what, work) {
    complain(null)
    try {
      await work()
      announce(what)
    } catch (error) {
      complain(error.message)
    }
    await refresh()
  }

  // ------------------------------------------------------------ what agents asked for

  function askedCard(one) {
    const wants = one.action === 'install' ? (one.force ? 'install it, replacing what is there' : 'install it') : 'grant it what it asks for'
    const answer = (yes) => attempt(yes ? `${one.id}: done` : `${one.id}: refused`, () => call('POST', one.approval_endpoint, { approve: yes }))
    const ways = [
      h('button', { type: 'button', on: { click: () => answer(false) } }, 'No', h('span', { class: 'sr' }, `, not ${one.id}`)),
      one.probe
        ? h('button', { type: 'button', class: 'primary', on: { click: () => dialog.showAsked(one, answer) } }, 'See what it is', h('span', { class: 'sr' }, `: ${one.id}`))
        : h('button', { type: 'button', class: 'primary', on: { click: () => answer(true) } }, 'Grant', h('span', { class: 'sr' }, ` ${one.id}`)),
    ]
    return h(
      'section',
      { class: 'card asked', data: { request: one.request }, 'aria-label': `A request about ${one.id}` },
      h('p', {}, 'An agent asks to ', h('b', {}, wants), ': ', h('bdi', { class: 'mono' }, one.id)),
      grantsWords(one.grants) && h('p', { class: 'soft' }, `With it: ${grantsWords(one.grants)}`),
      one.enable && h('p', { class: 'soft' }, 'And to turn it on.'),
      h('div', { class: 'row' }, ways),
    )
  }

  // ------------------------------------------------------------ what is installed

  function packageCard(one) {
    const grants = grantsFields(one.requested, one.approved, `g-${one.id}`)
    const approve = h(
      'button',
      { type: 'button', on: { click: () => attempt(`${one.name}: approved`, () => call('PUT', path(one.id, '/grants'), { ...grants.chosen(), revision: one.revision })) } },
      'Approve what is ticked',
    )
    const control = h(
      'button',
      {
        type: 'button',
        role: 'switch',
        class: 'switch',
        'aria-checked': String(one.enabled),
        'aria-label': `${one.name} on`,
        on: { click: () => attempt(`${one.name}: ${one.enabled ? 'off' : 'on'}`, () => call('PUT', path(one.id, '/enabled'), { enabled: !one.enabled })) },
      },
      h('span', { class: 'knob' }),
    )
    const act = (label, what, work, more = {}) => h('button', { type: 'button', class: 'quiet', on: { click: () => attempt(what, work) }, ...more }, label)
    const from = one.origin.subdir ? `${one.origin.source}#${one.origin.subdir}` : one.origin.source
    return h(
      'section',
      { class: 'card package', data: { id: one.id }, 'aria-label': one.name },
      h(
        'div',
        { class: 'row' },
        one.kind === 'web-app' || one.state !== null ? control : null,
        h('b', {}, h('bdi', {}, one.name)),
        h('span', { class: 'faint mono' }, one.id),
        h('span', { class: 'tag' }, KINDS[one.kind] ?? one.kind),
        one.walled ? h('span', { class: 'tag', data: { tone: 'good' } }, 'behind the wall') : null,
        one.trusted ? h('span', { class: 'tag', data: { tone: 'warn' } }, 'trusted') : null,
        one.lacks.length ? h('span', { class: 'tag', data: { tone: 'warn' } }, `lacks ${one.lacks.join(', ')}`) : null,
      ),
      h('p', { class: 'faint' }, `${one.version} from `, h('bdi', { class: 'mono' }, from)),
      grants.empty ? null : h('div', { class: 'row' }, grants.element, approve),
      h(
        'div',
        { class: 'row' },
        one.kind === 'web-app' && one.enabled ? h('a', { class: 'button', href: one.tab.slice(1) }, 'Open', h('span', { class: 'sr' }, ` ${one.name}`)) : null,
        h('button', { type: 'button', class: 'quiet', on: { click: () => probe({ installed: one.id }) } }, icon('reload'), 'Look for an update'),
        one.kind !== 'web-app' && one.walled
          ? act('Trust', `${one.name} runs in the app`, () => sure(`${one.name} would run in the app, with all that the app can do.`) && call('PUT', path(one.id, '/trust'), { trusted: true, revision: one.revision }))
          : null,
        one.trusted ? act('Put behind the wall', `${one.name} runs behind the wall`, () => call('PUT', path(one.id, '/trust'), { trusted: false })) : null,
        act('Uninstall', `${one.name} is gone`, () => sure(`${one.name} and what you approved for it would be removed.`) && call('DELETE', path(one.id))),
      ),
    )
  }

  /** The browser's own question: no page can draw over it or answer it. */
  function sure(text) {
    return globalThis.confirm(`${text}\n\nGo on?`)
  }

  async function refresh() {
    if (!visible) return
    try {
      const [{ packages }, { requests }] = await Promise.all([get('/v1/packages'), get('/v1/packages/requests')])
      waitingHead.hidden = !requests.length
      none.hidden = packages.length > 0
      // How long it still waits changes with every look, and changes nothing.
      keep(asked, requests.map((one) => ({ ...one, expires_in_s: 0 })), askedCard)
      keep(list, packages, packageCard)
    } catch (error) {
      complain(error.message)
    }
  }

  let waiting = 0
  function soon() {
    if (!visible || waiting) return
    waiting = setTimeout(() => {
      waiting = 0
      refresh()
    }, 200)
  }
  for (const topic of ['rows', 'apps', 'requests', 'connection']) store.on(topic, soon)

  return {
    element,
    show([link]) {
      visible = true
      if (link) bring(link)
      refresh()
    },
    hide() {
      visible = false
    },
  }
}
