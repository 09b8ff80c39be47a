/** Path variables that match several segments. */
import * as t from 'io-ts'

/** A codec of the path segments of a variable. Each segment is decoded separately, so `%2F` does not split it. */
export class SegmentsType<C extends t.Mixed> extends t.Type<
  ReadonlyArray<t.TypeOf<C>>,
  ReadonlyArray<t.OutputOf<C>>
> {
  readonly _tag = 'SegmentsType' as const
  readonly codec: C
  constructor(codec: C) {
    const array = t.readonlyArray(codec)
    super(`segments of ${codec.name}`, array.is, array.validate, array.encode)
    this.codec = codec
  }
}

/**
 * Lets a path variable match one or more complete segments.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, segments, string, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const file = pipe(
 *   path('/files/{rest}', { rest: segments(string) }),
 *   get(),
 *   produces(text),
 *   handle(({ path: { rest } }) => rest.join(' | ')),
 * )
 * const call = inMemory(routes({ file }))
 *
 * const answer = await call(new Request('http://localhost/files/a/b%2Fc'))
 * assert.equal(await answer.text(), 'a | b/c')
 * assert.equal((await call(new Request('http://localhost/files'))).status, 404)
 * ```
 */
export const segments = <C extends t.Mixed>(codec: C): SegmentsType<C> => new SegmentsType(codec)
