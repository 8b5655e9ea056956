// Starts `hermes-desktop lsp` for JavaScript; the server itself leaves files alone that are no plugins.
const { workspace } = require('vscode')
const { LanguageClient } = require('vscode-languageclient/node')

let client

exports.activate = () => {
  const settings = workspace.getConfiguration('hermesDesktop')
  const args = settings.get('rehearse') ? ['lsp'] : ['lsp', '--no-rehearse']
  client = new LanguageClient(
    'hermesDesktop',
    'Hermes Desktop plugins',
    { command: settings.get('command'), args },
    { documentSelector: [{ language: 'javascript' }] },
  )
  return client.start()
}

exports.deactivate = () => client?.stop()
