// Prints, for each component, the markup of real React and of the stub: {name: [real, ours]} as one line of JSON.

import './resolve.mjs'
import { createRequire } from 'node:module'
import { components } from './components.mjs'

// React's warnings about odd props are no part of the markup.
console.error = () => {}
const require = createRequire(new URL('../peers/package.json', import.meta.url))
const real = { React: require('react'), ...require('react/jsx-runtime') }
const { renderToStaticMarkup } = require('react-dom/server')
const stub = { React: await import('@@react'), ...(await import('@@jsx-runtime')) }
const { createRoot } = await import('@@render')

// Ids are unique in both, in different letters: only where the same one stands is compared.
const plainIds = (markup) => {
  const known = new Map()
  return markup.replace(/_[rR]_[0-9a-z]*_/g, (id) => known.get(id) ?? known.set(id, `#${known.size}`).get(id))
}
const names = (module) => Object.keys(module).filter((name) => name !== 'default' && name !== 'module.exports').sort()
const result = { markup: {}, names: { react: [names(real.React), names(stub.React)], jsx: [names(require('react/jsx-runtime')), names(await import('@@jsx-runtime')).filter((name) => name !== 'jsxDEV')] } }
for (const [name, build] of Object.entries(components)) {
  const root = createRoot(build(stub))
  const ours = root.error ? `ERROR ${root.error.value?.stack}` : root.markup()
  result.markup[name] = [plainIds(renderToStaticMarkup(build(real))), plainIds(ours)]
}
process.stdout.write(`${JSON.stringify(result)}\n`)
process.exit(0)
