/** Access to the request and the response of `node:http`, for features that espalier does not cover. */
import type { Surroundings } from '../endpoint/context.ts'
import { exchangeOf } from '../interpreter/context/exchange-context.ts'
import { NodeExchange } from './exchange/node-exchange.ts'

/**
 * A request of `node:http`: an `IncomingMessage`, which `instanceof` can verify. The members listed here are available in programs
 * without the type declarations of Node.js.
 */
export interface NodeRequest {
  readonly httpVersion: string
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly rawHeaders: ReadonlyArray<string>
  readonly rawTrailers: ReadonlyArray<string>
  readonly complete: boolean
  readonly socket: {
    readonly remoteAddress?: string | undefined
    readonly remotePort?: number | undefined
    readonly localAddress?: string | undefined
    readonly localPort?: number | undefined
  }
}

/** A response of `node:http`: a `ServerResponse`, which `instanceof` can verify. */
export interface NodeResponse {
  readonly headersSent: boolean
  readonly writableEnded: boolean
  readonly destroyed: boolean
  readonly setHeader: (name: string, value: string | ReadonlyArray<string>) => unknown
  readonly appendHeader: (name: string, value: string | ReadonlyArray<string>) => unknown
  readonly removeHeader: (name: string) => void
  readonly writeHead: (status: number) => unknown
  readonly write: (chunk: string | Uint8Array) => boolean
  readonly end: (chunk?: string | Uint8Array) => unknown
}

/**
 * Returns the request of `node:http` for its socket, HTTP version or trailers; `undefined` in memory and on a worker.
 *
 * Method, URL and headers are those of the received message, without changes by filters. If a handler reads the body from
 * this request, the operation cannot read it.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { IncomingMessage } from 'node:http'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text } from 'espalier'
 * import { nodeRequest, nodeResponse, serve } from 'espalier/node'
 *
 * const version = pipe(
 *   path('/version'),
 *   get(),
 *   produces(text),
 *   handle((_, context) => {
 *     const request = nodeRequest(context)
 *     nodeResponse(context)?.setHeader('X-Powered-By', 'pears')
 *     return request instanceof IncomingMessage ? `${request.httpVersionMajor}` : 'none'
 *   }),
 * )
 * const server = await serve(routes({ version }), { 'fw.http.port': 0, 'fw.shutdown.grace': 0 })
 * const response = await fetch(`${server.url}/version`)
 *
 * assert.deepEqual([await response.text(), response.headers.get('X-Powered-By')], ['1', 'pears'])
 * await server.close()
 * ```
 */
export const nodeRequest = (context: Surroundings): NodeRequest | undefined =>
  nodeExchange(context)?.request

/**
 * Returns the response of `node:http`; `undefined` in memory and on a worker.
 *
 * Headers set on it are sent with the response of the operation, unless that has a header of the same name. Once its head is sent or it
 * has ended, the response of the operation is dropped.
 */
export const nodeResponse = (context: Surroundings): NodeResponse | undefined =>
  nodeExchange(context)?.response

const nodeExchange = (context: Surroundings): NodeExchange | undefined => {
  const exchange = exchangeOf(context)
  return exchange instanceof NodeExchange ? exchange : undefined
}
