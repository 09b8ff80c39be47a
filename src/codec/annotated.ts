/** Annotations of codecs for documents: descriptions, names and JSON Schemas. They do not change what a codec accepts. */
import * as t from 'io-ts'
import type { JsonSchema } from './json-schema.ts'

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

/** A codec with annotations. */
export class AnnotatedType<C extends t.Mixed> extends t.Type<t.TypeOf<C>, t.OutputOf<C>> {
  readonly _tag = 'AnnotatedType' as const
  readonly codec: C
  readonly annotations: Annotations
  constructor(codec: C, annotations: Annotations) {
    super(codec.name, codec.is, codec.validate, codec.encode)
    this.codec = codec
    this.annotations = annotations
  }
}

type Annotate = <C extends t.Mixed>(codec: C) => AnnotatedType<C>

const annotate =
  (annotations: Annotations): Annotate =>
  (codec) =>
    new AnnotatedType(codec, Object.freeze(annotations))

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
export const described = (
  description: string,
  { deprecated, examples }: DescribedOptions = {},
): Annotate =>
  annotate({
    description,
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(examples === undefined ? {} : { examples }),
  })

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

/** Whether a codec is an `AnnotatedType` from this or another copy of the package. */
export const isAnnotated = (
  codec: t.Mixed & { readonly _tag?: string },
): codec is AnnotatedType<t.Mixed> => codec._tag === 'AnnotatedType'
