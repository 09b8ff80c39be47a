/**
 * Finds the schema inside wrappers that do not change the structure of values, such as XML mappings, optional and
 * nullable codecs, and brands.
 */
import type { Codec } from '../../codec/codec.ts'
import type { Schema } from '../../codec/schema/schema.ts'
import { partsOf } from '../../codec/schema/schema.ts'
import { isStandardType } from '../../codec/standard-schema/standard-schema.ts'
import type { XmlMapping } from '../../codec/structure/known-codec.ts'
import { isXmlType } from '../../codec/structure/known-codec.ts'
import type { LexicalMapping } from './lexical-mapping.ts'
import { hasLexicalMapping, leafMapping, listMapping, unionMapping } from './lexical-mapping.ts'

/** An unwrapped schema, together with the properties that its wrappers add. */
export interface Unwrapped {
  /** The inner schema. `undefined` for a union, and if the only possible values are `null` and `undefined`. */
  readonly core: Schema | undefined
  /** The schemas of a union, except for those of `null` and `undefined`. Empty if there is no union. */
  readonly members: ReadonlyArray<Schema>
  /** The discriminator of a tagged union. `undefined` for any other inner schema. */
  readonly tag: string | undefined
  /** The XML mappings that wrap the inner codec, starting with the outermost. */
  readonly mappings: ReadonlyArray<XmlMapping>
  /** The names of the wrapping codecs and of the inner codec, starting with the outermost. */
  readonly names: ReadonlyArray<string>
  readonly allowsNull: boolean
  readonly allowsUndefined: boolean
  readonly rejectsUndeclared: boolean
}

/** Returns the inner schema of a wrapped schema, together with the properties that the wrappers add. */
export const unwrap = (schema: Schema): Unwrapped => {
  const layers = layersOf(schema)
  const codecs = layers.map(({ reported }) => reported)
  const alternatives = layers.flatMap(alternativesOf).filter((part) => !isMapped(part))
  const present = layers.slice(-1).flatMap(alternativesOf).filter(isPresent)
  const isUnion = present.length > 1
  return {
    core: isUnion ? undefined : present[0],
    members: isUnion ? present : [],
    tag: isUnion ? tagOf(codecs.at(-1)) : undefined,
    mappings: codecs.filter(isXmlType).map(({ mapping }) => mapping),
    // the name of a schema is that of its library
    names: codecs.filter((codec) => !isStandardType(codec)).map(({ name }) => name),
    allowsNull: alternatives.some(isNull),
    allowsUndefined:
      alternatives.some(isUndefined) || layers.some(({ _tag }) => _tag === 'Default'),
    rejectsUndeclared: layers.some(({ position }) => position?.undeclared === 'reject'),
  }
}

const tagOf = (codec: Codec | undefined): string | undefined =>
  codec !== undefined && 'tag' in codec && typeof codec.tag === 'string' ? codec.tag : undefined

/** Returns a schema and the schemas that it wraps, outermost first. */
const layersOf = (schema: Schema): ReadonlyArray<Schema> => {
  const inner = innerOf(schema)
  return inner === undefined ? [schema] : [schema, ...layersOf(inner)]
}

/** Returns the schema inside a wrapper, or `undefined` if the schema is not a wrapper. */
const innerOf = (schema: Schema): Schema | undefined => {
  if (schema.wraps !== undefined) return schema.wraps
  switch (schema._tag) {
    case 'Holding':
      return schema.test
    case 'Refinement':
    case 'Default':
    case 'Masked':
      return schema.inner
    case 'Recursion':
      return schema.target()
    case 'Opaque':
      return schema.structure?.()
    case 'AnyOf':
    case 'Union': {
      const [only, ...others] = alternativesOf(schema).filter(isPresent)
      return others.length === 0 ? only : undefined
    }
    case 'Object':
    case 'Record':
    case 'List':
    case 'Set':
    case 'Tuple':
    case 'Intersection':
    case 'Attempt':
    case 'Anything':
    case 'TypeOf':
    case 'AnyRecord':
    case 'AnyArray':
    case 'OneOf':
      return undefined
  }
}

