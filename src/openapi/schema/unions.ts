/** Describes unions and intersections. */
import type { Codec } from '../../codec/codec.ts'
import type { CodecTag } from '../../codec/schema/union-tag.ts'
import { findTag } from '../../codec/schema/union-tag.ts'
import type { JsonSchema } from '../../codec/json-schema.ts'
import { children } from '../../codec/codec-structure.ts'
import { allOf, anyOf } from './combine-schemas.ts'
import { intersectionPosition, unionPosition } from '../../codec/schema/position.ts'
import type { Position, Walk } from './walk.ts'

/** Describes a union. Missing values are not described, because JSON has none. */
export const unionSchema = (walk: Walk, codec: Codec, position: Position): JsonSchema => {
  const types = children(codec).filter(
    ({ _tag }) => _tag !== 'UndefinedType' && _tag !== 'VoidType',
  )
  const tag = 'tag' in codec ? findTag(types, () => false) : undefined
  const schemas = types.map((type) =>
    walk.schemaOf(type, tag === undefined ? unionPosition(position, types, type) : position),
  )
  return tag === undefined ? anyOf(schemas) : taggedUnion(schemas, tag)
}

/** Describes a tagged union. A `discriminator` requires that all schemas are references. */
const taggedUnion = (schemas: ReadonlyArray<JsonSchema>, { key, values }: CodecTag): JsonSchema => {
  const mapping = schemas.flatMap(({ $ref: reference }, index) =>
    reference === undefined
      ? [undefined]
      : (values[index] ?? [])
          .filter((value) => typeof value === 'string')
          .map((value) => [value, reference] as const),
  )
  const entries = mapping.filter((entry) => entry !== undefined)
  return entries.length === mapping.length && entries.length > 0
    ? { oneOf: schemas, discriminator: { propertyName: key, mapping: Object.fromEntries(entries) } }
    : { oneOf: schemas }
}

/** Describes several codecs for the same value. */
export const intersectionSchema = (
  walk: Walk,
  codecs: ReadonlyArray<Codec>,
  position: Position,
): JsonSchema =>
  allOf(
    codecs.map((codec, index) =>
      walk.schemaOf(codec, intersectionPosition(position, codecs, index)),
    ),
  )
