/** The `Last-Event-ID` header. */
import type * as t from 'io-ts'
import * as LastEventId from '../http/last-event-id.ts'
import type { OptionalC } from './optional.ts'
import { optional } from './optional.ts'
import { fromString } from './from-string.ts'

/**
 * The id of the last event that a reconnecting client received, as a header parameter: `header({ lastEventId })`.
 *
 * It is `undefined` for the first request. Broadcasters read the header themselves.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { event, get, handle, header, int, lastEventId, path, produces, routes, sse } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const count = pipe(
 *   path('/count'),
 *   get(),
 *   header({ lastEventId }),
 *   produces(sse(int)),
 *   handle(function* ({ header: { lastEventId: last = '0' } }) {
 *     for (let n = Number(last) + 1; n <= 3; n++) yield event(undefined, n, { id: String(n) })
 *   }),
 * )
 * const again = new Request('http://localhost/count', { headers: { 'Last-Event-ID': '2' } })
 *
 * assert.equal(await (await inMemory(routes({ count }))(again)).text(), 'id: 3\ndata: 3\n\n')
 * ```
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#the-last-event-id-header
 */
export const lastEventId: OptionalC<t.Type<string, string>> = optional(
  fromString(
    'id of an event',
    LastEventId.parse,
    LastEventId.format,
    (value): value is string => typeof value === 'string',
  ),
)
