// @ts-check
// The bridge of a walled plugin, used as it should be; a line with a mistake ends in the code that tsc gives for it.
const api = window.meithPlugin

api.identity // TS18048
if (api) {
  /** @type {string} */
  const id = api.identity.pluginId
  api.identity.apis.push('ai') // TS2339
  api.tools.list() // TS18048
  api.tools?.list().then((tools) => tools.map(({ name, capability }) => `${name}: ${capability}`))
  api.tools?.call('read_page', { tab: id }).then((result) => {
    result.data // TS2339
    if (result.ok) return result.data
    if (result.error.code === 'PERMISSION_DENIED') return result.error.message
    return result.error.code === 'REFUSED' // TS2367
  })
  api.storage?.getBrowserTabs().then((tabs) => tabs.map((tab) => tab.title?.trim() ?? tab.id))
  api.storage?.set('a', 1) // TS2339
  api.cdp?.send('1', 'Page.reload', { ignoreCache: true }).then((result) => result.ok)
  let cancel = () => {}
  api.ai
    ?.streamText({ prompt: 'hi', onText: (delta) => delta.length, onStart: (controls) => (cancel = controls.cancel) })
    .then(({ text }) => text.length)
  api.ai?.streamText({ text: 'hi' }) // TS2353
  addEventListener('meithplugin:closed', () => cancel())
}
