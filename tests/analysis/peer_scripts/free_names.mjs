// Usage: free_names.mjs PEERS; reads a JSON list of files from stdin and answers, for each, the places that ESLint's
// no-undef reports when it is told of no globals at all: [name, line, column].
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'

const require = createRequire(`${process.argv[2]}/package.json`)
const { Linter } = require('eslint')
const globals = require('globals')

const off = Object.fromEntries(Object.keys(globals.builtin).map((name) => [name, 'off']))
const linter = new Linter()
const config = [
  {
    languageOptions: { ecmaVersion: 'latest', sourceType: 'module', globals: off },
    linterOptions: { noInlineConfig: true },
    rules: { 'no-undef': 'error' }
  }
]
const answers = JSON.parse(readFileSync(0, 'utf8')).map((file) =>
  linter
    .verify(readFileSync(file, 'utf8'), config)
    .map((one) => [one.fatal ? `fatal: ${one.message}` : /^'(.*)' is not defined/.exec(one.message)?.[1], one.line, one.column])
)
process.stdout.write(JSON.stringify(answers))
