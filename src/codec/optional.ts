/** Codecs for parameters and object members that can be missing. */
import * as t from 'io-ts'

/** A codec for a value that can be missing. A missing value is decoded as `undefined`. */
export interface OptionalC<C extends t.Mixed> extends t.UnionC<[C, t.UndefinedC]> {}

/**
 * Makes a parameter or object member optional. Without `optional`, a missing value results in a 400 response.
 *
 * A missing optional collection is decoded as `undefined`, not as an empty collection. `null` is not considered missing.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { int, optional } from 'espalier'
 *
 * assert.deepEqual(optional(int).decode(5), E.right(5))
 * assert.deepEqual(optional(int).decode(undefined), E.right(undefined))
 * assert.ok(E.isLeft(optional(int).decode('five'))) // a value that is present must be valid
 * assert.ok(E.isLeft(optional(int).decode(null)))
 * ```
 */
export const optional = <C extends t.Mixed>(codec: C): OptionalC<C> =>
  t.union([codec, t.undefined], `${codec.name} or undefined`)

/** A codec that decodes `undefined` as a default value. */
export class WithDefaultType<C extends t.Mixed> extends t.Type<
  t.TypeOf<C>,
  t.OutputOf<C> | undefined
> {
  readonly _tag = 'WithDefaultType' as const
  readonly codec: C
  readonly defaultValue: t.TypeOf<C>
  constructor(codec: C, defaultValue: t.TypeOf<C>) {
    super(
      codec.name,
      codec.is,
      (value, context) =>
        value === undefined ? t.success(defaultValue) : codec.validate(value, context),
      codec.encode,
    )
    this.codec = codec
    this.defaultValue = defaultValue
  }
}

/**
 * Decodes a missing value as `defaultValue`.
 *
 * A collection parameter is missing if the request contains no values for the parameter. An empty array in a body is not
 * considered missing.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { int, withDefault } from 'espalier'
 *
 * const page = withDefault(int, 1)
 *
 * assert.deepEqual(page.decode(undefined), E.right(1))
 * assert.deepEqual(page.decode(2), E.right(2))
 * assert.ok(E.isLeft(page.decode('two'))) // the default does not replace invalid values
 * ```
 */
export const withDefault = <C extends t.Mixed>(
  codec: C,
  defaultValue: t.TypeOf<C>,
): WithDefaultType<C> => new WithDefaultType(codec, defaultValue)
