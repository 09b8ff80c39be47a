/** Servers with little body memory, and clients for tests of `fw.http.limits.max-buffered-size`. */
import type { ServeOptions, Server } from '../../../src/node.ts'
import { once } from 'node:events'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import * as assert from 'uvu/assert'
import { api } from '../../programs/buffering-api.ts'
import { newFolder } from '../../support/folder.ts'
import { serveLocally } from '../../support/loopback.ts'
import type { RawConnection } from '../../support/raw-connection.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { rawRequest } from '../../support/raw.ts'
import { waitUntil } from '../../support/wait-until.ts'

export const KiB = 1024
export const MiB = 1024 * KiB

/** `fw.http.limits.max-buffered-size` of these servers, in bytes. */
export const limit = MiB

/** Runs a server for the duration of a callback, and asserts that all body memory is released afterwards. */
export const withBufferingServer = async (
  options: ServeOptions,
  use: (server: Server) => Promise<unknown>,
  tree: Parameters<typeof serveLocally>[0] = api,
): Promise<void> => {
  const server = await serveLocally(tree, {
    'fw.http.limits.max-buffered-size': limit,
    'fw.http.limits.max-parsed-body-size': '64M',
    'fw.http.limits.max-form-attribute-size': limit,
    'fw.shutdown.timeout': 500,
    'fw.http.body.uploads-directory': newFolder(),
    ...options,
  })
  try {
    await use(server)
    await waitUntil(() => server.bufferedBytes === 0)
  } finally {
    await server.close()
  }
}

export const x = (size: number): string => 'x'.repeat(size)

export const plain = ['Content-Type: text/plain']

/** Sends a request with only the first `sent` bytes of its body. */
export const sendPartially = async (
  { url }: Server,
  target: string,
  length: number,
  sent: number,
  ...headers: ReadonlyArray<string>
): Promise<RawConnection> => {
  const connection = await connectTo(url)
  connection.write(
    rawRequest(`POST ${target}`, `Content-Length: ${length}`, ...plain, ...headers) + x(sent),
  )
  return connection
}

/** Fills `size` bytes of the memory with a body that lacks its last byte. Returns a function that completes the request. */
export const fill = async (server: Server, size: number): Promise<() => Promise<void>> => {
  const before = server.bufferedBytes
  const connection = await sendPartially(server, '/text', size, size - 1)
  await waitUntil(() => server.bufferedBytes === before + size)
  return async () => {
    connection.write('x')
    const { status, body } = await connection.next()
    assert.equal([status, body], [200, String(size)])
    connection.destroy()
  }
}

/** Sends a request on a new connection and returns the status of the response. */
export const statusOf = async ({ url }: Server, request: string): Promise<number> => {
  const connection = await connectTo(url)
  connection.write(request)
  const { status } = await connection.next()
  connection.destroy()
  return status
}

/** Formats a POST request. */
export const postRequest = (
  target: string,
  type: string,
  body: string,
  ...headers: ReadonlyArray<string>
): string =>
  rawRequest(
    `POST ${target}`,
    `Content-Type: ${type}`,
    `Content-Length: ${body.length}`,
    ...headers,
  ) + body

/** Formats a POST request with a chunked body. */
export const chunkedPostRequest = (target: string, ...chunks: ReadonlyArray<string>): string =>
  rawRequest(`POST ${target}`, ...plain, 'Transfer-Encoding: chunked') +
  [...chunks, ''].map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')

/** A client that does not read the responses to its requests. */
export interface PausedClient {
  /** Resolves when the first bytes have arrived. */
  readonly start: () => Promise<void>
  /** Reads everything up to the end of the connection. */
  readonly read: () => Promise<Buffer>
  readonly destroy: () => void
}

/** Sends requests without reading the responses. */
export const sendUnread = async ({ url }: Server, request: string): Promise<PausedClient> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  socket.write(request)
  return {
    start: async () => {
      if (socket.readableLength === 0) await once(socket, 'readable')
    },
    read: () => buffer(socket),
    destroy: () => socket.destroy(),
  }
}

/** Formats a request with `Connection: close`. */
export const closingRequest = (
  methodAndTarget: string,
  ...headers: ReadonlyArray<string>
): string => rawRequest(methodAndTarget, 'Connection: close', ...headers)
