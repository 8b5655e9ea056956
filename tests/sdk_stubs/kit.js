// A few words for tests that run in Node and in the sandbox engine alike.

const tests = []

export const test = (name, body) => void tests.push({ name, body })

/** Runs everything that was declared; → [{name, error}] with `error` null for what passed. */
export async function run() {
  const results = []
  for (const { name, body } of tests) {
    try {
      await body()
      results.push({ name, error: null })
    } catch (thrown) {
      results.push({ name, error: `${thrown?.message ?? thrown}\n${thrown?.stack ?? ''}` })
    }
  }
  return results
}

const show = (value) => {
  try {
    return typeof value === 'string' ? JSON.stringify(value) : typeof value === 'function' ? `function ${value.name}` : (JSON.stringify(value) ?? String(value))
  } catch {
    return String(value)
  }
}

export function equal(actual, expected, what = '') {
  if (!same(actual, expected)) throw new Error(`${what ? `${what}: ` : ''}got ${show(actual)}, wanted ${show(expected)}`)
}

export function ok(value, what = 'a true value was wanted') {
  if (!value) throw new Error(what)
}

export function throws(work, pattern) {
  let thrown
  let threw = false
  try {
    work()
  } catch (value) {
    threw = true
    thrown = value
  }
  if (!threw) throw new Error(`nothing was thrown, ${pattern} was wanted`)
  if (!pattern.test(String(thrown?.message ?? thrown))) throw new Error(`threw ${thrown?.message ?? thrown}, wanted ${pattern}`)
}

export async function rejects(promise, pattern) {
  let thrown
  let threw = false
  try {
    await promise
  } catch (value) {
    threw = true
    thrown = value
  }
  if (!threw) throw new Error(`nothing was rejected, ${pattern} was wanted`)
  if (!pattern.test(String(thrown?.message ?? thrown))) throw new Error(`rejected with ${thrown?.message ?? thrown}, wanted ${pattern}`)
}

function same(a, b) {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && same(a[name], b[name]))
}
