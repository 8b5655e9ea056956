// The team board's desktop half, without its pictures: ctx.rest and ctx.socket against the real service.
import { createHostBackend } from '../../sdk_stubs/host-backend.js'

const [, , url, token] = process.argv
const { ctx, dispose } = createHostBackend({ url }).forPlugin({ id: 'team-board', token })
const heard = []
let tell
const end = ctx.socket('/events', (data) => {
  heard.push(data)
  tell?.()
})
const event = () => new Promise((resolve) => (tell = resolve))

const empty = await ctx.rest('/cards')
const added = await ctx.rest('/cards', { method: 'POST', body: { title: 'one' } })
// The socket connects when it can; a change after that is heard.
while (heard.length === 0) {
  const told = Promise.race([event(), new Promise((resolve) => setTimeout(resolve, 200))])
  await ctx.rest(`/cards/${added.id}/done?done=true`, { method: 'PUT' })
  await told
}
const bytes = new TextEncoder().encode('two\nthree\n')
const imported = await ctx.rest('/import', { upload: { filename: 'cards.txt', contentType: 'text/plain', bytes } })
const missing = await ctx.rest('/cards/999/done', { method: 'PUT' }).catch((error) => [error.status, error.message, error.type])
const foreign = await createHostBackend({ url })
  .forPlugin({ id: 'other', token })
  .ctx.rest('/cards')
  .catch((error) => [error.status, error.type])
end()
dispose()
process.stdout.write(JSON.stringify({ empty, added, imported, missing, foreign, heard: heard[0] }))
