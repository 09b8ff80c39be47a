/** A client for the language server of TypeScript, which speaks the Language Server Protocol on its standard streams. */
import { spawn } from 'node:child_process'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import * as t from 'io-ts'
import { onMessages, positionAt } from './framed-messages.ts'

const compiler = fileURLToPath(new URL('../../../node_modules/typescript/bin/tsc', import.meta.url))

/** A connection to a language server that has opened a folder. */
export interface LanguageServer {
  /** Opens a file with the given text. Returns the messages of its errors. */
  readonly open: (file: URL, text: string) => Promise<ReadonlyArray<string>>
  /** Replaces the text of an open file. */
  readonly change: (file: URL, text: string) => void
  /** Returns the labels of the completions at an offset of the text. */
  readonly complete: (file: URL, text: string, offset: number) => Promise<ReadonlyArray<string>>
  /** Returns the code that an editor shows for the name at an offset of the text. */
  readonly hover: (file: URL, text: string, offset: number) => Promise<string>
  /** Returns where "go to definition" leads from an offset of the text. */
  readonly define: (
    file: URL,
    text: string,
    offset: number,
  ) => Promise<ReadonlyArray<SourcePosition>>
  /** Returns the positions of all occurrences of the name at an offset of the text that an editor would rename. */
  readonly rename: (
    file: URL,
    text: string,
    offset: number,
  ) => Promise<ReadonlyArray<SourcePosition>>
  /** Ends the process. */
  readonly stop: () => Promise<void>
}

/** A position in a source file. */
export interface SourcePosition {
  readonly file: URL
  /** The number of the line, starting with 0. */
  readonly line: number
  readonly character: number
}

const Message = t.intersection([
  t.partial({ id: t.union([t.number, t.string]), method: t.string }),
  t.partial({ params: t.unknown, result: t.unknown, error: t.type({ message: t.string }) }),
])
const ConfigurationRequest = t.type({ items: t.array(t.unknown) })
const Completions = t.type({ items: t.array(t.type({ label: t.string })) })
const Diagnostics = t.type({
  items: t.array(
    t.intersection([t.type({ message: t.string }), t.partial({ severity: t.number })]),
  ),
})
const Range = t.type({ start: t.type({ line: t.number, character: t.number }) })
const Locations = t.array(t.type({ uri: t.string, range: Range }))
const Edits = t.type({ changes: t.record(t.string, t.array(t.type({ range: Range }))) })
const Hover = t.type({ contents: t.type({ value: t.string }) })

interface PendingRequest {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

/** Returns a value of the type of a codec, or throws. */
export const decodeAs = <A>(codec: t.Type<A>, value: unknown): A => {
  if (codec.is(value)) return value
  throw new Error(`unexpected response of the language server: ${JSON.stringify(value)}`)
}

/** Starts the server and opens a folder, which contains a `tsconfig.json`. */
export const startLanguageServer = async (folder: URL): Promise<LanguageServer> => {
  const child = spawn(execPath, [compiler, '--lsp', '--stdio'], {
    cwd: fileURLToPath(folder),
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const pending = new Map<number | string, PendingRequest>()
  let lastId = 0
  let version = 0

  const send = (message: object): void => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }
  const receive = ({ id, method, params, result, error }: t.TypeOf<typeof Message>): void => {
    if (id === undefined) return // a notification
    if (method !== undefined)
      // the server requests its configuration; `null` selects the defaults
      return send({
        id,
        result: ConfigurationRequest.is(params) ? params.items.map(() => null) : null,
      })
    const request = pending.get(id)
    pending.delete(id)
    if (error === undefined) request?.resolve(result)
    else request?.reject(new Error(error.message))
  }

  onMessages(child.stdout, (message) => receive(decodeAs(Message, message)))

  const request = (method: string, params: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      lastId += 1
      pending.set(lastId, { resolve, reject })
      send({ id: lastId, method, params })
    })
  const notify = (method: string, params: unknown): void => send({ method, params })

  await request('initialize', {
    processId: process.pid,
    rootUri: folder.href,
    capabilities: { textDocument: { completion: {}, diagnostic: {}, hover: {} } },
    workspaceFolders: [{ uri: folder.href, name: 'project' }],
  })
  notify('initialized', {})
  return {
    open: async (file, text) => {
      const uri = file.href
      notify('textDocument/didOpen', {
        textDocument: { uri, languageId: 'typescript', version: ++version, text },
      })
      const result = await request('textDocument/diagnostic', { textDocument: { uri } })
      return decodeAs(Diagnostics, result)
        .items.filter(({ severity }) => severity === 1)
        .map((diagnostic) => diagnostic.message)
    },
    change: (file, text) =>
      notify('textDocument/didChange', {
        textDocument: { uri: file.href, version: ++version },
        contentChanges: [{ text }],
      }),
    complete: async (file, text, offset) => {
      const textDocument = { uri: file.href }
      const position = positionAt(text, offset)
      const result = await request('textDocument/completion', { textDocument, position })
      return decodeAs(Completions, result).items.map(({ label }) => label)
    },
    hover: async (file, text, offset) => {
      const textDocument = { uri: file.href }
      const position = positionAt(text, offset)
      const { contents } = decodeAs(
        Hover,
        await request('textDocument/hover', { textDocument, position }),
      )
      return contents.value.split('\n```')[0]?.replace(/^```\w*\n/, '') ?? ''
    },
    define: async (file, text, offset) => {
      const textDocument = { uri: file.href }
      const position = positionAt(text, offset)
      const result = await request('textDocument/definition', { textDocument, position })
      return decodeAs(Locations, result).map(({ uri, range: { start } }) => ({
        file: new URL(uri),
        ...start,
      }))
    },
    rename: async (file, text, offset) => {
      const textDocument = { uri: file.href }
      const position = positionAt(text, offset)
      const newName = 'renamed'
      const result = await request('textDocument/rename', { textDocument, position, newName })
      return Object.entries(decodeAs(Edits, result).changes).flatMap(([uri, edits]) =>
        edits.map(({ range: { start } }) => ({ file: new URL(uri), ...start })),
      )
    },
    stop: async () => {
      child.kill()
      await exited
    },
  }
}
