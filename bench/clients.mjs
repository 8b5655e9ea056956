// Many clients of the service: node clients.mjs URL TOKEN COUNT. For each plugin/load a line with the monotonic times
// (nanoseconds) at which each client had it.
import WebSocket from 'ws'

const [url, token, count] = process.argv.slice(2)
const seen = new Map()
let open = 0
for (let i = 0; i < Number(count); i++) {
  const socket = new WebSocket(url, ['hermes-plugins.v1', 'bearer.' + token], { perMessageDeflate: false })
  socket.on('error', error => { console.error(error); process.exit(3) })
  socket.on('message', data => {
    const now = process.hrtime.bigint()
    const text = data.toString('latin1')
    if (text.includes('"method":"hello"')) { if (++open === Number(count)) process.stdout.write('ready\n') }
    if (!text.includes('"method":"plugin/load"')) return
    const seq = /"seq":(\d+)/.exec(text)[1]
    const times = seen.get(seq) ?? []
    seen.set(seq, times)
    times.push(String(now))
    if (times.length === Number(count)) { seen.delete(seq); process.stdout.write(times.join(' ') + '\n') }
  })
}
process.stdin.on('end', () => process.exit(0)).resume()
