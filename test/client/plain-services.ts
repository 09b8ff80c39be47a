/** Services without espalier, and clients of them: a plain `node:http` server, and a TCP server that writes raw bytes. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createHttp } from 'node:http'
import type { Socket } from 'node:net'
import { createServer } from 'node:net'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { getGlobalDispatcher } from 'undici'
import type { ClientOf, ClientOptions } from '../../src/client.ts'
import { client, undiciTransport } from '../../src/client.ts'
import {
  as,
  body,
  bytes,
  fails,
  get,
  json,
  multipartOutput,
  ndjson,
  optional,
  path,
  post,
  produces,
  responds,
  routes,
  sse,
  string,
  text,
} from '../../src/index.ts'
import { xml } from '../../src/xml.ts'
import { withServer } from '../support/while-listening.ts'

const Book = t.type({ title: t.string })

/** The contract: one resource, read in several representations. The service may respond with anything. */
export const contract = routes({
  json: pipe(path('/it'), get(), produces(json(Book)), fails(404, json(t.type({ why: t.string })))),
  maybe: pipe(path('/it'), get(), produces(json(optional(Book)))),
  text: pipe(path('/it'), get(), produces(text)),
  bytes: pipe(path('/it'), get(), produces(as('image/*')(bytes), bytes)),
  either: pipe(path('/it'), get(), produces(json(Book), text)),
  nothing: pipe(path('/it'), get(), responds(202)),
  send: pipe(path('/it'), post(), body(json(Book)), responds(204)),
  ping: pipe(path('/it'), post(), responds(204)),
  xml: pipe(path('/it'), get(), produces(xml(t.type({ title: t.string }, 'Book')))),
  lines: pipe(path('/it'), get(), produces(ndjson(Book))),
  events: pipe(path('/it'), get(), produces(sse(Book))),
  parts: pipe(path('/it'), get(), produces(multipartOutput)),
  record: pipe(path('/it'), get(), produces(multipartOutput({ title: string }))),
})
export type ServiceClient = ClientOf<typeof contract>

/** The operations without input whose response body is buffered. */
export type BufferedCall = Exclude<
  keyof ServiceClient,
  'send' | 'ping' | 'lines' | 'events' | 'parts'
>
/** The operations whose response body is streamed. */
export type StreamedCall = 'lines' | 'events' | 'parts'

/** Handles a request of the service. */
export type RequestHandler = (response: ServerResponse, request: IncomingMessage) => void

/** `fetch` and `undici`. */
const transports: ReadonlyArray<Pick<ClientOptions, 'transport'>> = [
  {},
  { transport: undiciTransport(getGlobalDispatcher()) },
]

const overEachTransport = async (
  baseUrl: string,
  use: (library: ServiceClient) => Promise<void>,
  options: Partial<ClientOptions>,
): Promise<void> => {
  for (const transport of transports)
    await use(client(contract, { baseUrl, ...transport, ...options }))
}

/** Runs an HTTP service with a request handler, and calls it over each transport. */
export const withHttpService = async (
  handler: RequestHandler,
  use: (library: ServiceClient) => Promise<void>,
  options: Partial<ClientOptions> = {},
): Promise<void> => {
  const server = createHttp((request, response) => handler(response, request))
  await withServer(server, ({ url }) => overEachTransport(url, use, options))
}

/** Runs a TCP service that calls `respond` after the first bytes of a request, and calls it over each transport. */
export const withSocketService = async (
  respond: (socket: Socket) => void,
  use: (library: ServiceClient) => Promise<void>,
  options: Partial<ClientOptions> = {},
): Promise<void> => {
  const server = createServer((socket) => void socket.once('data', () => respond(socket)))
  await withServer(server, ({ url }) => overEachTransport(url, use, options))
}

/** Responds with 200, a body and an optional media type. */
export const respondOk =
  (content: string | Uint8Array, type?: string): RequestHandler =>
  (response) => {
    if (type !== undefined) response.setHeader('Content-Type', type)
    response.end(content)
  }
