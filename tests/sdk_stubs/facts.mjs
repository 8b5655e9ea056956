// Prints what the stubs export, for comparison with the data files: one line of JSON.

import './resolve.mjs'

const sdk = await import('@@sdk')
const { listActions, PLUGIN_APP_ACTIONS, verdictOn } = await import('@@app-actions')
const { createContext } = await import('@@context')
const { browserGlobals } = await import('@@browser')

const at = (object, path) => path.split('.').reduce((inner, name) => inner?.[name], object)
const known = JSON.parse(process.argv[2])
const result = {
  exports: Object.keys(sdk).sort(),
  areas: Object.fromEntries(known.areas.map((path) => [path, at(sdk, path) ?? null])),
  missing: {
    host: known.host.filter((path) => at(sdk.host, path) === undefined),
    ctx: known.ctx.filter((path) => at(createContext('demo'), path) === undefined),
  },
  actions: listActions(),
  ids: PLUGIN_APP_ACTIONS,
  verdicts: Object.fromEntries(known.actions.map((id) => [id, verdictOn(id).reason ?? 'ok'])),
  globals: Object.keys(browserGlobals).sort(),
}
process.stdout.write(`${JSON.stringify(result)}\n`)
process.exit(0)
