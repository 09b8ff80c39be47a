/** Numbers about a client's calls, for metrics and traces. */
import * as E from 'fp-ts/lib/Either.js'
import type { ClientError } from '../client-error.ts'
import type { Policy } from '../exchange.ts'
import type { Clock } from './timer.ts'
import { system } from './timer.ts'
import { originOf } from './origin.ts'
import { policy } from './policy.ts'

/** A request that has come to its response, or to none. */
export interface Observation {
  /** The name of the operation, such as `books.get`. */
  readonly operation: string
  /** Its template, such as `/books/{isbn}`: a label of metrics has to have few values, which a URL has not. */
  readonly template: string
  readonly method: string
  /** Scheme, host and port of the URL. */
  readonly origin: string
  /** The status of the response; `undefined` where there was none. */
  readonly status: number | undefined
  /** The tag of what went wrong; `undefined` where there was a response. */
  readonly error: ClientError['_tag'] | undefined
  /** Milliseconds until the head of the response was there. */
  readonly duration: number
}

/**
 * Tells a function of each request when the head of its response is there, or when it is clear that there will be none. Around a
 * `retry` it is told of calls, within it of each try. What the function throws is dropped. A span, which has to be there before the
 * request is, so that the service can go on with it, is begun in a {@link clientFilter}.
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
 * const counted = observed(({ template, status, error }) => {
 *   const labels = `${template} ${status ?? error}`
 *   counts.set(labels, (counts.get(labels) ?? 0) + 1)
 * })
 * const api = routes({ hello })
 * const greeter = client(api, {
 *   baseUrl: 'http://localhost',
 *   fetch: inMemory(api),
 *   policies: [counted],
 * })
 * await greeter.hello({ path: { name: 'Ann' } })()
 *
 * assert.deepEqual([...counts], [['/hello/{name} 200', 1]])
 * ```
 */
export const observed = (
  observe: (observation: Observation) => void,
  { clock = system }: { readonly clock?: Clock } = {},
): Policy =>
  policy((next) => (request) => async () => {
    const began = clock.now()
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
        duration: clock.now() - began,
      })
    } catch {
      // no call fails because somebody could not count it
    }
    return outcome
  })
