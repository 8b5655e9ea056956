// Vite's dev server on a folder: node vite_server.mjs ROOT [lint]. Says its port and socket token, then serves until it is
// ended. With `lint` a module is served when ESLint has passed it, as with the usual plugin; of our findings it has two.
import { Linter } from 'eslint'
import { createServer } from 'vite'
import config from './eslint.config.mjs'

const linter = new Linter()
const lint = {
  name: 'lint',
  enforce: 'pre',
  transform(code, id) {
    if (!id.split('?')[0].endsWith('/plugin.js')) return
    const found = linter.verify(code, config, { filename: 'plugin.js' })
    if (found.some(one => one.severity === 2)) this.error(found[0].message)
  },
}

const server = await createServer({
  root: process.argv[2],
  configFile: false,
  logLevel: 'silent',
  cacheDir: process.argv[2] + '/.vite',
  optimizeDeps: { noDiscovery: true },
  plugins: process.argv[3] === 'lint' ? [lint] : [],
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
