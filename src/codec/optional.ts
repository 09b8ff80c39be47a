/** Codecs for values that can be missing or `null`. */
import type { AnySchema, SchemaOutput } from './standard-schema/schema-types.ts'
import * as t from 'io-ts'
import type { RejectedCodecOf, RejectedArgument } from './codec.ts'
import type { SchemaCodec } from './standard-schema/standard-schema.ts'
import { toMixed } from './standard-schema/standard-schema.ts'

/** A codec for a value that can be missing. A missing value is decoded as `undefined`. */
export interface OptionalC<C extends t.Mixed> extends t.UnionC<[C, t.UndefinedC]> {}

/**
 * Makes a parameter or object member optional. Without `optional`, a missing value results in a 400 response.
 *
 * In TypeScript, a member of `t.type` with this codec is still a required key, whose value may be `undefined`, except in the input of
 * client calls. To make the key optional in results of handlers and tests, declare the member with `t.partial`, which needs no
 * `optional`.
 *
 * `null` is not considered missing: use {@link nullish} to accept it too. A missing optional collection is decoded as
 * `undefined`, in parameters as well as in bodies:
 *
 * | | missing | empty |
 * |---|---|---|
 * | parameters, form fields | `undefined` | cannot be expressed; `?tag=` is missing, or an empty string in a list of strings |
 * | JSON, CBOR, XML with `xmlElementWrapper` | `undefined` | an empty collection |
 * | XML without `xmlElementWrapper` | `undefined` | cannot be expressed: a collection without elements is missing |
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
export function optional<C extends t.Mixed>(codec: C): OptionalC<C>
export function optional<S extends AnySchema>(schema: S): OptionalC<SchemaCodec<S>>
// the type of an error: optional values have no default
export function optional(
  codec: t.Mixed | AnySchema,
  defaultValue: RejectedArgument<'use withDefault(int, 1)'>,
): never
export function optional(declared: RejectedCodecOf<string, 'use a codec, such as int'>): never
export function optional(declared: t.Mixed | AnySchema): t.Mixed {
  const codec = toMixed(declared)
  return t.union([codec, t.undefined], `${codec.name} or undefined`)
}

/** A codec for a value that can be `null`. */
export interface NullableC<C extends t.Mixed> extends t.UnionC<[C, t.NullC]> {}

/**
 * Accepts `null` in addition to the values of a codec. The value is required: use {@link nullish} for a value that can also be
 * missing.
 *
 * - In JSON, CBOR and HAL, `null` is the value `null`. In XML, it is an element with `xsi:nil="true"`, or a missing attribute.
 * - In parameters and in text, `null` is the text `null`. If the codec accepts this text as a string, as `nullable(string)`
 *   does, the text is the string. A typed client therefore rejects `null` for such a parameter.
 * - In parameters, a collection is never `null`.
 * - A handler that returns `null` sends a 204 response, which typed clients decode as `null`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { int, nullable } from 'espalier'
 *
 * assert.deepEqual(nullable(int).decode(5), E.right(5))
 * assert.deepEqual(nullable(int).decode(null), E.right(null))
 * assert.ok(E.isLeft(nullable(int).decode(undefined)))
 * ```
 */
export function nullable<C extends t.Mixed>(codec: C): NullableC<C>
export function nullable<S extends AnySchema>(schema: S): NullableC<SchemaCodec<S>>
export function nullable(declared: RejectedCodecOf<string, 'use a codec, such as int'>): never
export function nullable(declared: t.Mixed | AnySchema): t.Mixed {
  const codec = toMixed(declared)
  return t.union([codec, t.null], `${codec.name} or null`)
}

/** A codec for a value that can be `null` or missing. */
export interface NullishC<C extends t.Mixed> extends t.UnionC<[C, t.NullC, t.UndefinedC]> {}

/**
 * Accepts `null` and a missing value in addition to the values of a codec. A missing value is decoded as `undefined`. See
 * {@link nullable} for the representation of `null`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import * as t from 'io-ts'
 * import { nullish, string } from 'espalier'
 *
 * const Patch = t.type({ title: nullish(string) })
 *
 * assert.deepEqual(Patch.decode({ title: null }), E.right({ title: null }))
 * assert.deepEqual(Patch.decode({}), E.right({ title: undefined }))
 * ```
 */
export function nullish<C extends t.Mixed>(codec: C): NullishC<C>
export function nullish<S extends AnySchema>(schema: S): NullishC<SchemaCodec<S>>
export function nullish(declared: RejectedCodecOf<string, 'use a codec, such as int'>): never
export function nullish(declared: t.Mixed | AnySchema): t.Mixed {
  const codec = toMixed(declared)
  return t.union([codec, t.null, t.undefined], `${codec.name}, null or undefined`)
}

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
 * Decodes a missing value as `defaultValue`. A default that the codec does not accept is a configuration error (`FW-PARAM-002` or
 * `FW-MEDIA-003`). The defaults of schemas are not verified.
 *
 * Collections are missing in the same cases as with {@link optional}, in parameters as well as in bodies. For example, an
 * empty array in JSON is not considered missing. In XML without `xmlElementWrapper`, an empty collection cannot be written,
 * because a collection without elements is missing.
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
export function withDefault<C extends t.Mixed>(
  codec: C,
  defaultValue: t.TypeOf<C>,
): WithDefaultType<C>
export function withDefault<S extends AnySchema>(
  schema: S,
  defaultValue: SchemaOutput<S>,
): WithDefaultType<SchemaCodec<S>>
// for a default of a wrong type: the compiler describes the last signature, TypeScript 5.9 only if there are more than three
export function withDefault(declared: t.Mixed | AnySchema, defaultValue: never): never
// for a missing default
export function withDefault(
  codec: RejectedArgument<'pass the default, as in withDefault(int, 1), or use optional(int)'> &
    t.Mixed,
): never
export function withDefault<
  C extends
    | t.Mixed
    | AnySchema
    | RejectedCodecOf<string, 'the codec comes first: withDefault(int, 1)'>,
>(
  declared: C,
  defaultValue: C extends t.Mixed ? C['_A'] : C extends AnySchema ? SchemaOutput<C> : never,
): never
export function withDefault(declared: t.Mixed | AnySchema, defaultValue?: unknown): t.Mixed {
  return new WithDefaultType(toMixed(declared), defaultValue)
}
