/** Describes unions and intersections. */
import type { Codec } from '../../codec/codec.ts'
import { tagValues } from '../../codec/schema/union-tag.ts'
import type { JsonSchema } from '../../codec/json-schema.ts'
import { children } from '../../codec/structure/codec-structure.ts'
import { allOf, anyOf } from './combine-schemas.ts'
import { intersectionPosition, unionPosition } from '../../codec/schema/position.ts'
import type { Position, Walk } from './walk.ts'

/** Describes a union. Missing values are not described, because JSON has none. */
export const unionSchema = (walk: Walk, codec: Codec, position: Position): JsonSchema => {
  const types = children(codec).filter(
    ({ _tag }) => _tag !== 'UndefinedType' && _tag !== 'VoidType',
  )
  const tag = 'tag' in codec && typeof codec.tag === 'string' ? codec.tag : undefined
  const schemas = types.map((type) =>
    walk.schemaOf(type, tag === undefined ? unionPosition(position, types, type) : position),
  )
  return tag === undefined ? anyOf(schemas) : taggedUnion(types, schemas, tag)
}

/** Describes a tagged union. A `discriminator` requires that all schemas are references. */
const taggedUnion = (
  types: ReadonlyArray<Codec>,
  schemas: ReadonlyArray<JsonSchema>,
  tag: string,
): JsonSchema => {
  const mapping = types.flatMap((type, index) => {
    const reference = schemas[index]?.$ref
    const values = tagValues(type, tag)?.filter((value) => typeof value === 'string')
    return reference === undefined || values === undefined
      ? [undefined]
      : values.map((value) => [value, reference] as const)
  })
  const entries = mapping.filter((entry) => entry !== undefined)
  return entries.length === mapping.length && entries.length > 0
    ? { oneOf: schemas, discriminator: { propertyName: tag, mapping: Object.fromEntries(entries) } }
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
