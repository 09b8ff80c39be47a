/** Describes schemas of codecs with JSON Schema. */
import type { Annotated } from '../../codec/annotated.ts'
import { isAnnotated } from '../../codec/annotated.ts'
import type { Codec } from '../../codec/codec.ts'
import type { JsonSchema } from '../../codec/json-schema.ts'
import type { Schema, UnionSchema } from '../../codec/schema/schema.ts'
import { isXmlType } from '../../codec/structure/known-codec.ts'
import { allOf, annotated, anyOf, anything } from './combine-schemas.ts'
import { defaultOf, refine } from './constraints.ts'
import { encodesUndefined, mayBeMissing } from './fold.ts'
import { objectSchema, recordSchema } from './objects.ts'
import { scalarSchema } from './scalars.ts'
import { standardSchema } from './standard.ts'
import { xmlSchema } from './xml-object.ts'
import type { Fold } from './fold.ts'
import { present } from './present.ts'

/** Describes a schema inside of another schema for the same value. */
type Same = (schema: Schema) => JsonSchema

/** Describes a schema. `same` describes the schemas inside of wrappers. */
export const describeSchema = (fold: Fold, schema: Schema, same: Same): JsonSchema => {
  const { reported } = schema
  const inner = (): JsonSchema => describeInner(fold, schema, same)
  if (isAnnotated(reported)) return annotate(reported, inner)
  return isXmlType(reported) ? xmlSchema(inner(), reported.mapping, fold.version) : inner()
}

const annotate = (
  { annotations: { schema, description, deprecated, examples } }: Annotated,
  inner: () => JsonSchema,
): JsonSchema =>
  annotated(schema ?? inner(), {
    ...present({ description, deprecated }),
    ...(examples === undefined ? {} : { examples }),
  })

const describeInner = (fold: Fold, schema: Schema, same: Same): JsonSchema =>
  schema.wraps === undefined ? describeStructure(fold, schema, same) : same(schema.wraps)

const describeStructure = (fold: Fold, schema: Schema, same: Same): JsonSchema => {
  switch (schema._tag) {
    case 'Object':
      return schema.merged === undefined
        ? objectSchema(fold, schema)
        : allOf(schema.merged.map(fold.describe))
    case 'Record':
      return recordSchema(fold, schema)
    case 'List':
    case 'Set':
      return arraySchema(elementSchema(fold, schema.element))
    case 'Tuple':
      return {
        ...tupleSchema(fold, schema.elements),
        ...(schema.rest && arraySchema(elementSchema(fold, schema.rest))),
      }
    case 'Union':
      return unionSchema(fold, schema)
    case 'AnyOf':
      return anyOf(schema.tests.map(fold.describe))
    case 'Intersection':
      return allOf(schema.members.map(fold.describe))
    case 'Holding':
      return refine(same(schema.test), schema)
    case 'Refinement':
      return refine(same(schema.inner), schema)
    case 'Recursion':
      return same(schema.target())
    case 'Default':
      return fold.direction === 'output'
        ? same(schema.inner)
        : annotated(same(schema.inner), defaultOf(schema, fold))
    case 'Attempt':
    case 'Masked':
      return same(schema.inner)
    case 'Opaque':
      return schema.structure === undefined
        ? leafSchema(fold, schema)
        : describeInner(fold, schema.structure(), same)
    case 'Anything':
    case 'TypeOf':
    case 'AnyRecord':
    case 'AnyArray':
    case 'OneOf':
      return leafSchema(fold, schema)
  }
}

const leafSchema = (fold: Fold, schema: Schema): JsonSchema => {
  const codec = original(schema.reported)
  const described = scalarSchema(codec, fold) ?? standardSchema(fold, codec, schema)
  if (described !== undefined) return described
  fold.reportOpaque(codec)
  return anything
}

/** Returns the original of an annotated codec, even if functions were replaced since. */
const original = (codec: Codec): Codec =>
  isAnnotated(codec) ? original(codec.annotatedCodec) : codec

const arraySchema = (items: JsonSchema): JsonSchema => ({ type: 'array', ...present({ items }) })

/** Describes an element of an array. In JSON, an element that is `undefined` is written as `null`. */
const elementSchema = (fold: Fold, element: Schema): JsonSchema => {
  const described = fold.describe(element)
  return fold.direction === 'output' && encodesUndefined(element)
    ? anyOf([described, { type: 'null' }])
    : described
}

/** Describes a tuple. As in io-ts, further elements are ignored. */
const tupleSchema = (fold: Fold, elements: ReadonlyArray<Schema>): JsonSchema => {
  const minItems = elements.findLastIndex((element) => !mayBeMissing(element, fold)) + 1
  return {
    type: 'array',
    ...present({ prefixItems: elements.map((element) => elementSchema(fold, element)) }),
    ...(minItems === 0 ? {} : { minItems }),
  }
}

/**
 * Describes a union. The tag of a tagged union is described if io-ts also knows it. A `discriminator` requires that all members are
 * references.
 */
const unionSchema = (fold: Fold, { members, tag, reported }: UnionSchema): JsonSchema => {
  const schemas = members.map(fold.describe)
  if (tag === undefined || !('tag' in reported)) return anyOf(schemas)
  const mapping: Record<string, string> = {}
  for (const [index, { $ref: reference }] of schemas.entries()) {
    if (reference === undefined) return { oneOf: schemas }
    for (const value of tag.tests[index]?.values ?? [])
      if (typeof value === 'string') mapping[value] = reference
  }
  return Object.keys(mapping).length === 0
    ? { oneOf: schemas }
    : { oneOf: schemas, discriminator: { propertyName: tag.key, mapping } }
}
