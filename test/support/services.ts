/** Services that espalier did not write, and calls of them: a plain `node:http` server, and one that speaks octets. */
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
import { whileListening } from './while-listening.ts'

const Book = t.type({ title: t.string })

/** The one resource; the service answers what it likes. */
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
export type Library = ClientOf<typeof contract>

/** Those that take nothing, and whose content comes as a whole. */
export type Getting = Exclude<keyof Library, 'send' | 'ping' | 'lines' | 'events' | 'parts'>
/** Those whose content is read while it comes. */
export type Streaming = 'lines' | 'events' | 'parts'

export type Answering = (response: ServerResponse, request: IncomingMessage) => void

/** By `fetch`, and by `undici`. */
const transports: ReadonlyArray<Pick<ClientOptions, 'transport'>> = [
  {},
  { transport: undiciTransport(getGlobalDispatcher()) },
]

const overEach = async (
  baseUrl: string,
  use: (library: Library) => Promise<void>,
  options: Partial<ClientOptions>,
): Promise<void> => {
  for (const transport of transports)
    await use(client(contract, { baseUrl, ...transport, ...options }))
}

/** Calls a service that answers each request in one way, over each transport. */
export const answering = async (
  answer: Answering,
  use: (library: Library) => Promise<void>,
  options: Partial<ClientOptions> = {},
): Promise<void> => {
  const server = createHttp((request, response) => answer(response, request))
  await whileListening(server, ({ url }) => overEach(url, use, options))
}

/** Calls something that speaks octets, over each transport. */
export const speaking = async (
  speak: (socket: Socket) => void,
  use: (library: Library) => Promise<void>,
  options: Partial<ClientOptions> = {},
): Promise<void> => {
  const server = createServer((socket) => void socket.once('data', () => speak(socket)))
  await whileListening(server, ({ url }) => overEach(url, use, options))
}

export const with200 =
  (content: string | Uint8Array, type?: string): Answering =>
  (response) => {
    if (type !== undefined) response.setHeader('Content-Type', type)
    response.end(content)
  }
