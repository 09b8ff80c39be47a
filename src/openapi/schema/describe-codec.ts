/** Describes a codec by its structure. */
import type { Codec } from '../../codec/codec.ts'
import type { Annotated } from '../../codec/annotated.ts'
import { isAnnotated } from '../../codec/annotated.ts'
import type { JsonSchema } from '../../codec/json-schema.ts'
import { children, members } from '../../codec/codec-structure.ts'
import type { KnownCodec } from '../../codec/structure/known-codec.ts'
import { isKnown } from '../../codec/structure/known-codec.ts'
import { annotated, anyOf, anything } from './combine-schemas.ts'
import { defaultOf, refine } from './constraints.ts'
import { memberPosition } from '../../codec/schema/position.ts'
import { encodesUndefined, acceptsMissing } from './members.ts'
import { objectSchema, recordSchema } from './objects.ts'
import { scalarSchema } from './scalars.ts'
import { standardSchema } from './standard.ts'
import { intersectionSchema, unionSchema } from './unions.ts'
import { xmlSchema } from './xml-object.ts'
import type { Position, Walk } from './walk.ts'

/** Returns the schema of an inner codec of a wrapper. */
type Same = (codec: Codec) => JsonSchema

/** Describes a codec. `same` describes the codecs inside wrappers. */
export const describeCodec = (
  walk: Walk,
  codec: Codec,
  position: Position,
  same: Same,
): JsonSchema => {
  if (isAnnotated(codec)) return annotate(codec, same)
  if (isKnown(codec)) return describeKnown(walk, codec, position, same)
  if (codec._tag === 'SegmentsType') return arraySchema(walk, codec, position)
  const schema = scalarSchema(codec, position) ?? standardSchema(walk, codec, position)
  if (schema !== undefined) return schema
  walk.reportOpaque(codec)
  return anything
}

const describeKnown = (
  walk: Walk,
  codec: KnownCodec,
  position: Position,
  same: Same,
): JsonSchema => {
  switch (codec._tag) {
    case 'InterfaceType':
    case 'StrictType':
    case 'PartialType':
      return objectSchema(walk, members(codec) ?? {}, codec._tag === 'PartialType', position)
    case 'DictionaryType':
      return recordSchema(walk, codec.domain, codec.codomain, position)
    case 'IntersectionType':
      return intersectionSchema(walk, codec.types, position)
    case 'UnionType':
      return unionSchema(walk, codec, position)
    case 'TupleType':
      return tupleSchema(walk, codec.types, position)
    case 'ArrayType':
    case 'ReadonlyArrayType':
    case 'SetType':
      return arraySchema(walk, codec, position)
    case 'RefinementType':
      return refine(same(codec.type), codec)
    case 'RecursiveType':
    case 'ReadonlyType':
    case 'ExactType':
      return same(codec.type)
    case 'ExactlyType':
      return position.direction === 'input' && !position.rejectsUndeclared
        ? walk.schemaOf(codec.codec, { ...position, rejectsUndeclared: true })
        : same(codec.codec)
    case 'EncodedType':
    case 'CombinedType':
    case 'SeparatedType':
    case 'RestrictedType':
    case 'AttemptType':
      return same(codec.codec)
    case 'WithDefaultType':
      return position.direction === 'output'
        ? same(codec.codec)
        : annotated(same(codec.codec), defaultOf(codec, position))
    case 'XmlType':
      return xmlSchema(same(codec.codec), codec.mapping, walk.version)
  }
}

const annotate = (
  { annotatedCodec, annotations: { schema, description, deprecated, examples } }: Annotated,
  same: Same,
): JsonSchema =>
  annotated(schema ?? same(annotatedCodec), {
    ...(description === undefined ? {} : { description }),
    ...(deprecated === undefined ? {} : { deprecated }),
    ...(examples === undefined ? {} : { examples }),
  })

const arraySchema = (walk: Walk, codec: Codec, position: Position): JsonSchema => {
  const [element] = children(codec)
  const items = element === undefined ? anything : elementSchema(walk, element, position)
  return Object.keys(items).length === 0 ? { type: 'array' } : { type: 'array', items }
}

/** Describes an element of an array. In JSON, an element that is `undefined` is written as `null`. */
const elementSchema = (walk: Walk, codec: Codec, position: Position): JsonSchema => {
  const schema = walk.schemaOf(codec, memberPosition(position))
  return position.direction === 'output' && encodesUndefined(codec)
    ? anyOf([schema, { type: 'null' }])
    : schema
}

/** Describes a tuple. As in io-ts, further elements are ignored. */
const tupleSchema = (walk: Walk, codecs: ReadonlyArray<Codec>, position: Position): JsonSchema => {
  const canBeMissing = position.direction === 'input' ? acceptsMissing : encodesUndefined
  const minItems = codecs.findLastIndex((codec) => !canBeMissing(codec)) + 1
  return {
    type: 'array',
    ...(codecs.length === 0
      ? {}
      : { prefixItems: codecs.map((codec) => elementSchema(walk, codec, position)) }),
    ...(minItems === 0 ? {} : { minItems }),
  }
}
