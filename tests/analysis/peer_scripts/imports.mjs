// Usage: imports.mjs PEERS; reads a JSON list of files from stdin and answers, for each, what acorn and
// es-module-lexer take for its imports: acorn [start, end, specifier, kind], the lexer [specifier, kind].
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { importsOf } from './acorn_imports.mjs'

const require = createRequire(`${process.argv[2]}/package.json`)
const acorn = require('acorn')
const lexer = await import(pathToFileURL(require.resolve('es-module-lexer')))
await lexer.init

function withLexer(code) {
  const [imports] = lexer.parse(code)
  return imports
    .filter((one) => one.type !== 'import-meta')
    .map((one) => [one.glob ? null : (one.specifier ?? null), one.type === 'dynamic' ? 'dynamic' : 'static'])
}

const answers = JSON.parse(readFileSync(0, 'utf8')).map((file) => {
  const code = readFileSync(file, 'utf8')
  return { acorn: importsOf(acorn, code), lexer: withLexer(code) }
})
process.stdout.write(JSON.stringify(answers))
