/** Provides access to the `node:http` request and response, for features that espalier does not cover. */
import type { CommonContext } from '../endpoint/context.ts'
import { exchangeOf } from '../interpreter/context/exchange-context.ts'
import { NodeExchange } from './exchange/node-exchange.ts'

/**
 * A `node:http` request. At run time, it is an `IncomingMessage`. This can be verified with `instanceof`. The members declared here
 * can be used without the Node.js type declarations.
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

/** A `node:http` response. At run time, it is a `ServerResponse`. This can be verified with `instanceof`. */
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
 * Returns the `node:http` request, for example to read the HTTP version, the trailers or socket properties. Returns `undefined` for
 * requests over HTTP/2, for in-memory requests, in workers, and if `fw.http.connection` is `direct`.
 *
 * The method, URL and headers are those sent by the client, without changes made by filters. If a handler reads the body from this
 * request, the operation can no longer read it.
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
export const nodeRequest = (context: CommonContext): NodeRequest | undefined =>
  nodeExchange(context)?.request

/**
 * Returns the `node:http` response. Returns `undefined` for requests over HTTP/2, for in-memory requests, in workers, and if
 * `fw.http.connection` is `direct`.
 *
 * Headers set on this response are sent with the operation's response, unless that response has a header with the same name. Values of
 * `Set-Cookie` and `Vary` are sent together. If the handler itself sends the head or ends the response, the operation's response is discarded.
 */
export const nodeResponse = (context: CommonContext): NodeResponse | undefined =>
  nodeExchange(context)?.response

const nodeExchange = (context: CommonContext): NodeExchange | undefined => {
  const exchange = exchangeOf(context)
  return exchange instanceof NodeExchange ? exchange : undefined
}
