/** Reports the duration and the outcome of each request, for metrics. */
import * as E from 'fp-ts/lib/Either.js'
import type { ClientError } from '../client-error.ts'
import type { Policy } from '../exchange.ts'
import { createPolicy, originOf } from './policy.ts'
import type { Clock } from './timer.ts'
import { systemClock } from './timer.ts'

/** A completed request. */
export interface Observation {
  /** Name of the operation, such as `books.get`. */
  readonly operation: string
  /** Path template, such as `/books/{isbn}`. Use it instead of the URL as a metric label, to keep the number of values low. */
  readonly template: string
  readonly method: string
  /** Scheme, host and port of the URL. */
  readonly origin: string
  /** Status of the response; `undefined` after an error. */
  readonly status: number | undefined
  /** Tag of the error; `undefined` after a response. */
  readonly error: ClientError['_tag'] | undefined
  /** Milliseconds until the head of the response arrived, or until the error. */
  readonly duration: number
}

/**
 * Calls a function for each request, when the head of its response has arrived or the request has failed.
 *
 * Outside `retry` it observes calls, inside `retry` it observes each attempt. Exceptions of the function are ignored. To create a trace
 * span, which must exist before the request is sent, use a {@link clientFilter}.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text } from 'espalier'
 * import { client, observed } from 'espalier/client'
 * import { inMemory } from 'espalier/testing'
 *
 * const hello = pipe(
 *   path('/hello/{name}'),
 *   get(),
 *   produces(text),
 *   handle(({ path: { name } }) => `Hello, ${name}`),
 * )
 * const counts = new Map<string, number>()
 * const countRequests = observed(({ template, status, error }) => {
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
export const observed = (
  observe: (observation: Observation) => void,
  { clock = systemClock }: { readonly clock?: Clock } = {},
): Policy =>
  createPolicy((next) => (request) => async () => {
    const start = clock.now()
    const outcome = await next(request)()
    const { name: operation, template } = request.operation
    try {
      observe({
        operation,
        template,
        method: request.method,
        origin: originOf(request.url),
        status: E.isRight(outcome) ? outcome.right.status : undefined,
        error: E.isLeft(outcome) ? outcome.left._tag : undefined,
        duration: clock.now() - start,
      })
    } catch {
      // a failing observer must not fail the call
    }
    return outcome
  })
