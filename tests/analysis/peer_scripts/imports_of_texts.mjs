// Usage: imports_of_texts.mjs PEERS; reads a JSON list of texts from stdin and answers, for each, acorn's imports, or null
// where acorn refuses the text.
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { importsOf } from './acorn_imports.mjs'

const acorn = createRequire(`${process.argv[2]}/package.json`)('acorn')

const answers = JSON.parse(readFileSync(0, 'utf8')).map((code) => {
  try {
    return importsOf(acorn, code)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
})
process.stdout.write(JSON.stringify(answers))
