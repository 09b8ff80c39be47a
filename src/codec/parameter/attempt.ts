/** Parameters whose validation errors the handler processes. */
import type { Either } from 'fp-ts/lib/Either.js'
import { isRight, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'

/** The result of decoding: validation errors or the value. */
export type Attempt<C extends t.Mixed> = Either<t.Errors, t.TypeOf<C>>

/** A codec that never fails and decodes to an `Either`. */
export class AttemptType<C extends t.Mixed> extends t.Type<Attempt<C>, t.OutputOf<C> | undefined> {
  readonly _tag = 'AttemptType' as const
  readonly codec: C
  constructor(codec: C) {
    super(
      codec.name,
      (value): value is Attempt<C> =>
        t.UnknownRecord.is(value) &&
        (value['_tag'] === 'Right'
          ? codec.is(value['right'])
          : value['_tag'] === 'Left' && t.UnknownArray.is(value['left'])),
      (value, context) => right(codec.validate(value, context)),
      (attempt) => (isRight(attempt) ? codec.encode(attempt.right) : undefined),
    )
    this.codec = codec
  }
}

/**
 * Passes validation errors to the handler, which receives an `Either`.
 *
 * A missing value is an error unless the inner codec is `optional`. A `Left` is omitted while encoding.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { attempt, get, handle, int, path, produces, query, routes, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const list = pipe(
 *   path('/books'),
 *   get(),
 *   query({ page: attempt(int) }),
 *   produces(text),
 *   handle(({ query: { page } }) => (E.isRight(page) ? `page ${page.right}` : 'the first page')),
 * )
 * const call = inMemory(routes({ list }))
 *
 * const answer = await call(new Request('http://localhost/books?page=two'))
 * assert.equal(await answer.text(), 'the first page') // `int` alone answers 400
 * ```
 */
export const attempt = <C extends t.Mixed>(codec: C): AttemptType<C> => new AttemptType(codec)
