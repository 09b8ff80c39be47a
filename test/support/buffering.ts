/** Clients of a server with little body memory. */
import type { ServeOptions, Server } from '../../src/node.ts'
import { until } from './workers.ts'
import { once } from 'node:events'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import * as assert from 'uvu/assert'
import { api } from './buffering-api.ts'
import { newFolder } from './folder.ts'
import { onLoopback } from './loopback.ts'
import type { RawConnection } from './raw-connection.ts'
import { connectTo } from './raw-connection.ts'
import { to } from './raw.ts'

export const KiB = 1024
export const MiB = 1024 * KiB

/** The limit of these servers. */
export const limit = MiB

/** Uses a server, and asserts that nothing is counted when all is over. */
export const using = async (
  options: ServeOptions,
  use: (server: Server) => Promise<unknown>,
  tree: Parameters<typeof onLoopback>[0] = api,
): Promise<void> => {
  const server = await onLoopback(tree, {
    'fw.http.limits.max-buffered-size': limit,
    'fw.http.limits.max-parsed-body-size': '64M',
    'fw.http.limits.max-form-attribute-size': limit,
    'fw.shutdown.timeout': 500,
    'fw.http.body.uploads-directory': newFolder(),
    ...options,
  })
  try {
    await use(server)
    await until(() => server.bufferedBytes === 0)
  } finally {
    await server.close()
  }
}

export const x = (size: number): string => 'x'.repeat(size)

export const plain = ['Content-Type: text/plain']

/** A request of which so many bytes of the body are sent. */
export const half = async (
  { url }: Server,
  target: string,
  length: number,
  sent: number,
  ...fields: ReadonlyArray<string>
): Promise<RawConnection> => {
  const connection = await connectTo(url)
  connection.write(to(`POST ${target}`, `Content-Length: ${length}`, ...plain, ...fields) + x(sent))
  return connection
}

/** Fills the memory with so many bytes, of a body that lacks its last one. The returned function sends that. */
export const fill = async (server: Server, size: number): Promise<() => Promise<void>> => {
  const before = server.bufferedBytes
  const connection = await half(server, '/text', size, size - 1)
  await until(() => server.bufferedBytes === before + size)
  return async () => {
    connection.write('x')
    const { status, content } = await connection.next()
    assert.equal([status, content], [200, String(size)])
    connection.leave()
  }
}

/** The status of the response to a request on a connection of its own. */
export const statusOf = async ({ url }: Server, request: string): Promise<number> => {
  const connection = await connectTo(url)
  connection.write(request)
  const { status } = await connection.next()
  connection.leave()
  return status
}

export const posting = (
  target: string,
  type: string,
  content: string,
  ...fields: ReadonlyArray<string>
): string =>
  to(`POST ${target}`, `Content-Type: ${type}`, `Content-Length: ${content.length}`, ...fields) +
  content

export const inChunks = (target: string, ...chunks: ReadonlyArray<string>): string =>
  to(`POST ${target}`, ...plain, 'Transfer-Encoding: chunked') +
  [...chunks, ''].map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')

/** A client that does not read the responses to what it has sent. */
export interface Unread {
  /** Reads everything up to the end of the connection. */
  readonly read: () => Promise<Buffer>
  readonly leave: () => void
}

export const unread = async ({ url }: Server, request: string): Promise<Unread> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  socket.write(request)
  return { read: () => buffer(socket), leave: () => socket.destroy() }
}

/** A request after which the connection is closed. */
export const last = (methodAndTarget: string, ...fields: ReadonlyArray<string>): string =>
  to(methodAndTarget, 'Connection: close', ...fields)