/** Returns the schemas of a union, or the schema itself. */
const alternativesOf = (schema: Schema): ReadonlyArray<Schema> =>
  schema._tag === 'AnyOf' ? schema.tests : schema._tag === 'Union' ? schema.members : [schema]

const isMapped = ({ reported }: Schema): boolean => isXmlType(reported)

const isNull = (schema: Schema): boolean =>
  schema._tag === 'OneOf' && schema.values.length === 1 && schema.values[0] === null

const isUndefined = (schema: Schema): boolean =>
  schema._tag === 'TypeOf' && schema.type === 'undefined'

/** Whether a schema has values other than `null` and `undefined`, or a mapping. */
const isPresent = (schema: Schema): boolean =>
  isMapped(schema) || (!isNull(schema) && !isUndefined(schema))

type Named<T extends XmlMapping['_tag']> = Extract<XmlMapping, { readonly _tag: T }>

/** Finds the outermost mapping of one of the given kinds. */
export const findMapping = <T extends XmlMapping['_tag']>(
  { mappings }: Unwrapped,
  ...kinds: ReadonlyArray<T>
): Named<T> | undefined => {
  const isOfKind = (mapping: XmlMapping): mapping is Named<T> =>
    kinds.some((kind) => kind === mapping._tag)
  return mappings.find(isOfKind)
}

/** Whether a schema describes lists, sets or tuples with a fixed number of elements. */
export const isCollection = (schema: Schema): boolean =>
  schema._tag === 'List' ||
  schema._tag === 'Set' ||
  (schema._tag === 'Tuple' && schema.rest === undefined)

/** Whether a schema is a collection that maps to repeated elements without a wrapper element. */
export const repeats = (core: Schema, unwrapped: Unwrapped): boolean =>
  isCollection(core) && findMapping(unwrapped, 'ElementWrapper', 'List') === undefined

/** Returns the lexical mapping of a schema, or `undefined` if its values have no representation as text. */
export const lexicalOf = (schema: Schema): LexicalMapping | undefined => {
  const unwrapped = unwrap(schema)
  const { core, members } = unwrapped
  if (core !== undefined) return ofCore(core, findMapping(unwrapped, 'List') !== undefined)
  const texts = members.flatMap((member) => {
    const lexical = lexicalOf(member)
    return lexical === undefined ? [] : [{ codec: member.reported, lexical }]
  })
  return texts.length > 0 && texts.length === members.length ? unionMapping(texts) : undefined
}

const ofCore = (core: Schema, isList: boolean): LexicalMapping | undefined => {
  switch (core._tag) {
    case 'List':
    case 'Set':
    case 'Tuple':
      return isList && isCollection(core) ? ofElements(partsOf(core)) : undefined
    // a brand may be an intersection, whose first codec determines how text is parsed
    case 'Intersection': {
      const parts = core.members.map(lexicalOf)
      return parts.every((part) => part !== undefined) ? parts[0] : undefined
    }
    case 'Anything':
    case 'TypeOf':
    case 'AnyRecord':
    case 'AnyArray':
    case 'OneOf':
    case 'Opaque':
      return hasLexicalMapping(core.reported) ? leafMapping(core.reported) : undefined
    case 'Object':
    case 'Record':
    case 'Attempt':
    // unwrapping removes the following
    case 'AnyOf':
    case 'Union':
    case 'Holding':
    case 'Refinement':
    case 'Default':
    case 'Masked':
    case 'Recursion':
      return undefined
  }
}

const ofElements = (elements: ReadonlyArray<Schema>): LexicalMapping | undefined => {
  const supported = elements.map(lexicalOf).filter((lexical) => lexical !== undefined)
  const last = supported.at(-1)
  if (last === undefined || supported.length < elements.length) return undefined
  // later positions use the last mapping, because the tuple codec rejects surplus values
  return listMapping((position) => supported[position] ?? last)
}
