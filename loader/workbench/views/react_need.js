// Plugins in the page run with real React. Where there is none: what would be fetched, from where, and a person's yes.

import { announce, fill, h, say, size } from '/workbench/dom.js'
import { call, get } from '/workbench/session.js'

/** `met()`: whether there is React; where there is none, `element` asks. `onReady` is called once it was fetched. */
export function reactNeed({ onReady }) {
  const element = h('div', { class: 'react-need', hidden: true })
  let ready = false

  async function met() {
    if (ready) return true
    try {
      const told = await get('/v1/react')
      ready = told.ready
      if (!ready) ask(told)
    } catch (error) {
      fill(element, h('p', { class: 'note', data: { tone: 'bad' }, role: 'alert' }, error.message))
    }
    element.hidden = ready
    return ready
  }

  function ask(told) {
    const trouble = h('p', { class: 'note', data: { tone: 'bad' }, role: 'alert', hidden: true })
    const words = h('span', {}, `Fetch React ${told.version}`)
    const button = h('button', { type: 'button', class: 'primary' }, words)
    button.addEventListener('click', async () => {
      button.disabled = true
      trouble.hidden = true
      say(words, 'Fetching…')
      try {
        ready = (await call('POST', '/v1/react', { registry: told.registry })).ready
        element.hidden = ready
        announce('React is here')
        onReady()
      } catch (error) {
        say(trouble, error.message)
        trouble.hidden = false
        button.disabled = false
        say(words, `Fetch React ${told.version}`)
      }
    })
    fill(
      element,
      h(
        'div',
        { class: 'note' },
        h('p', {}, 'It needs React, which is not part of this service. If you agree it is fetched once, compared with the hashes below before anything is unpacked, and kept for this home:'),
        h(
          'ul',
          { class: 'findings-list' },
          told.packages.map((one) =>
            h(
              'li',
              {},
              `${one.name} ${one.version} (${size(one.bytes)}) from `,
              h('bdi', { class: 'mono' }, one.url),
              h('br'),
              h('span', { class: 'faint mono' }, one.integrity),
            ),
          ),
        ),
        told.why && h('p', {}, told.why),
        told.registry && h('div', { class: 'row' }, button),
        trouble,
        h('p', { class: 'soft' }, 'Or start the service with ', h('code', {}, '--react-dir FOLDER'), ', where npm has installed react and react-dom.'),
      ),
    )
  }

  return { element, met }
}
