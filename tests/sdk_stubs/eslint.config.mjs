// The few rules that find faults in the stubs and the examples; style is read by people.

import { readFileSync } from 'node:fs'

const known = JSON.parse(readFileSync(new URL('../../sdk_stubs/browser_globals.json', import.meta.url), 'utf8'))
const globals = Object.fromEntries([...known.browser, ...known.language].map((name) => [name, 'readonly']))

export default [
  {
    languageOptions: { ecmaVersion: 2026, sourceType: 'module', globals },
    linterOptions: { reportUnusedDisableDirectives: true },
    rules: {
      'constructor-super': 'error',
      eqeqeq: 'error',
      'no-const-assign': 'error',
      'no-dupe-class-members': 'error',
      'no-dupe-keys': 'error',
      'no-fallthrough': 'error',
      'no-redeclare': 'error',
      'no-self-assign': 'error',
      'no-this-before-super': 'error',
      'no-undef': 'error',
      'no-unreachable': 'error',
      'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrors: 'none', ignoreRestSiblings: true }],
      'no-useless-escape': 'error',
      'no-var': 'error',
      'prefer-const': 'error',
    },
  },
]
