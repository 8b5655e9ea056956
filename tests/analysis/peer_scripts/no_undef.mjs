// Usage: no_undef.mjs PEERS; reads {"files": [path, …], "globals": [name, …]} from stdin and answers, for each file,
// what ESLint's no-undef reports when it knows these globals: [name, line], or null where ESLint cannot parse it.
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'

const require = createRequire(`${process.argv[2]}/package.json`)
const { Linter } = require('eslint')

const { files, globals } = JSON.parse(readFileSync(0, 'utf8'))
const linter = new Linter()
const config = [
  {
    languageOptions: {
      ecmaVersion: 'latest',
      sourceType: 'module',
      globals: Object.fromEntries(globals.map((name) => [name, 'readonly']))
    },
    linterOptions: { noInlineConfig: true },
    rules: { 'no-undef': 'error' }
  }
]
const answers = files.map((file) => {
  const messages = linter.verify(readFileSync(file, 'utf8'), config)
  if (messages.some((one) => one.fatal)) return null
  // Comments that would configure ESLint are reported too, under no rule.
  const found = messages.filter((one) => one.ruleId === 'no-undef')
  return found.map((one) => [/^'(.*)' is not defined/.exec(one.message)[1], one.line])
})
process.stdout.write(JSON.stringify(answers))
