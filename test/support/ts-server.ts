/** A client for `tsserver`, the language server of TypeScript before version 7, which has a protocol of its own. */
import { spawn } from 'node:child_process'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import * as t from 'io-ts'
import { onMessages, positionAt } from './framed-messages.ts'
import { decodeAs, type LanguageServer } from './language-server.ts'

const Message = t.partial({ type: t.string, request_seq: t.number, body: t.unknown })
const Diagnostics = t.array(t.type({ text: t.string, category: t.string }))
const QuickInfo = t.type({ displayString: t.string })

/** Starts the server. Files belong to the project of the `tsconfig.json` in their folder. */
export const startTsServer = (path: string): Pick<LanguageServer, 'open' | 'hover' | 'stop'> => {
  const options = ['--disableAutomaticTypingAcquisition', '--suppressDiagnosticEvents']
  const child = spawn(execPath, [path, ...options], { stdio: ['pipe', 'pipe', 'ignore'] })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const pending = new Map<number, (body: unknown) => void>()
  let last = 0

  const send = (command: string, args: object): number => {
    last += 1
    child.stdin.write(
      `${JSON.stringify({ seq: last, type: 'request', command, arguments: args })}\n`,
    )
    return last
  }
  const request = (command: string, args: object): Promise<unknown> =>
    new Promise((resolve) => pending.set(send(command, args), resolve))
  onMessages(child.stdout, (message) => {
    const { type, request_seq: id = 0, body } = decodeAs(Message, message)
    if (type !== 'response') return
    pending.get(id)?.(body)
    pending.delete(id)
  })

  return {
    open: async (url, text) => {
      const file = fileURLToPath(url)
      send('open', { file, fileContent: text })
      const body = await request('semanticDiagnosticsSync', { file })
      return decodeAs(Diagnostics, body)
        .filter(({ category }) => category === 'error')
        .map((diagnostic) => diagnostic.text)
    },
    hover: async (url, text, offset) => {
      const { line, character } = positionAt(text, offset)
      const position = { file: fileURLToPath(url), line: line + 1, offset: character + 1 }
      return decodeAs(QuickInfo, await request('quickinfo', position)).displayString
    },
    stop: async () => {
      child.kill()
      await exited
    },
  }
}
