/** Representations that are tagged by what they say. */
import type { Representation, Validator } from './representation.ts'
import { validated } from './representation.ts'

/**
 * The same representation with an `ETag` made from its octets: a `strong` tag, or a `weak` one where equal octets promise equal
 * meaning only. It is sent when GET or HEAD is answered with 200, and then the conditions of the request are decided: who names
 * the tag in `If-None-Match` is answered with 304, without anything being declared. A reply that has a tag keeps it, and so does one to which
 * `context.response.addHeader` has given one.
 *
 * The handler runs all the same: this saves the network and not the work, which `evaluatePreconditions` does. A digest is
 * computed for every response, so octets are held as a whole; streams are not tagged.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, json, path, produces, routes, string, withEtag } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const greeting = pipe(
 *   path('/greeting'),
 *   get(),
 *   produces(withEtag('strong')(json(string))),
 *   handle(() => 'Hello'),
 * )
 * const call = inMemory(routes({ greeting }))
 * const ask = (headers: Record<string, string>) =>
 *   call(new Request('http://localhost/greeting', { headers }))
 * const tag = (await ask({})).headers.get('ETag') ?? ''
 *
 * assert.match(tag, /^"[^"]+"$/)
 * assert.equal((await ask({ 'If-None-Match': tag })).status, 304)
 * ```
 */
export const withEtag =
  (strength: Validator) =>
  <A, M extends string>(representation: Representation<A, M>): Representation<A, M> =>
    validated(representation, strength)
