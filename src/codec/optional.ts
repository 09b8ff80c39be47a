/** Values that may be missing: parameters and object members. */
import * as t from 'io-ts'

/** A value, or `undefined` if it is missing. */
export interface OptionalC<C extends t.Mixed> extends t.UnionC<[C, t.UndefinedC]> {}

/**
 * Makes a parameter or member optional. Missing values result in 400 otherwise.
 *
 * A missing optional collection is `undefined` and not empty. `null` is not missing.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { int, optional } from 'espalier'
 *
 * assert.deepEqual(optional(int).decode(5), E.right(5))
 * assert.deepEqual(optional(int).decode(undefined), E.right(undefined))
 * assert.ok(E.isLeft(optional(int).decode('five'))) // what is there has to be right
 * assert.ok(E.isLeft(optional(int).decode(null)))
 * ```
 */
export const optional = <C extends t.Mixed>(codec: C): OptionalC<C> =>
  t.union([codec, t.undefined], `${codec.name} or nothing`)

/** A codec that decodes `undefined` as a default value. */
export class WithDefaultType<C extends t.Mixed> extends t.Type<
  t.TypeOf<C>,
  t.OutputOf<C> | undefined
> {
  readonly _tag = 'WithDefaultType' as const
  readonly codec: C
  readonly defaultValue: t.TypeOf<C>
  constructor(codec: C, byDefault: t.TypeOf<C>) {
    super(
      codec.name,
      codec.is,
      (value, context) =>
        value === undefined ? t.success(byDefault) : codec.validate(value, context),
      codec.encode,
    )
    this.codec = codec
    this.defaultValue = byDefault
  }
}

/**
 * Replaces a missing value with `defaultValue`.
 *
 * A collection parameter is missing if it has no values. An empty array in a body is a value.
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
 * assert.ok(E.isLeft(page.decode('two'))) // the default does not stand in for what is wrong
 * ```
 */
export const withDefault = <C extends t.Mixed>(
  codec: C,
  byDefault: t.TypeOf<C>,
): WithDefaultType<C> => new WithDefaultType(codec, byDefault)
