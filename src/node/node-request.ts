/** The way around the engine: the request and the response of `node:http`, for what espalier has no word for. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Surroundings } from '../endpoint/context.ts'
import { exchangeOf } from '../interpreter/call-context.ts'
import { NodeExchange } from './exchange.ts'

/**
 * The request of `node:http` behind a context: its socket, the certificate of the client, trailers. `undefined` in memory. Its
 * method, target and fields are those that were received, whatever filters have made of them; who reads its content takes
 * it away from the operation.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text } from 'espalier'
 * import { nodeRequest, nodeResponse, serve } from 'espalier/node'
 *
 * const version = pipe(
 *   path('/version'),
 *   get(),
 *   produces(text),
 *   handle((_, context) => {
 *     nodeResponse(context)?.setHeader('X-Powered-By', 'pears')
 *     return nodeRequest(context)?.httpVersion ?? 'none'
 *   }),
 * )
 * const server = await serve(routes({ version }), { 'fw.http.port': 0, 'fw.shutdown.grace': 0 })
 * const response = await fetch(`${server.url}/version`)
 *
 * assert.deepEqual([await response.text(), response.headers.get('X-Powered-By')], ['1.1', 'pears'])
 * await server.close()
 * ```
 */
export const nodeRequest = (context: Surroundings): IncomingMessage | undefined =>
  nodeExchange(context)?.request

/**
 * The response of `node:http` behind a context; `undefined` in memory. Fields that are set on it are sent with the answer, in
 * which a field of the same name replaces them. Once its head is sent, or it is ended, what the engine would answer is dropped.
 */
export const nodeResponse = (context: Surroundings): ServerResponse | undefined =>
  nodeExchange(context)?.response

const nodeExchange = (context: Surroundings): NodeExchange | undefined => {
  const exchange = exchangeOf(context)
  return exchange instanceof NodeExchange ? exchange : undefined
}
