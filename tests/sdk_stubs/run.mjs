// Runs one test module and prints its results as one line of JSON.

import './resolve.mjs'

const { run } = await import('@@test')
await import(new URL(process.argv[2], `file://${process.cwd()}/`).href)
const results = await run()
process.stdout.write(`${JSON.stringify(results)}\n`)
process.exit(0)
