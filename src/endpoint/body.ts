/** What an operation reads from the content of a request: a body or a form, declared once. */
import type { Endpoint } from './endpoint.ts'
import { withConflict, makeEndpoint } from './endpoint.ts'
import type { Received, Representable } from './representation.ts'
import { toRepresentation } from './representation.ts'

/** An endpoint that can be given a body. */
export interface Bodiless {
  readonly path: object
  readonly body?: 'the body is declared twice'
  readonly form?: 'the request has a form, so it cannot have a body too'
}

/**
 * The content of the request: one value with its alternative representations, of which `Content-Type` selects one;
 * without that field the first is assumed. Another media type is refused with 415, a value that the codec refuses with
 * 400, more octets than `fw.http.limits.max-parsed-body-size` (or `limits`) with 413. A codec of a single value (`body(int)`) reads
 * `text/plain`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { body, handle, int, json, path, post, produces, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const double = pipe(
 *   path('/double'),
 *   post(),
 *   body(int, json(int)),
 *   produces(int),
 *   handle(({ body: number }) => 2 * number),
 * )
 * const call = inMemory(routes({ double }))
 * const send = (type: string, content: string) => {
 *   const sent = new Blob([content], { type })
 *   return call(new Request('http://localhost/double', { method: 'POST', body: sent }))
 * }
 *
 * assert.equal(await (await send('application/json', '21')).text(), '42')
 * assert.equal((await send('application/json', '"21"')).status, 400)
 * assert.equal((await send('text/csv', '21')).status, 415)
 * ```
 */
export const body =
  <M extends readonly [Representable, ...ReadonlyArray<Representable>]>(...alternatives: M) =>
  <S extends Bodiless>({
    definition,
  }: Endpoint<S>): Endpoint<S & { readonly body: Received<M[number]> }> =>
    makeEndpoint({
      ...(definition.bodies.length === 0
        ? definition
        : withConflict(definition, 'the body is declared twice')),
      bodies: alternatives.map(toRepresentation),
    })
