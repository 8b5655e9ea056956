// What each contribution drew in the rehearsal, by area: as the app would (in a frame without powers) or as a wireframe.

import { fill, h } from '/workbench/dom.js'
import { previewFrame } from '/workbench/preview.js'
import { get, plugin } from '/workbench/session.js'
import { onTheme, themeNow } from '/workbench/theme.js'

const HEX = /^#[0-9a-f]{3,8}$/i

function swatches(colors, label) {
  const shown = Object.entries(colors ?? {})
    .filter(([, value]) => typeof value === 'string' && HEX.test(value))
    .slice(0, 40)
  return h(
    'div',
    { class: 'swatches', role: 'img', 'aria-label': `${label}: ${shown.length} colours` },
    shown.map(([name, value]) => h('span', { css: { '--swatch': value }, title: `${name} ${value}` })),
  )
}

function payloadOf(found) {
  const plain = Object.entries(found.payload ?? {}).filter(
    ([name, value]) => name !== 'icon' && name !== 'colors' && name !== 'darkColors' && value !== '[function]',
  )
  if (!plain.length) return null
  return h(
    'dl',
    { class: 'payload' },
    plain.map(([name, value]) => [
      h('dt', {}, name),
      h('dd', { class: 'mono' }, typeof value === 'string' ? value : JSON.stringify(value)),
    ]),
  )
}

export function previewTab({ key }) {
  let how = 'drawn'
  let theme = null
  let told = null
  const element = h('div', { class: 'stack' })
  const body = h('div', { class: 'stack' })
  const buttons = (name, choices, now, choose) =>
    h(
      'div',
      { class: 'segments', role: 'group', 'aria-label': name },
      choices.map(([value, words]) =>
        h(
          'button',
          { type: 'button', 'aria-pressed': String(now() === value), on: { click: () => choose(value) } },
          words,
        ),
      ),
    )

  function tools() {
    return h(
      'div',
      { class: 'row' },
      buttons(
        'How',
        [
          ['drawn', 'Drawn'],
          ['wireframe', 'Wireframe'],
        ],
        () => how,
        (value) => {
          how = value
          draw()
        },
      ),
      how === 'drawn'
        ? buttons(
            'Theme of the previews',
            [
              [null, 'As the page'],
              ['light', 'Light'],
              ['dark', 'Dark'],
              ['both', 'Both'],
            ],
            () => theme,
            (value) => {
              theme = value
              draw()
            },
          )
        : null,
    )
  }

  function look(found) {
    if (found.too_large) return h('p', { class: 'faint' }, 'What it drew is too large to be shown here.')
    if (found.area === 'themes')
      return h(
        'div',
        { class: 'stack tight' },
        swatches(found.payload?.colors, 'light'),
        swatches(found.payload?.darkColors, 'dark'),
      )
    if (found.html === null)
      return h('p', { class: 'faint' }, 'It draws nothing by itself: the app shows it from its data.')
    if (how === 'wireframe') return h('pre', { class: 'code wireframe', tabindex: '0' }, found.wireframe ?? '')
    const themes = theme === 'both' ? ['light', 'dark'] : [theme ?? themeNow()]
    return h(
      'div',
      { class: 'frames' },
      themes.map((each) =>
        previewFrame(found.html, { theme: each, area: found.area, title: `${found.scoped_id}, ${each}` }),
      ),
    )
  }

  function draw() {
    const played = told.rehearsal
    if (!played) {
      fill(
        element,
        h(
          'p',
          { class: 'empty' },
          'Nothing was rehearsed: the file is off limits, does not parse, or rehearsals are switched off.',
        ),
      )
      return
    }
    const areas = new Map()
    for (const found of played.contributions) areas.set(found.area, [...(areas.get(found.area) ?? []), found])
    if (!areas.size) fill(body, h('p', { class: 'empty' }, 'It contributes nothing that can be seen.'))
    else
      fill(
        body,
        [...areas].map(([area, found]) =>
          h(
            'section',
            {},
            h('h3', { class: 'mono' }, area),
            found.map((each) =>
              h(
                'article',
                { class: 'contribution' },
                h(
                  'div',
                  { class: 'row' },
                  h('b', { class: 'name' }, each.title ?? each.payload?.label ?? each.id),
                  h('span', { class: 'faint mono' }, each.scoped_id),
                  each.order === null ? null : h('span', { class: 'tag' }, `order ${each.order}`),
                ),
                look(each),
                payloadOf(each),
              ),
            ),
          ),
        ),
      )
    fill(element, tools(), body)
  }

  let last = null
  const off = onTheme(() => told && theme === null && draw())
  return {
    element,
    gone: off,
    async update(row) {
      if (told && last === row.revision) return
      told = await get(plugin(key, '/rehearsal'))
      last = row.revision
      draw()
    },
  }
}
