/** Listens on Unix domain sockets, and replaces socket files that ended processes have left behind. */
import { lstat, unlink } from 'node:fs/promises'
import type { Server as NetServer } from 'node:net'
import { connect } from 'node:net'
import { codeOf } from '../../http/platform-value.ts'

/** Maximum length of a path, in bytes. Node.js 20 truncates longer paths. The length is limited by the operating system. */
const maxPathLength = process.platform === 'linux' ? 107 : process.platform === 'win32' ? 256 : 103

/**
 * Starts listening on a Unix domain socket. If the path is in use by a socket on which no process is listening, the file is
 * replaced. Rejects with the error `EADDRINUSE` otherwise.
 */
export const listenOnSocket = async (server: NetServer, path: string): Promise<void> => {
  if (Buffer.byteLength(path) > maxPathLength)
    throw Object.assign(new Error(`the path is longer than ${maxPathLength} bytes`), {
      code: 'ENAMETOOLONG',
    })
  // before the first attempt, because after a failed one, `node:cluster` would not share the socket with other instances
  if (await isStale(path)) await unlink(path)
  await listenOnce(server, { path })
}

/** Starts listening. Resolves once the server is listening, or rejects with the error emitted by the server. */
export const listenOnce = (
  server: NetServer,
  address:
    | { readonly path: string }
    | { readonly port: number; readonly host?: string }
    | { readonly fd: number },
): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(address, () => {
      server.off('error', reject)
      resolve()
    })
  })

/** Whether a path is a socket to which no connection can be made because no process is listening. */
const isStale = async (path: string): Promise<boolean> => {
  const stats = await lstat(path).catch(() => undefined)
  if (stats?.isSocket() !== true) return false
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy()
      resolve(false)
    })
    socket.once('error', (error) => resolve(codeOf(error) === 'ECONNREFUSED'))
  })
}
