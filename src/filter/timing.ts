/** A filter that reports the duration of requests to clients. */
import { pipe } from 'fp-ts/lib/function.js'
import type { PlainFilter } from '../endpoint/filter.ts'
import { filters } from '../endpoint/filter.ts'
import { priority } from '../endpoint/filter-order.ts'
import { preMatching } from '../endpoint/pre-matching.ts'
import { withHeader } from '../endpoint/reply.ts'
import { responseFilter } from '../endpoint/response-filter.ts'
import { priorities } from './priorities.ts'

/**
 * Adds the header `Server-Timing` with the duration of the request in milliseconds, which browsers show in their developer tools.
 *
 * The duration starts with the head of the request and ends with the reply, before it is encoded and sent. Apply the filter to
 * the root of the tree. Durations can reveal details of a handler, so use it only for services with trusted clients.
 *
 * @see https://www.w3.org/TR/server-timing/
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text, timing, withFilter } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const hello = pipe(
 *   path('/hello'),
 *   get(),
 *   produces(text),
 *   handle(() => 'Hello'),
 * )
 * const send = inMemory(pipe(routes({ hello }), withFilter(timing())))
 * const { headers } = await send(new Request('http://localhost/hello'))
 *
 * assert.match(headers.get('Server-Timing') ?? '', /^total;dur=\d+(\.\d+)?$/)
 * ```
 */
export const timing = (): PlainFilter =>
  pipe(
    filters(
      preMatching(({ elapsed }) => {
        elapsed()
      }),
      responseFilter((replied, { elapsed }) =>
        withHeader('Server-Timing', `total;dur=${elapsed().toFixed(2)}`)(replied),
      ),
    ),
    priority(priorities.timing),
  )
