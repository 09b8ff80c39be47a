/** How long answers take, told to the client. */
import { pipe } from 'fp-ts/lib/function.js'
import type { PlainFilter } from '../endpoint/filter.ts'
import { filters } from '../endpoint/filter.ts'
import { priority } from '../endpoint/filter-order.ts'
import { preMatching } from '../endpoint/pre-matching.ts'
import { withHeader } from '../endpoint/reply.ts'
import { responseFilter } from '../endpoint/response-filter.ts'
import { priorities } from './priorities.ts'

/**
 * Says in `Server-Timing` how many milliseconds the service has worked on a response, from the head of the request until the
 * reply is there: browsers show it among the times of a request. What follows, encoding and sending, is not in it. It has to
 * stand around the whole tree. A time can tell a stranger what a handler does, so it is for services whose clients are known.
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
 * const call = inMemory(pipe(routes({ hello }), withFilter(timing())))
 * const { headers } = await call(new Request('http://localhost/hello'))
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
      responseFilter((answered, { elapsed }) =>
        withHeader('Server-Timing', `total;dur=${elapsed().toFixed(2)}`)(answered),
      ),
    ),
    priority(priorities.timing),
  )
