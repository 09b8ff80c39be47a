/** Parameters without percent-decoding. */
import * as t from 'io-ts'

/** A codec that receives the percent-encoded text. */
export class EncodedType<C extends t.Mixed> extends t.Type<t.TypeOf<C>, t.OutputOf<C>> {
  readonly _tag = 'EncodedType' as const
  readonly codec: C
  constructor(codec: C) {
    super(codec.name, codec.is, codec.validate, codec.encode)
    this.codec = codec
  }
}

/**
 * Disables percent-decoding of a path variable or of a query, matrix or form parameter. It has no effect elsewhere.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { encoded, get, handle, path, produces, routes, string, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const both = pipe(
 *   path('/{sent}/{decoded}', { sent: encoded(string) }),
 *   get(),
 *   produces(text),
 *   handle(({ path: { sent, decoded } }) => `${sent}, ${decoded}`),
 * )
 * const call = inMemory(routes({ both }))
 *
 * const answer = await call(new Request('http://localhost/a%20b/a%20b'))
 * assert.equal(await answer.text(), 'a%20b, a b')
 * ```
 */
export const encoded = <C extends t.Mixed>(codec: C): EncodedType<C> => new EncodedType(codec)
