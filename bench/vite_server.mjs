// Vite's dev server on a folder: node vite_server.mjs ROOT. Says its port and socket token, then serves until it is ended.
import { createServer } from 'vite'

const server = await createServer({
  root: process.argv[2],
  configFile: false,
  logLevel: 'silent',
  cacheDir: process.argv[2] + '/.vite',
  optimizeDeps: { noDiscovery: true },
  resolve: {
    alias: [
      { find: '@hermes/plugin-sdk', replacement: '/stub.js' },
      { find: 'react/jsx-runtime', replacement: '/stub.js' },
      { find: /^react$/, replacement: '/stub.js' },
    ],
  },
  server: { port: 0, host: '127.0.0.1' },
})
await server.listen()
const { port } = server.httpServer.address()
console.log(JSON.stringify({ port, token: server.config.webSocketToken ?? '' }))
process.stdin.on('end', () => process.exit(0)).resume()
