/**
 * Codecs for parameters. `attempt` returns errors as values, `encoded` disables percent-decoding, `combined` joins repeated
 * headers, and `segments` matches several path segments.
 */
import type { AnySchema } from '../standard-schema/schema-types.ts'
import type { Either } from 'fp-ts/lib/Either.js'
import { isRight, right } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { SchemaCodec } from '../standard-schema/standard-schema.ts'
import { toMixed } from '../standard-schema/standard-schema.ts'

/** The result of decoding: either validation errors or the decoded value. */
export type Attempt<C extends t.Mixed> = Either<t.Errors, t.TypeOf<C>>

/** A codec that decodes every value to an `Either`, and therefore never fails. */
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
 * Passes validation errors to the handler instead of rejecting the request. The handler receives an `Either` that contains the
 * errors or the decoded value.
 *
 * A missing value is an error, unless the inner codec is `optional` or has a default value. A `Left` is encoded as `undefined`
 * and is therefore omitted.
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
 * const send = inMemory(routes({ list }))
 *
 * const response = await send(new Request('http://localhost/books?page=two'))
 * assert.equal(await response.text(), 'the first page') // `int` without `attempt` results in a 400 response
 * ```
 */
export function attempt<C extends t.Mixed>(codec: C): AttemptType<C>
export function attempt<S extends AnySchema>(schema: S): AttemptType<SchemaCodec<S>>
export function attempt(codec: t.Mixed | AnySchema): t.Mixed {
  return new AttemptType(toMixed(codec))
}

/** A codec whose input is the percent-encoded text of a parameter. */
export class EncodedType<C extends t.Mixed> extends t.Type<t.TypeOf<C>, t.OutputOf<C>> {
  readonly _tag = 'EncodedType' as const
  readonly codec: C
  constructor(codec: C) {
    super(codec.name, codec.is, codec.validate, codec.encode)
    this.codec = codec
  }
}

/**
 * Disables percent-decoding for a path variable or for a query, matrix or form parameter. Has no effect on headers and cookies.
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
 * const send = inMemory(routes({ both }))
 *
 * const response = await send(new Request('http://localhost/a%20b/a%20b'))
 * assert.equal(await response.text(), 'a%20b, a b')
 * ```
 */
export function encoded<C extends t.Mixed>(codec: C): EncodedType<C>
export function encoded<S extends AnySchema>(schema: S): EncodedType<SchemaCodec<S>>
export function encoded(codec: t.Mixed | AnySchema): t.Mixed {
  return new EncodedType(toMixed(codec))
}

/** A codec whose input is the combined value of a header. */
export class CombinedType<C extends t.Mixed> extends t.Type<t.TypeOf<C>, t.OutputOf<C>> {
  readonly _tag = 'CombinedType' as const
  readonly codec: C
  constructor(codec: C) {
    super(codec.name, codec.is, codec.validate, codec.encode)
    this.codec = codec
  }
}

/**
 * Decodes the combined value of a header. If a request contains the header several times, the values are joined with `, ` in
 * the order in which they were sent (RFC 9110, 5.3). Without `combined`, the first value is used.
 *
 * Use it for headers whose value is a list, such as `Accept` and `Forwarded`, and for which `list` and `separated` do not fit
 * because members can contain commas in quotes. Multiple `Cookie` headers are joined with `; `. Has no effect on parameters
 * that are not headers.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { combined, get, handle, header, path, produces, routes, string, text } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const echo = pipe(
 *   path('/'),
 *   get(),
 *   header({ forwarded: combined(string) }),
 *   produces(text),
 *   handle(({ header: { forwarded } }) => forwarded),
 * )
 * const headers = new Headers()
 * headers.append('Forwarded', 'for=192.0.2.43')
 * headers.append('Forwarded', 'for="[2001:db8::17]"')
 *
 * const response = await inMemory(routes({ echo }))('http://localhost/', { headers })
 * assert.equal(await response.text(), 'for=192.0.2.43, for="[2001:db8::17]"')
 * ```
 */
export function combined<C extends t.Mixed>(codec: C): CombinedType<C>
export function combined<S extends AnySchema>(schema: S): CombinedType<SchemaCodec<S>>
export function combined(codec: t.Mixed | AnySchema): t.Mixed {
  return new CombinedType(toMixed(codec))
}

/**
 * A codec for a path variable that matches multiple segments. Each segment is percent-decoded separately. Therefore, `%2F` is
 * not a separator.
 */
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
 * Creates a codec for a path variable that matches one or more complete segments.
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
 * const send = inMemory(routes({ file }))
 *
 * const response = await send(new Request('http://localhost/files/a/b%2Fc'))
 * assert.equal(await response.text(), 'a | b/c')
 * assert.equal((await send(new Request('http://localhost/files'))).status, 404)
 * ```
 */
export function segments<C extends t.Mixed>(codec: C): SegmentsType<C>
export function segments<S extends AnySchema>(schema: S): SegmentsType<SchemaCodec<S>>
export function segments(codec: t.Mixed | AnySchema): t.Mixed {
  return new SegmentsType(toMixed(codec))
}
