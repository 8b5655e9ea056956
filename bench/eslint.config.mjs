import globals from 'globals'

// The nearest thing to our check that is commonly run: undeclared names, and imports that the app does not have.
export default [
  {
    files: ['**/*.js'],
    languageOptions: { ecmaVersion: 'latest', sourceType: 'module', globals: globals.browser },
    rules: {
      'no-undef': 'error',
      'no-restricted-imports': [
        'error',
        { patterns: [{ regex: '^(?!(@hermes/plugin-sdk|react|react/jsx-runtime)$)', message: 'the app does not have it' }] },
      ],
    },
  },
]
