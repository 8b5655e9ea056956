// @ts-check
// A button in the title bar that runs one of the app's own actions.
import { Codicon, TITLEBAR_AREAS, host } from '@hermes/plugin-sdk'
import { jsx } from 'react/jsx-runtime'

const ACTION = 'view.showBrowser'

/** @type {import('@hermes/plugin-sdk').HermesPlugin} */
const plugin = {
  id: 'browser-toggle',
  name: 'Browser toggle',
  description: 'A title bar button that shows or hides the browser pane.',

  register(ctx) {
    // Older builds of the app cannot run actions for plugins. Without them the button would do nothing, so there is none.
    if (typeof ctx.runAction !== 'function') return

    const toggle = () => {
      // A refusal is an answer, not an exception: say it, the user pressed a button and expects something.
      const result = ctx.runAction?.(ACTION)
      if (result && !result.ok) host.notify({ kind: 'warning', message: result.error })
    }

    ctx.register({
      id: 'button',
      area: TITLEBAR_AREAS.right,
      data: {
        id: 'browser-toggle:button',
        label: 'Toggle browser',
        icon: jsx(Codicon, { name: 'globe' }),
        onSelect: toggle,
      },
    })
  },
}

export default plugin
