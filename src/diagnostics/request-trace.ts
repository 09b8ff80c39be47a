/** The message of the channels `tracing:espalier.request:*`. */
import type { Around } from './tracing-channel.ts'

/** The times, in milliseconds since the arrival of the request, at which steps of the request ended. Missing for steps that did not run. */
export interface RequestSteps {
  /** An operation has been selected. */
  readonly matched?: number
  /** The request filters have run, including authentication. */
  readonly filtered?: number
  /** The parameters and the body have been read and decoded. */
  readonly decoded?: number
  /** The handler has returned its result. */
  readonly handled?: number
  /** The response has been encoded. Its head, or the whole response, is passed to the connection. */
  readonly encoded?: number
}

/**
 * A request, as published on the channels `tracing:espalier.request:*` of `node:diagnostics_channel`. It is the same object for all
 * messages of a request. Its members change while the request is processed.
 *
 * | channel      | published                                                                    |
 * | ------------ | ---------------------------------------------------------------------------- |
 * | `start`      | on arrival; stores bound to this channel apply to all steps of the request   |
 * | `end`        | when the synchronous part has ended                                          |
 * | `error`      | at most once, when an error results in status 500, or interrupts a response  |
 * | `asyncStart` | when the response has been sent, or the client has disconnected              |
 * | `asyncEnd`   | immediately after `asyncStart`                                               |
 *
 * A stream is one request until its end. Requests that handlers send within the process belong to the request that they are part of,
 * and are not published.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { tracingChannel } from 'node:diagnostics_channel'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, int, path, produces, routes, text } from 'espalier'
 * import type { RequestTrace } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const log: Array<string> = []
 * tracingChannel<string, RequestTrace>('espalier.request').asyncEnd.subscribe((message) => {
 *   const { method, route, status } = message as RequestTrace
 *   log.push(`${method} ${route} ${status}`)
 * })
 *
 * const book = pipe(
 *   path('/books/{id}', { id: int }),
 *   get(),
 *   produces(text),
 *   handle((input) => `book ${input.path.id}`),
 * )
 * const call = inMemory(routes({ book }))
 * await (await call(new Request('http://localhost/books/7'))).text()
 *
 * assert.deepEqual(log, ['GET /books/{id} 200'])
 * ```
 */
export interface RequestTrace {
  /** The method, as received. */
  readonly method: string
  /** The path, as received. */
  readonly path: string
  /** The query without `?`, as received, or `undefined`. */
  readonly query: string | undefined
  /** Returns the value of a request header, or `undefined`. */
  readonly header: (name: string) => string | undefined
  /** The scheme and authority that the client used, such as `https://example.com`. Respects trusted proxies. */
  readonly origin: string
  /** The address of the client, or `undefined`. Respects trusted proxies. */
  readonly clientAddress: string | undefined
  /** The version of HTTP: `1.0`, `1.1` or `2`. `undefined` if it is unknown. */
  readonly httpVersion: string | undefined
  /** The request id, as in the log. A filter can set it. */
  readonly id: string
  /**
   * The template of the path, such as `/books/{id}`, including the path below which the tree is mounted. It is known at `start`, and changes if a
   * filter rewrites the request. `undefined` if no template matches.
   */
  readonly route: string | undefined
  /** The name of the operation, such as `books.find`. `undefined` if no operation has been selected. */
  readonly operation: string | undefined
  /** The status of the response, or `undefined` if the response has not been sent. */
  readonly status: number | undefined
  /** Whether the client disconnected before the response was sent completely. */
  readonly isDisconnected: boolean
  /** The error that was published. */
  readonly error: unknown
  /** The size of the request body as sent, in bytes. `undefined` if it is unknown, as for a stream without `Content-Length`. */
  readonly requestSize: number | undefined
  /** The size of the response body that was sent, in bytes. `undefined` if no response was sent. */
  readonly responseSize: number | undefined
  /** The time since the arrival of the request, in milliseconds. It does not change after `asyncEnd`. */
  readonly duration: number
  readonly steps: RequestSteps
  /**
   * Calls the rest of the request within a function, such as `context.with` of OpenTelemetry. Has an effect only in subscribers of `start`, and
   * serves for contexts that `bindStore` cannot set.
   */
  readonly around: (call: Around) => void
}
