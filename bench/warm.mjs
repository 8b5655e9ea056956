// The same texts through what other tools use, warm, in one process. Prints the tools' names, then milliseconds a line.
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
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
// One turn for each line {"file": …, "tool": …}: the caller takes turns with its own work, so that both meet the same machine.
const texts = new Map()
process.stdout.write(JSON.stringify(Object.keys(TOOLS)) + '\n')
for await (const line of createInterface({ input: process.stdin })) {
  const { file, tool } = JSON.parse(line)
  if (!texts.has(file)) texts.set(file, readFileSync(file, 'utf8'))
  const text = texts.get(file)
  const began = performance.now()
  TOOLS[tool](text)
  process.stdout.write(performance.now() - began + '\n')
}
