// Usage: imports.mjs PEERS; reads a JSON list of files from stdin and answers, for each, what acorn and
// es-module-lexer take for its imports: acorn [start, end, specifier, kind], the lexer [specifier, kind].
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const require = createRequire(`${process.argv[2]}/package.json`)
const acorn = require('acorn')
const lexer = await import(pathToFileURL(require.resolve('es-module-lexer')))
await lexer.init

function withAcorn(code) {
  const found = []
  const waiting = [acorn.parse(code, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true })]
  while (waiting.length) {
    const node = waiting.pop()
    if (Array.isArray(node)) {
      waiting.push(...node)
      continue
    }
    if (!node || typeof node !== 'object') continue
    const { source } = node
    if (node.type === 'ImportExpression') {
      let name = source.type === 'Literal' ? source.value : null
      if (source.type === 'TemplateLiteral' && !source.expressions.length) name = source.quasis[0].value.cooked
      found.push([source.start, source.end, name, 'dynamic'])
    } else if (source && typeof node.type === 'string' && /^(Import|Export)/.test(node.type)) {
      found.push([source.start, source.end, source.value, node.type === 'ImportDeclaration' ? 'static' : 'reexport'])
    }
    for (const key in node) if (node[key] && typeof node[key] === 'object') waiting.push(node[key])
  }
  return found.sort((a, b) => a[0] - b[0])
}

function withLexer(code) {
  const [imports] = lexer.parse(code)
  return imports
    .filter((one) => one.type !== 'import-meta')
    .map((one) => [one.glob ? null : (one.specifier ?? null), one.type === 'dynamic' ? 'dynamic' : 'static'])
}

const answers = JSON.parse(readFileSync(0, 'utf8')).map((file) => {
  const code = readFileSync(file, 'utf8')
  return { acorn: withAcorn(code), lexer: withLexer(code) }
})
process.stdout.write(JSON.stringify(answers))
