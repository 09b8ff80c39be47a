/** The way around the engine: the request and the response of `node:http`, for what espalier has no word for. */
import type { Surroundings } from '../endpoint/context.ts'
import { exchangeOf } from '../interpreter/context/exchange-context.ts'
import { NodeExchange } from './exchange/node-exchange.ts'

/**
 * A request of `node:http`. It is an `IncomingMessage`, and `instanceof` gives it that type; what is named here can be used
 * in programs without the declarations of Node.
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

/** A response of `node:http`. It is a `ServerResponse`, in the same way. */
export interface NodeResponse {
  readonly headersSent: boolean
  readonly writableEnded: boolean
  readonly destroyed: boolean
  readonly setHeader: (name: string, value: string | ReadonlyArray<string>) => unknown
  readonly appendHeader: (name: string, value: string | ReadonlyArray<string>) => unknown
  readonly removeHeader: (name: string) => void
  readonly writeHead: (status: number) => unknown
  readonly write: (piece: string | Uint8Array) => boolean
  readonly end: (piece?: string | Uint8Array) => unknown
}

/**
 * The request of `node:http` behind a context: its socket, its version, its trailers. `undefined` in memory and on a worker. Its
 * method, target and fields are those that were received, whatever filters have made of them; who reads its content takes it away from the
 * operation.
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
 * The response of `node:http` behind a context; `undefined` in memory and on a worker. Fields that are set on it are sent with the answer, in
 * which a field of the same name replaces them. Once its head is sent, or it is ended, what the engine would answer is dropped.
 */
export const nodeResponse = (context: Surroundings): NodeResponse | undefined =>
  nodeExchange(context)?.response

const nodeExchange = (context: Surroundings): NodeExchange | undefined => {
  const exchange = exchangeOf(context)
  return exchange instanceof NodeExchange ? exchange : undefined
}
