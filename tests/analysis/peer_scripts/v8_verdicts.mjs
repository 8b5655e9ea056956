// Reads a JSON list of texts from stdin; answers, for each, null or V8's message when it is compiled as a module.
import vm from 'node:vm'
import { readFileSync } from 'node:fs'

const texts = JSON.parse(readFileSync(0, 'utf8'))
const verdicts = texts.map((text) => {
  try {
    new vm.SourceTextModule(text)
    return null
  } catch (error) {
    return String(error.message)
  }
})
process.stdout.write(JSON.stringify(verdicts))
