/**
 * Annotations of codecs for documents: descriptions, names and JSON Schemas.
 *
 * An annotated codec is a copy of another codec, with the same functions, structure and tag. Annotations therefore change neither
 * what a codec accepts nor how other codecs use it. In particular, io-ts still recognizes the tags of tagged unions.
 */
import type { Codec, RejectedArgument } from './codec.ts'
import type { JsonSchema } from './json-schema.ts'
import type { CodecFor, CodecOrSchema } from './standard-schema/standard-schema.ts'
import { codecFor } from './standard-schema/standard-schema.ts'
import { delegatesTo } from './codec-structure.ts'

/** The annotations of a codec. */
export interface Annotations {
  /** The name of the component in documents. */
  readonly name?: string
  /** The description in CommonMark. */
  readonly description?: string
  readonly deprecated?: boolean
  /** Values in their encoded form. */
  readonly examples?: ReadonlyArray<unknown>
  /** The JSON Schema of encoded values, which replaces the schema that is derived from the codec. */
  readonly schema?: JsonSchema
}

/** The members that an annotated codec has in addition to those of the original codec. */
export interface Annotated {
  readonly annotations: Annotations
  /** The original codec, which can have annotations too. */
  readonly annotatedCodec: Codec
}

type Annotate = <C extends CodecOrSchema>(codec: C) => CodecFor<C>

/** Returns a function that creates an annotated copy of a codec. */
export const annotate =
  (annotations: Annotations): Annotate =>
  <C extends CodecOrSchema>(declared: C): CodecFor<C> => {
    const codec = codecFor(declared)
    return Object.create(Object.getPrototypeOf(codec), {
      ...Object.getOwnPropertyDescriptors(codec),
      annotations: { value: Object.freeze(annotations), enumerable: true },
      annotatedCodec: { value: codec, enumerable: true },
    })
  }

/** Options for {@link described}. */
export interface DescribedOptions {
  readonly deprecated?: boolean
  /** Values in their encoded form, such as `2024-01-31` for a date. */
  readonly examples?: ReadonlyArray<unknown>
}

/**
 * Adds a description to a codec for OpenAPI documents. It applies to members of objects, parameters and whole objects, and can
 * contain CommonMark.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as t from 'io-ts'
 * import { described, int } from 'espalier'
 *
 * const Book = t.type({ pages: described('The number of printed pages.', { examples: [412] })(int) })
 *
 * assert.equal(Book.is({ pages: 412 }), true)
 * ```
 */
export function described(description: string, options?: DescribedOptions): Annotate
// the type of an error
export function described(
  description: string,
  codec: DescribedOptions & RejectedArgument<"call twice: described('The title')(string)">,
): never
export function described(
  description: string,
  { deprecated, examples }: DescribedOptions = {},
): Annotate {
  return annotate({
    description,
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(examples === undefined ? {} : { examples }),
  })
}

/**
 * Names a codec in OpenAPI documents, in which named codecs are components. Codecs of io-ts that were created with a name, such
 * as `t.type({ … }, 'Book')`, do not need `named`. The names of codecs in validation errors do not change.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { enumOf, named } from 'espalier'
 *
 * const Genre = named('Genre')(enumOf('novel', 'poetry'))
 *
 * assert.equal(Genre.is('novel'), true)
 * ```
 */
export const named = (name: string): Annotate => annotate({ name })

/**
 * Sets the JSON Schema (2020-12) of a codec in OpenAPI documents. It is needed for codecs whose structure is unknown, such as those
 * created with `new t.Type`. The schema describes encoded values, and is not used for validation.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { withSchema } from 'espalier'
 * import * as t from 'io-ts'
 *
 * const point = withSchema({ type: 'string', pattern: '^\\d+,\\d+$' })(
 *   new t.Type<readonly number[], string>(
 *     'point',
 *     (value): value is readonly number[] => Array.isArray(value),
 *     (value, context) =>
 *       t.string.is(value) ? t.success(value.split(',').map(Number)) : t.failure(value, context),
 *     (value) => value.join(','),
 *   ),
 * )
 *
 * assert.deepEqual(point.decode('3,4'), E.right([3, 4]))
 * ```
 */
export const withSchema = (schema: JsonSchema): Annotate => annotate({ schema })

/** Whether a codec has annotations, from this or another copy of the package. */
export const isAnnotated = (codec: Codec): codec is Codec & Annotated =>
  'annotations' in codec && 'annotatedCodec' in codec

/** Returns the original of an annotated codec, unless functions were replaced since. Returns other codecs unchanged. */
export const withoutAnnotations = (codec: Codec): Codec => {
  if (!isAnnotated(codec)) return codec
  const { annotatedCodec } = codec
  return delegatesTo(codec, annotatedCodec) ? withoutAnnotations(annotatedCodec) : codec
}
