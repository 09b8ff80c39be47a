/** The message of the channels `tracing:espalier.client.attempt:*`. */
import type { Around } from './tracing-channel.ts'

/**
 * One attempt of a client call to send its request, as published on the channels `tracing:espalier.client.attempt:*` of
 * `node:diagnostics_channel`. It is the same object for all messages of an attempt. A call has several attempts with policies such as `retry`,
 * `hedge` and `followRedirects`.
 *
 * | channel      | published                                                                            |
 * | ------------ | ------------------------------------------------------------------------------------ |
 * | `start`      | before the request is sent; stores bound to this channel apply to the transport      |
 * | `end`        | when the transport has started to send the request                                   |
 * | `error`      | at most once, if the attempt fails without a response, or its response is interrupted |
 * | `asyncStart` | when the response has been read or cancelled, or the attempt has failed              |
 * | `asyncEnd`   | immediately after `asyncStart`                                                       |
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { tracingChannel } from 'node:diagnostics_channel'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text } from 'espalier'
 * import { promiseClient } from 'espalier/client'
 * import type { AttemptTrace } from 'espalier/client'
 * import { inMemory } from 'espalier/testing'
 *
 * const channel = tracingChannel<string, AttemptTrace>('espalier.client.attempt')
 * channel.start.subscribe((message) => {
 *   const attempt = message as AttemptTrace
 *   attempt.setHeader('X-Resend-Count', String(attempt.resendCount))
 * })
 *
 * const hello = pipe(
 *   path('/hello'),
 *   get(),
 *   produces(text),
 *   handle((_, { request }) => `attempt ${request.header('x-resend-count')}`),
 * )
 * const api = routes({ hello })
 * const service = promiseClient(api, { baseUrl: 'http://localhost', fetch: inMemory(api) })
 *
 * assert.equal((await service.hello()).body, 'attempt 0')
 * ```
 */
export interface AttemptTrace {
  /** The name of the operation, such as `books.find`. */
  readonly operation: string
  /** The template of the path, such as `/books/{id}`. */
  readonly route: string
  readonly method: string
  /** The absolute URL. It contains the values of parameters. */
  readonly url: string
  /** The number of earlier attempts of the call. */
  readonly resendCount: number
  /** Sets a request header of the attempt. Has an effect only in subscribers of `start`. */
  readonly setHeader: (name: string, value: string) => void
  /** The status of the response, or `undefined` if there is no response. */
  readonly status: number | undefined
  /** Whether the caller has aborted the attempt, or cancelled the response. Neither is an error. */
  readonly isAborted: boolean
  /** The error that was published. */
  readonly error: unknown
  /** The number of bytes of the response body that have been read, after decompression. */
  readonly responseSize: number
  /** The time since the start of the attempt, in milliseconds. It does not change after `asyncEnd`. */
  readonly duration: number
  /**
   * Calls the rest of the attempt within a function, such as `context.with` of OpenTelemetry. Has an effect only in subscribers of `start`, and
   * serves for contexts that `bindStore` cannot set.
   */
  readonly around: (call: Around) => void
}
