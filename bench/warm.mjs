// The same texts through what other tools use, warm, in one process: node warm.mjs ROUNDS BUDGET_MS FILE…  Prints JSON.
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import * as acorn from 'acorn'
import { init, parse as lex } from 'es-module-lexer'
import { parseSync } from 'oxc-parser'
import { Linter } from 'eslint'
import config from './eslint.config.mjs'

await init
const linter = new Linter()
// What reviewers grep for: the cheapest thing that is still called a check.
const PATTERNS = [/\beval\s*\(/g, /\bimport\s*\(/g, /from\s*['"](?!@hermes\/plugin-sdk['"]|react['"]|react\/jsx-runtime['"])/g, /innerHTML/g]
const TOOLS = {
  'es-module-lexer': text => lex(text),
  'a pattern lint': text => PATTERNS.map(pattern => [...text.matchAll(pattern)].length),
  'oxc-parser': text => { const r = parseSync('plugin.js', text); return r.module },
  acorn: text => acorn.parse(text, { ecmaVersion: 'latest', sourceType: 'module', locations: true }),
  eslint: text => linter.verify(text, config, { filename: 'plugin.js' }),
}
const [rounds, budget] = process.argv.slice(2, 4).map(Number)
const answer = {}
for (const file of process.argv.slice(4)) {
  const text = readFileSync(file, 'utf8')
  answer[file] = {}
  for (const [name, work] of Object.entries(TOOLS)) {
    for (let i = 0; i < (text.length > 200_000 ? 2 : 5); i++) work(text)
    const times = []
    const ends = performance.now() + budget
    while (times.length < rounds && (times.length < 5 || performance.now() < ends)) {
      const began = performance.now()
      work(text)
      times.push(performance.now() - began)
    }
    answer[file][name] = times
  }
}
process.stdout.write(JSON.stringify(answer))
