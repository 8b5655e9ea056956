// Lets Node load the stubs as the sandbox does: `@@name` is sdk_stubs/name.js, `@@host` and `@@test` are the tests' own.

import { registerHooks } from 'node:module'

const stubs = new URL('../../sdk_stubs/', import.meta.url)
const own = { '@@host': './fake-host.js', '@@test': './kit.js', '@@react-kit': './react-kit.js' }
const faces = { react: '@@react', 'react/jsx-runtime': '@@jsx-runtime', '@hermes/plugin-sdk': '@@sdk' }

registerHooks({
  resolve(specifier, context, next) {
    const name = process.env.STUB_FACES === '1' ? (faces[specifier] ?? specifier) : specifier
    if (own[name]) return { url: new URL(own[name], import.meta.url).href, format: 'module', shortCircuit: true }
    if (!name.startsWith('@@')) return next(specifier, context)
    const file = name === '@@sdk' ? 'plugin-sdk' : name.slice(2)
    return { url: new URL(`${file}.js`, stubs).href, format: 'module', shortCircuit: true }
  },
})
