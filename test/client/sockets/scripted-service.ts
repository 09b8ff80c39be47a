/** A scripted HTTP service that records requests, and the transports that call it, each with its own connections. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { Dispatcher } from 'undici'
import { Agent, fetch as undiciFetch } from 'undici'
import type { Passage } from '../../../src/client/exchange.ts'
import type { Fetch } from '../../../src/client/transport/transport.ts'
import { fetchTransport } from '../../../src/client/transport/transport.ts'
import { undiciTransport } from '../../../src/client/transport/undici-transport.ts'
import { withServer } from '../../support/while-listening.ts'

/** A request and the part of its body received so far. */
export interface SeenRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  body: string
  readonly at: number
}

/** Responds to a request. Called when the body is complete, unless `early` is set. */
export type Responder = (
  response: ServerResponse,
  seen: SeenRequest,
  number: number,
  request: IncomingMessage,
) => void

export interface Service {
  readonly url: string
  readonly seen: ReadonlyArray<SeenRequest>
  /** Returns the number of open connections. */
  readonly open: () => number
  /** Returns the number of unanswered requests on open connections. */
  readonly pending: () => number
}

export interface Options {
  /** Whether the responder is called before the request body arrives. */
  readonly early?: boolean
}

export const withService = async <A>(
  respond: Responder,
  use: (service: Service) => Promise<A>,
  { early = false }: Options = {},
): Promise<A> => {
  const seen: SeenRequest[] = []
  const pending = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    const seenRequest: SeenRequest = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: '',
      at: performance.now(),
    }
    const number = seen.push(seenRequest) - 1
    pending.add(response)
    response.on('close', () => pending.delete(response))
    request.on('error', () => undefined)
    request.setEncoding('utf8').on('data', (text: string) => (seenRequest.body += text))
    if (early) respond(response, seenRequest, number, request)
    else request.on('end', () => respond(response, seenRequest, number, request))
  })
  return withServer(server, ({ url, openConnections: open }) =>
    use({ url, seen, open, pending: () => pending.size }),
  )
}

/** A transport and a function that closes its connections. */
export interface OpenTransport {
  readonly passage: Passage
  readonly close: () => Promise<void>
}

const byFetch = (dispatcher: Dispatcher): Passage => {
  const fetch: Fetch = (url, init) => undiciFetch(url, { ...init, dispatcher } as never)
  return fetchTransport(fetch)
}

export type Transports = ReadonlyArray<
  readonly [name: string, open: (dispatcher?: Dispatcher) => OpenTransport]
>

export const transports: Transports = (
  [
    ['fetch', byFetch],
    ['undici', undiciTransport],
  ] as const
).map(([name, make]) => [
  name,
  (dispatcher = new Agent()) => ({
    passage: make(dispatcher),
    close: () => dispatcher.destroy(),
  }),
])
