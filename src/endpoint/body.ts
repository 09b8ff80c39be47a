/** Request bodies. */
import type { Endpoint } from './endpoint.ts'
import { withConflict, makeEndpoint } from './endpoint.ts'
import type { Received, Representable } from './representation.ts'
import { toRepresentation } from './representation.ts'

/** An endpoint that has neither a body nor a form. */
export interface Bodiless {
  readonly path: object
  readonly body?: 'the body is declared twice'
  readonly form?: 'a body and a form are declared: keep one'
}

/**
 * Declares the request body, in one or more representations.
 *
 * `Content-Type` selects the representation; without that header, the first one is used. A codec of a single
 * value stands for `text/plain`: `body(int)`.
 *
 * | status | cause |
 * |---|---|
 * | 400 | malformed body, or a value that the codec rejects |
 * | 413 | more bytes than `fw.http.limits.max-parsed-body-size`, or than `limits` allows |
 * | 415 | another media type |
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
 * const request = inMemory(routes({ double }))
 * const send = (type: string, content: string) => {
 *   const sent = new Blob([content], { type })
 *   return request('http://localhost/double', { method: 'POST', body: sent })
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
