// A session as VS Code's own protocol library holds it. Arguments: peers, the command as JSON, the document's path.
// Prints what it was told as JSON; exits with the server's code.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const [peers, command, path] = process.argv.slice(2)
const protocol = createRequire(`${peers}/package.json`)('vscode-languageserver-protocol/node')
const [program, ...args] = JSON.parse(command)
const server = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
const ended = new Promise(done => server.on('exit', done))
const connection = protocol.createProtocolConnection(
  new protocol.StreamMessageReader(server.stdout),
  new protocol.StreamMessageWriter(server.stdin),
)
connection.onError(([error]) => {
  throw error
})

const waiting = new Map()
const versions = []
connection.onNotification(protocol.PublishDiagnosticsNotification.type, told => {
  versions.push(told.version)
  waiting.get(told.version)?.(told.diagnostics)
  waiting.delete(told.version)
})
const diagnostics = version => new Promise(done => waiting.set(version, done))

connection.listen()
const { capabilities } = await connection.sendRequest(protocol.InitializeRequest.type, {
  processId: process.pid,
  rootUri: null,
  workspaceFolders: null,
  capabilities: { general: { positionEncodings: ['utf-16'] } },
})
await connection.sendNotification(protocol.InitializedNotification.type, {})

const uri = pathToFileURL(path).href
const text = readFileSync(path, 'utf8')
const opened = diagnostics(1)
await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, {
  textDocument: { uri, languageId: 'javascript', version: 1, text },
})
const found = await opened
const range = found[0].range
const actions = await connection.sendRequest(protocol.CodeActionRequest.type, {
  textDocument: { uri },
  range,
  context: { diagnostics: found, triggerKind: protocol.CodeActionTriggerKind.Invoked },
})
const hover = await connection.sendRequest(protocol.HoverRequest.type, { textDocument: { uri }, position: range.start })
const completion = await connection.sendRequest(protocol.CompletionRequest.type, { textDocument: { uri }, position: range.start })

// Ten keys in a row: the last text is what counts.
const last = diagnostics(12)
for (let version = 3; version <= 12; version++) {
  await connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version },
    contentChanges: [{ text: text + '/'.repeat(version) }],
  })
}
const typed = await last

await connection.sendRequest(protocol.ShutdownRequest.type)
await connection.sendNotification(protocol.ExitNotification.type)
const code = await ended
const offered = completion.items.map(item => item.label)
console.log(JSON.stringify({ capabilities, found, actions, hover, offered, typed, versions }))
process.exit(code)
