// A small shell that ships host-policy.js and talks to a real service. It is told what to do, one JSON line at a time,
// and answers each with one: `{do: name, …}` → the value.
import { createInterface } from 'node:readline'

import { connectSocket, createHostPolicy, putPet } from '../../sdk_stubs/host-policy.js'

const [url, token] = process.argv.slice(2)
const said = []
const ran = []
const seen = []
const contexts = new Map()
const disposers = new Map()
const policy = createHostPolicy({
  handlers: {
    'view.showBrowser': () => ran.push('view.showBrowser'),
    'nav.settings': () => ({ ok: false, error: 'locked' }),
    'session.archive': () => ran.push('session.archive'),
  },
  console: { warn: (text) => said.push(text) },
  reportPet: putPet(url, token),
})
policy.lines.listen((rows) => seen.push(rows.map((row) => row.text)))

function load({ row, plugin_token: key }) {
  contexts.get(row.id)?.dispose()
  contexts.set(row.id, policy.forPlugin({ id: row.id, token: key }))
}

const socket = new WebSocket(url.replace('http', 'ws') + '/v1/events', ['hermes-plugins.v1', `bearer.${token}`])
const link = connectSocket(policy, socket, { version: '1.0', focused: true }, (method, params) => {
  if (method === 'hello') for (const plugin of params.plugins ?? []) if (plugin.plugin_token) load(plugin)
  if (method === 'plugin/load') load(params)
  if (method === 'plugin/unload') contexts.get(params.id)?.dispose()
})

const until = async (condition) => {
  for (let tries = 0; !condition(); tries += 1) {
    if (tries > 2000) throw new Error(`never: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const commands = {
  mounted: async () => (await link.mounted).actions.length,
  run: ({ plugin, action }) => contexts.get(plugin).ctx.runAction(action),
  // The tick counts: what the handler did must be there when the call returns.
  runAndLook: ({ plugin, action }) => [contexts.get(plugin).ctx.runAction(action), [...ran]],
  list: ({ plugin }) => contexts.get(plugin).ctx.listActions(),
  say: ({ plugin, text, options, as }) => void disposers.set(as, contexts.get(plugin).ctx.pet.say(text, options)),
  dispose: ({ as }) => void disposers.get(as)(),
  clear: ({ plugin, id }) => void contexts.get(plugin).ctx.pet.clear(id),
  visible: ({ plugin }) => contexts.get(plugin).ctx.pet.visible.get(),
  setPet: ({ state }) => void policy.setPet(state),
  // Answers come in order: when this one is here, those before it are.
  settle: () => link.request('ping'),
  untilLines: async ({ texts }) => (await until(() => JSON.stringify(seen.at(-1)) === JSON.stringify(texts)), seen.length),
  untilLoaded: async ({ plugin }) => until(() => contexts.has(plugin)),
  untilAway: async () => until(() => socket.readyState === WebSocket.CLOSED),
  said: () => said.splice(0),
  ran: () => ran,
}

for await (const text of createInterface({ input: process.stdin })) {
  const command = JSON.parse(text)
  const value = await commands[command.do](command)
  process.stdout.write(`${JSON.stringify(value ?? null)}\n`)
}
process.exit(0)
