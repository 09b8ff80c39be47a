/** Describes unions and intersections. */
import type { Codec } from '../../codec/codec.ts'
import { tagValues } from '../../codec/generated/read-leaf.ts'
import type { JsonSchema } from '../../codec/json-schema.ts'
import { children, members, unwrap, wrapped } from '../../codec/structure/codec-structure.ts'
import { declaredCodecs } from '../../codec/structure/undeclared-members.ts'
import { allOf, anyOf } from './combine-schemas.ts'
import type { Declarations } from './objects.ts'
import { isRestrictive, objectSchema } from './objects.ts'
import type { Position, Walk } from './walk.ts'

/** Describes a union. Missing values are not described, because JSON has none. */
export const unionSchema = (walk: Walk, codec: Codec, position: Position): JsonSchema => {
  const types = children(codec).filter(
    ({ _tag }) => _tag !== 'UndefinedType' && _tag !== 'VoidType',
  )
  const tag = 'tag' in codec && typeof codec.tag === 'string' ? codec.tag : undefined
  const schemas = types.map((type) =>
    walk.schemaOf(type, tag === undefined ? withRelated(type, types, position) : position),
  )
  return tag === undefined ? anyOf(schemas) : taggedUnion(types, schemas, tag)
}

/** Adds the other codecs for the same value, if they restrict members. */
const withRelated = (codec: Codec, all: ReadonlyArray<Codec>, position: Position): Position => {
  const others = all.filter((other) => other !== codec && isRestrictive(other))
  return others.length === 0
    ? position
    : { ...position, related: [...new Set([...position.related, ...others])] }
}

/** Describes a tagged union. A `discriminator` requires that all schemas are references. */
const taggedUnion = (
  types: ReadonlyArray<Codec>,
  schemas: ReadonlyArray<JsonSchema>,
  tag: string,
): JsonSchema => {
  const mapping = types.flatMap((type, index) => {
    const reference = schemas[index]?.$ref
    const values = tagValues(unwrapTag(type), tag)?.filter((value) => typeof value === 'string')
    return reference === undefined || values === undefined
      ? [undefined]
      : values.map((value) => [value, reference] as const)
  })
  const entries = mapping.filter((entry) => entry !== undefined)
  return entries.length === mapping.length && entries.length > 0
    ? { oneOf: schemas, discriminator: { propertyName: tag, mapping: Object.fromEntries(entries) } }
    : { oneOf: schemas }
}

const unwrapTag = (codec: Codec): Codec =>
  codec._tag === 'AnnotatedType' || codec._tag === 'XmlType'
    ? unwrapTag(children(codec)[0] ?? codec)
    : codec

/** Describes several codecs for the same value. */
export const intersectionSchema = (
  walk: Walk,
  codecs: ReadonlyArray<Codec>,
  position: Position,
): JsonSchema =>
  position.rejectsUndeclared && !position.isOpen
    ? closedIntersection(walk, codecs, position)
    : allOf(codecs.map((codec) => walk.schemaOf(codec, withRelated(codec, codecs, position))))

/** Maximum number of alternatives into which the unions of an intersection are expanded. */
const maxAlternatives = 64

/**
 * Describes an intersection that rejects undeclared members. Each codec accepts the members of the others, so that none of their
 * schemas can reject undeclared members on its own. Unions are expanded, because each of their codecs declares other members.
 */
const closedIntersection = (
  walk: Walk,
  codecs: ReadonlyArray<Codec>,
  position: Position,
): JsonSchema => {
  const expanded = codecs.map(alternativesOf)
  const count = expanded.reduce((product, { length }) => product * length, 1)
  const combinations =
    count > maxAlternatives
      ? [codecs]
      : expanded.reduce<ReadonlyArray<ReadonlyArray<Codec>>>(
          (all, alternatives) =>
            all.flatMap((parts) => alternatives.map((codec) => [...parts, codec])),
          [[]],
        )
  return anyOf(combinations.map((parts) => closedParts(walk, parts.flatMap(partsOf), position)))
}

const alternativesOf = (codec: Codec): ReadonlyArray<Codec> => {
  const core = unwrap(codec)
  return core._tag === 'UnionType' &&
    children(core).some((type) => declaredCodecs()(type).length > 0)
    ? children(core).flatMap(alternativesOf)
    : [codec]
}

/** Returns the codecs of nested intersections. */
const partsOf = (codec: Codec): ReadonlyArray<Codec> => {
  const core = unwrap(codec)
  return core._tag === 'IntersectionType' ? children(core).flatMap(partsOf) : [codec]
}

const closedParts = (walk: Walk, codecs: ReadonlyArray<Codec>, position: Position): JsonSchema => {
  const objects = codecs.map(declarationsOf)
  const declarations = objects.filter((object) => object !== undefined)
  const related = [...new Set([...position.related, ...codecs.filter(isRestrictive)])]
  const intersect = (parts: ReadonlyArray<Codec>, at: Position): JsonSchema =>
    intersectionSchema(walk, parts, at)
  if (declarations.length === codecs.length)
    return objectSchema(walk, declarations, { ...position, related }, intersect)
  const others = codecs.filter((_, index) => objects[index] === undefined)
  const open = { ...position, related, isOpen: true }
  const schemas = [
    ...(declarations.length === 0 ? [] : [objectSchema(walk, declarations, open, intersect)]),
    ...others.map((codec) => walk.schemaOf(codec, open)),
  ]
  const isClosed =
    declarations.length > 0 &&
    codecs.every((codec) => declaredCodecs(undeclaredName)(codec).length === 0)
  const schema = allOf(schemas)
  return isClosed ? { ...schema, unevaluatedProperties: false } : schema
}

/** A name that only codecs that accept arbitrary members declare. */
const undeclaredName = '\u0000undeclared'

/** Returns the declarations of an object codec inside wrappers. Returns `undefined` for other codecs. */
const declarationsOf = (codec: Codec): Declarations | undefined => {
  const props = members(codec)
  if (props !== undefined) return { props, isPartial: codec._tag === 'PartialType' }
  const inner = wrapped(codec)
  return inner === undefined ? undefined : declarationsOf(inner)
}
