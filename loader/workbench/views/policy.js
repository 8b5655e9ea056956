// What plugins may do to the host and what they tried: the pet as it would show, rates, actions, refusals.

import { announce, dot, fill, h, say } from '/workbench/dom.js'
import { notice } from '/workbench/doing.js'
import { call, get } from '/workbench/session.js'
import { previewDemo } from '/workbench/views/preview_demo.js'

const CORE = [
  ['idle', 'Idle'],
  ['waiting', 'Waits for the user'],
  ['error', 'Error'],
]
const CORE_LINE = { waiting: 'Hermes waits for your answer', error: 'Something went wrong in this turn' }
const VERDICT = { ok: ['allowed', 'good'], denied: ['denied', 'bad'], unavailable: ['no window', ''] }

export function policyView({ store }) {
  let visible = false
  let timer = 0
  let audit = []
  let windows = []
  let words = ''
  let drawnLines = ''

  const bubble = h('div', { class: 'bubble', role: 'log', 'aria-label': 'Pet bubble' })
  const core = h(
    'div',
    { class: 'segments', role: 'group', 'aria-label': 'Core status' },
    CORE.map(([value, title]) =>
      h(
        'button',
        { type: 'button', data: { core: value }, on: { click: () => setPet({ core_status: value }) } },
        title,
      ),
    ),
  )
  const shows = h(
    'button',
    {
      type: 'button',
      role: 'switch',
      class: 'switch',
      'aria-label': 'The pet is visible',
      on: { click: () => setPet({ visible: !store.pet.visible }) },
    },
    h('span', { class: 'knob' }),
  )
  const gauges = h('div', { class: 'stack tight' })
  const filter = h('input', {
    type: 'search',
    placeholder: 'Filter actions',
    'aria-label': 'Filter actions',
    on: {
      input: () => {
        words = filter.value.toLowerCase()
        drawActions()
      },
    },
  })
  const actions = h('tbody')
  const refused = h('tbody')
  const calm = h('p', { class: 'empty' }, 'No plugin has asked for anything yet.')
  const refusals = h(
    'table',
    { class: 'audit', 'aria-label': 'Who asked for what' },
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        ['Plugin', 'Asked', 'For', 'Times', 'Refused', 'Outcomes'].map((title) => h('th', { scope: 'col' }, title)),
      ),
    ),
    refused,
  )
  const element = h(
    'div',
    { class: 'page policy' },
    h('div', { class: 'page-head' }, h('h1', {}, 'Policy')),
    h(
      'div',
      { class: 'policy-grid' },
      h(
        'section',
        { class: 'card pad', 'aria-label': 'Pet' },
        h(
          'div',
          { class: 'row' },
          h('h2', {}, 'The pet'),
          h('span', { class: 'push' }),
          h('label', { class: 'row faint' }, 'visible', shows),
        ),
        h('div', { class: 'stage' }, bubble, h('div', { class: 'pet', 'aria-hidden': 'true' }, h('i'), h('i'))),
        h('div', { class: 'row' }, h('span', { class: 'faint' }, 'Core status'), core),
        h(
          'p',
          { class: 'faint small' },
          'This switch speaks for the app: what you set here counts until an app window says otherwise.',
        ),
      ),
      h(
        'section',
        { class: 'card pad', 'aria-label': 'Rates' },
        h('h2', {}, 'Calls of pet.say in the last 10 seconds'),
        gauges,
      ),
      h(
        'section',
        { class: 'card wide', 'aria-label': 'Requests' },
        h('h2', { class: 'pad-head' }, 'Who asked for what'),
        h('div', { class: 'scroll-x', role: 'group', tabindex: '0', 'aria-label': 'Who asked for what' }, refusals),
        calm,
      ),
      h(
        'section',
        { class: 'card wide', 'aria-label': 'Actions' },
        h('div', { class: 'row pad-head' }, h('h2', {}, 'Actions of the app'), h('span', { class: 'push' }), filter),
        h(
          'div',
          { class: 'scroll-x', role: 'group', tabindex: '0', 'aria-label': 'Actions of the app' },
          h(
            'table',
            { class: 'actions', 'aria-label': 'Actions' },
            h(
              'thead',
              {},
              h(
                'tr',
                {},
                ['Action', 'Label', 'Category', 'For plugins', 'Refused to'].map((title) =>
                  h('th', { scope: 'col' }, title),
                ),
              ),
            ),
            actions,
          ),
        ),
      ),
      previewDemo(),
    ),
  )

  async function setPet(change) {
    try {
      store.pet = await call('PUT', '/v1/pet', change)
      store.petToldAt = Date.now()
      announce('Set')
      drawPet()
    } catch (error) {
      notice(error.message)
    }
  }

  function drawPet() {
    const { pet } = store
    shows.setAttribute('aria-checked', String(pet.visible))
    for (const button of core.children)
      button.setAttribute('aria-pressed', String(button.dataset.core === pet.core_status))
    element.querySelector('.pet').dataset.mood = pet.visible ? pet.core_status : 'away'
    const passed = Date.now() - store.petToldAt
    const lines = pet.lines.filter((line) => line.expires_in_ms > passed)
    const told = JSON.stringify([
      pet.visible,
      pet.core_status,
      lines.map(({ plugin, id, text, tone }) => [plugin, id, text, tone]),
    ])
    if (told === drawnLines) return
    drawnLines = told
    if (!pet.visible) fill(bubble, h('p', { class: 'faint' }, 'No pet shows, so no line does.'))
    else if (CORE_LINE[pet.core_status])
      fill(
        bubble,
        h('p', { class: 'core', data: { tone: pet.core_status } }, CORE_LINE[pet.core_status]),
        h('p', { class: 'faint small' }, "The core's own status wins; plugin lines come back afterwards."),
      )
    else if (!lines.length) fill(bubble, h('p', { class: 'faint' }, 'Nothing to say.'))
    else
      fill(
        bubble,
        lines.map((line) =>
          h(
            'p',
            { class: 'line', data: { tone: line.tone } },
            dot(line.plugin),
            h('b', { class: 'name' }, line.label),
            h('bdi', {}, line.text),
          ),
        ),
      )
  }

  function drawGauges() {
    fill(
      gauges,
      windows.map((each) =>
        h(
          'div',
          { class: 'gauge' },
          h('span', { class: 'row' }, dot(each.plugin), h('bdi', {}, each.plugin)),
          h('meter', {
            min: 0,
            max: each.calls_limit,
            high: each.calls_limit - 2,
            optimum: 0,
            value: each.calls,
            'aria-label': `${each.plugin}: ${each.calls} of ${each.calls_limit} calls`,
          }),
          h('span', { class: 'mono' }, `${each.calls} of ${each.calls_limit}`),
          h('span', { class: 'faint' }, `${each.lines} of ${each.lines_limit} lines`),
        ),
      ),
      windows.length
        ? null
        : h(
            'p',
            { class: 'empty' },
            'Nobody has called lately. A plugin may call 10 times in any 10 seconds and show 3 lines.',
          ),
    )
  }

  function drawAudit() {
    calm.hidden = audit.length > 0
    refusals.hidden = audit.length === 0
    const sorted = [...audit].sort((a, b) => b.refused - a.refused || a.plugin.localeCompare(b.plugin))
    fill(
      refused,
      sorted.map((row) =>
        h(
          'tr',
          {},
          h('td', {}, h('span', { class: 'row' }, dot(row.plugin), h('bdi', {}, row.plugin))),
          h('td', { class: 'mono' }, row.kind),
          h('td', { class: 'mono' }, row.what),
          h('td', {}, row.asked),
          h('td', {}, row.refused ? h('span', { class: 'tag', data: { tone: 'bad' } }, row.refused) : '0'),
          h(
            'td',
            { class: 'faint' },
            Object.entries(row.outcomes)
              .map(([outcome, times]) => `${outcome} ${times}`)
              .join(', '),
          ),
        ),
      ),
    )
  }

  function drawActions() {
    const refusedTo = (id) => audit.filter((row) => row.kind === 'runAction' && row.what === id && row.refused)
    const shown = store.actions.filter((action) =>
      `${action.id} ${action.label} ${action.category}`.toLowerCase().includes(words),
    )
    fill(
      actions,
      shown.map((action) => {
        const [word, tone] = VERDICT[action.verdict] ?? [action.verdict, '']
        return h(
          'tr',
          {},
          h('td', { class: 'mono' }, action.id),
          h('td', {}, action.label),
          h('td', { class: 'faint' }, action.category),
          h('td', {}, h('span', { class: 'tag', data: { tone } }, word)),
          h(
            'td',
            { class: 'faint' },
            refusedTo(action.id)
              .map((row) => `${row.plugin} (${row.refused})`)
              .join(', '),
          ),
        )
      }),
    )
  }

  async function load() {
    try {
      const [told, rates, pet] = await Promise.all([get('/v1/policy/audit'), get('/v1/policy/windows'), get('/v1/pet')])
      const changed = JSON.stringify(told.rows) !== JSON.stringify(audit)
      audit = told.rows
      if (JSON.stringify(rates.windows) !== JSON.stringify(windows) || !gauges.childNodes.length) {
        windows = rates.windows
        drawGauges()
      }
      store.pet = pet
      store.petToldAt = Date.now()
      drawPet()
      if (changed || !actions.childNodes.length) {
        drawAudit()
        drawActions()
      }
    } catch {
      // The connection's own light says that the service is away; what was known stays.
    }
  }

  store.on('policy', () => {
    if (!visible) return
    drawPet()
    drawActions()
  })
  return {
    element,
    show() {
      visible = true
      drawPet()
      drawGauges()
      drawAudit()
      drawActions()
      load()
      clearInterval(timer)
      // Rates fall as time passes, and passing time is no event.
      timer = setInterval(() => document.visibilityState === 'visible' && load(), 1500)
    },
    hide() {
      visible = false
      clearInterval(timer)
    },
  }
}
