/** The HTTP/2 client of Node.js for tests. */
import { once } from 'node:events'
import type {
  ClientHttp2Session,
  ClientHttp2Stream,
  IncomingHttpHeaders,
  OutgoingHttpHeaders,
} from 'node:http2'
import { connect } from 'node:http2'
import { text } from 'node:stream/consumers'
import type { Routes } from '../../../src/index.ts'
import type { ServeOptions, Server } from '../../../src/node.ts'
import { serveHttp2 } from '../../support/through-http2.ts'

export interface Received {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Waits for the whole response of a stream. Rejects if the stream is reset. */
export const receive = async (stream: ClientHttp2Stream): Promise<Received> => {
  const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders]
  return { status: Number(headers[':status']), headers, body: await text(stream) }
}

/** Sends a request, and waits for its response. */
export const exchange = (
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  body?: string,
): Promise<Received> => {
  const stream = session.request(headers, { endStream: body === undefined })
  if (body !== undefined) stream.end(body)
  return receive(stream)
}

/** Connects to a server. Errors of the connection are ignored, because its streams report them as well. */
export const openSession = async (
  url: string,
  options: Parameters<typeof connect>[1] = {},
): Promise<ClientHttp2Session> => {
  const session = connect(url, options)
  session.on('error', () => undefined)
  await once(session, 'connect')
  return session
}

/** Runs a check with a server that accepts HTTP/2 without TLS, and a connection to it. */
export const withSession = async <T, E>(
  api: Routes<T, {}, E>,
  check: (session: ClientHttp2Session, server: Server) => Promise<unknown>,
  options: ServeOptions = {},
): Promise<void> => {
  const server = await serveHttp2(api, options)
  const session = await openSession(server.url)
  try {
    await check(session, server)
  } finally {
    session.destroy()
    await server.close()
  }
}

/** Waits until a stream has closed, and returns the code with which it was reset. */
export const closeCode = async (stream: ClientHttp2Stream): Promise<number> => {
  stream.on('error', () => undefined)
  // `once` of `node:events` would reject after an error
  if (!stream.destroyed) await new Promise((resolve) => stream.once('close', resolve))
  return stream.rstCode
}
