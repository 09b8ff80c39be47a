/** Reports the duration and result of each request for use in metrics. */
import * as E from 'fp-ts/lib/Either.js'
import type { ClientError } from '../client-error.ts'
import type { Policy } from '../exchange.ts'
import { createPolicy, originOf } from './policy.ts'
import type { Clock } from '../timer.ts'
import { systemClock } from '../timer.ts'

/** Describes a completed request. */
export interface Observation {
  /** Name of the operation, such as `books.get`. */
  readonly operation: string
  /**
   * Path template, such as `/books/{isbn}`. As a metric label, use the template instead of the URL to keep the number
   * of label values low.
   */
  readonly template: string
  readonly method: string
  /** Scheme, host and port of the URL. */
  readonly origin: string
  /** Status of the response, or `undefined` if the request failed. */
  readonly status: number | undefined
  /** Tag of the error, or `undefined` if a response was received. */
  readonly error: ClientError['_tag'] | undefined
  /** Time, in milliseconds, from the start of the request until the response headers arrived or the request failed. */
  readonly duration: number
}

/**
 * Calls `observe` when the response headers have arrived or the request has failed.
 *
 * Place this policy outside `retry` to observe each call, or inside `retry` to observe each attempt. Exceptions thrown
 * by `observe` are ignored. To create a trace span, use {@link clientFilter} instead, because a span must exist before
 * the request is sent.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text } from 'espalier'
 * import { client, observeRequests } from 'espalier/client'
 * import { inMemory } from 'espalier/testing'
 *
 * const hello = pipe(
 *   path('/hello/{name}'),
 *   get(),
 *   produces(text),
 *   handle(({ path: { name } }) => `Hello, ${name}`),
 * )
 * const counts = new Map<string, number>()
 * const countRequests = observeRequests(({ template, status, error }) => {
 *   const label = `${template} ${status ?? error}`
 *   counts.set(label, (counts.get(label) ?? 0) + 1)
 * })
 * const api = routes({ hello })
 * const service = client(api, {
 *   baseUrl: 'http://localhost',
 *   fetch: inMemory(api),
 *   policies: [countRequests],
 * })
 * await service.hello({ path: { name: 'Ann' } })()
 *
 * assert.deepEqual([...counts], [['/hello/{name} 200', 1]])
 * ```
 */
export const observeRequests = (
  observe: (observation: Observation) => void,
  { clock = systemClock }: { readonly clock?: Clock } = {},
): Policy =>
  createPolicy((next) => (request) => async () => {
    const start = clock.now()
    const result = await next(request)()
    const { name: operation, template } = request.operation
    try {
      observe({
        operation,
        template,
        method: request.method,
        origin: originOf(request.url),
        status: E.isRight(result) ? result.right.status : undefined,
        error: E.isLeft(result) ? result.left._tag : undefined,
        duration: clock.now() - start,
      })
    } catch {
      // a failing observer must not make the call fail
    }
    return result
  })
