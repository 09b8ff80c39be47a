/** A client for the language server of TypeScript, which speaks the Language Server Protocol on its standard streams. */
import { spawn } from 'node:child_process'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

/**
 * @typedef {object} LanguageServer
 * @property {(method: string, params: unknown) => Promise<any>} request sends a request, and resolves to its result
 * @property {(method: string, params: unknown) => void} notify sends a notification
 * @property {() => Promise<void>} stop ends the process
 */

/** Starts the server and opens a folder. @type {(folder: URL) => Promise<LanguageServer>} */
export const startLanguageServer = async (folder) => {
  const child = spawn(execPath, [compiler, '--lsp', '--stdio'], {
    cwd: fileURLToPath(folder),
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const exited = new Promise((resolve) => child.once('exit', resolve))
  /** @type {Map<number, { resolve: (result: unknown) => void, reject: (error: Error) => void }>} */
  const pending = new Map()
  let lastId = 0

  /** @type {(message: object) => void} */
  const send = (message) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
  }
  /** @type {(message: { id?: number, method?: string, params?: any, result?: unknown, error?: { message: string } }) => void} */
  const receive = ({ id, method, params, result, error }) => {
    if (id === undefined) return // a notification
    if (method !== undefined)
      // the server requests its configuration; `null` selects the defaults
      return send({
        id,
        result: method === 'workspace/configuration' ? params.items.map(() => null) : null,
      })
    const { resolve, reject } = pending.get(id) ?? {}
    pending.delete(id)
    if (error === undefined) resolve?.(result)
    else reject?.(new Error(error.message))
  }

  let received = Buffer.alloc(0)
  child.stdout.on('data', (chunk) => {
    received = Buffer.concat([received, chunk])
    for (;;) {
      const end = received.indexOf('\r\n\r\n')
      const [, length] = /Content-Length: (\d+)/i.exec(received.toString('latin1', 0, end)) ?? []
      const next = end + 4 + Number(length)
      if (end < 0 || received.length < next) return
      const message = received.toString('utf8', end + 4, next)
      received = received.subarray(next)
      receive(JSON.parse(message))
    }
  })

  /** @type {LanguageServer['request']} */
  const request = (method, params) =>
    new Promise((resolve, reject) => {
      lastId += 1
      pending.set(lastId, { resolve, reject })
      send({ id: lastId, method, params })
    })
  /** @type {LanguageServer['notify']} */
  const notify = (method, params) => send({ method, params })

  await request('initialize', {
    processId: process.pid,
    rootUri: folder.href,
    capabilities: { textDocument: { completion: {}, diagnostic: {} } },
    workspaceFolders: [{ uri: folder.href, name: 'bench' }],
  })
  notify('initialized', {})
  return {
    request,
    notify,
    stop: async () => {
      child.kill()
      await exited
    },
  }
}
