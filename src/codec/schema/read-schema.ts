/** Creates a schema from the structure of a codec. */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import type { UndeclaredPolicy } from '../structure/undeclared-members.ts'
import { hasUndeclaredPolicy, literalKeys } from '../structure/undeclared-members.ts'
import { strict } from '../strict.ts'
import type { KnownCodec } from '../structure/known-codec.ts'
import { containsObjects, isKnown } from '../structure/known-codec.ts'
import { hasSameDecoding } from '../visibility/visibility.ts'
import { isConstrained } from '../constraint.ts'
import { merge } from '../structure/combine.ts'
import { children, delegatesTo } from '../structure/codec-structure.ts'
import { flattenObjects, isTest, visibleIn } from './schema.ts'
import { isGenuine } from '../structure/genuine.ts'
import { readLeaf, tagValues } from './read-leaf.ts'
import type {
  SchemaWithDefinitions,
  Member,
  OpaqueSchema,
  Schema,
  Test,
  UndeclaredMembers,
} from './schema.ts'

/**
 * Maximum number of recursive codecs to read. Further recursive codecs are treated as opaque. The limit is necessary because a
 * definition can return a new recursive codec on each call.
 */
const maxDefinitions = 64

/** Creates a schema from the exact form of a codec (`codec/strict.ts`). */
export const readSchema = (form: Codec): SchemaWithDefinitions => {
  const definitions: Schema[] = []
  const positions = new Map<Codec, number>()
  const recursive = (codec: t.RecursiveType<Codec>): Schema => {
    const position = positions.get(codec)
    if (position !== undefined)
      return { _tag: 'Recursion', definition: position, codec, reported: codec }
    if (definitions.length >= maxDefinitions) return opaque(codec)
    const definition = definitions.push(opaque(codec)) - 1
    positions.set(codec, definition)
    definitions[definition] = read(codec.type)
    return { _tag: 'Recursion', definition, codec, reported: codec }
  }
  const read = (codec: Codec): Schema => {
    if (isKnown(codec)) return { ...readKnown(codec, read, recursive), reported: codec }
    return hasSameDecoding(codec) ? opaque(codec, read(codec.decodesAs)) : readLeaf(codec)
  }
  return { schema: read(form), definitions }
}

const opaque = (codec: Codec, decodes?: Schema): OpaqueSchema => ({
  _tag: 'Opaque',
  codec,
  decodes,
  reported: codec,
})

type Read = (codec: Codec) => Schema

const readKnown = (
  codec: KnownCodec,
  read: Read,
  recursive: (codec: t.RecursiveType<Codec>) => Schema,
): Schema => {
  switch (codec._tag) {
    case 'InterfaceType':
    case 'StrictType':
    case 'PartialType':
      return hasUndeclaredPolicy(codec) ? readObject(codec, codec.props, read) : opaque(codec)
    case 'DictionaryType':
      return hasUndeclaredPolicy(codec) ? readRecord(codec, read) : opaque(codec)
    case 'ReadonlyType':
    case 'ExactType':
    case 'EncodedType':
    case 'CombinedType':
    case 'SeparatedType':
    case 'XmlType': {
      const [inner] = children(codec)
      return inner !== undefined && delegatesTo(codec, inner) ? read(inner) : opaque(codec)
    }
    case 'ExactlyType':
      // without objects that could reject undeclared members, this codec decodes like the inner codec
      return isUnaltered(codec) && !containsObjects(codec)
        ? opaque(codec, read(codec.codec))
        : opaque(codec)
    default:
      return isGenuine(codec) ? readGenuine(codec, read, recursive) : opaque(codec)
  }
}

/** Whether a strict codec still has its original `validate` function. */
const isUnaltered = ({ validate }: Codec): boolean =>
  String(validate) === String(strict(t.string).validate)

type Genuine = Extract<
  KnownCodec,
  {
    readonly _tag:
      | 'ArrayType'
      | 'ReadonlyArrayType'
      | 'SetType'
      | 'TupleType'
      | 'UnionType'
      | 'IntersectionType'
      | 'RefinementType'
      | 'RecursiveType'
      | 'RestrictedType'
      | 'AttemptType'
      | 'WithDefaultType'
  }
>

const readGenuine = (
  codec: Genuine,
  read: Read,
  recursive: (codec: t.RecursiveType<Codec>) => Schema,
): Schema => {
  const base = { codec, reported: codec }
  switch (codec._tag) {
    case 'ArrayType':
    case 'ReadonlyArrayType':
      return { ...base, _tag: 'List', element: read(codec.type) }
    case 'SetType':
      return {
        ...base,
        _tag: 'Set',
        element: read(codec.codec),
        arrange: (values) => codec.arrange(values, codec.codec),
      }
    case 'TupleType': {
      const elements = codec.types.map(read)
      return { ...base, _tag: 'Tuple', elements, isCopied: containsObjects(codec) }
    }
    case 'UnionType':
      return readUnion(codec, codec.types.map(read))
    case 'IntersectionType':
      return readIntersection(codec, codec.types.map(read))
    case 'RefinementType': {
      const inner = read(codec.type)
      return isTest(inner)
        ? {
            _tag: 'Holding',
            test: inner,
            holds: codec.predicate,
            constrains: isConstrained(codec),
            reported: codec,
          }
        : { ...base, _tag: 'Refinement', inner, holds: codec.predicate }
    }
    case 'RecursiveType':
      return recursive(codec)
    case 'RestrictedType':
      // exact forms do not contain restrictions
      return opaque(codec)
    case 'AttemptType':
      return opaque(codec, { ...base, _tag: 'Attempt', inner: read(codec.codec) })
    case 'WithDefaultType':
      return {
        ...base,
        _tag: 'Default',
        inner: read(codec.codec),
        defaultValue: codec.defaultValue,
      }
  }
}

const readObject = (
  codec: KnownCodec & UndeclaredPolicy,
  props: Readonly<Record<string, Codec>>,
  read: Read,
): Schema => {
  const required = codec._tag !== 'PartialType'
  const members = Object.keys(props).flatMap((key): ReadonlyArray<Member> => {
    const member = props[key]
    const hidden = codec.hidden?.has(key) ?? false
    return member === undefined ? [] : [{ key, schema: read(member), required, hidden }]
  })
  const undeclared = undeclaredOf(codec)
  const object: Schema = {
    _tag: 'Object',
    members,
    isVisible: visibleIn(members),
    undeclared,
    merged: undefined,
    codec,
    reported: codec,
  }
  return members.some(({ key }) => isInherited(key)) ? opaque(codec, object) : object
}

/** Whether plain objects inherit a member with this name. Generated functions cannot detect that such a member is missing. */
const isInherited = (key: string): boolean => key in {}

const undeclaredOf = ({ undeclared, rejects }: UndeclaredPolicy): UndeclaredMembers => ({
  areDropped: undeclared === 'drop',
  isRejected: rejects,
})

/** Creates the schema for a record. As in io-ts, a record with literal keys is treated as an object. */
const readRecord = (
  codec: t.DictionaryType<Codec, Codec> & UndeclaredPolicy,
  read: Read,
): Schema => {
  const domain = read(codec.domain)
  if (!isTest(domain)) return opaque(codec)
  if (isOpen(domain))
    return {
      _tag: 'Record',
      domain,
      codomain: read(codec.codomain),
      undeclared: undeclaredOf(codec),
      acceptsArrays: codec.codomain._tag === 'AnyType',
      codec,
      reported: codec,
    }
  const keys = literalKeys(codec.domain)
  const props = Object.fromEntries(keys?.map((key) => [key, codec.codomain]) ?? [])
  return keys === undefined ? opaque(codec) : opaque(codec, readObject(codec, props, read))
}

/** Whether the set of strings that a test accepts is open, rather than a fixed set of literals. */
const isOpen = (test: Test): boolean => {
  switch (test._tag) {
    case 'Anything':
    case 'TypeOf':
      return true
    case 'Holding':
      return isOpen(test.test)
    default:
      return false
  }
}

const readIntersection = (
  codec: t.IntersectionType<Codec[]>,
  members: ReadonlyArray<Schema>,
): Schema => {
  const intersection = { members, codec, reported: codec }
  // not a test, because the `encode` function of an io-ts intersection is not the identity
  if (members.length > 0 && members.every(isTest)) {
    const inner = { _tag: 'AllOf', tests: members, reported: codec } as const
    return { _tag: 'Refinement', inner, holds: () => true, codec, reported: codec }
  }
  // if an intersection contains no objects, io-ts merges and encodes differently
  if (!containsObjects(codec)) {
    const mergeByCodec = (value: unknown, results: ReadonlyArray<unknown>): unknown =>
      results.every((result) => result === value) ? value : decodeAccepted(codec, value)
    return opaque(codec, { ...intersection, _tag: 'Intersection', merge: mergeByCodec })
  }
  const object = flattenObjects(members)
  return object === undefined
    ? { ...intersection, _tag: 'Intersection', merge }
    : { ...intersection, ...object, _tag: 'Object' }
}

/** Decodes a value that is accepted by all codecs in an intersection. */
const decodeAccepted = (codec: Codec, value: unknown): unknown =>
  E.getOrElseW((): unknown => value)(codec.decode(value))

const readUnion = (codec: t.UnionType<Codec[]>, members: ReadonlyArray<Schema>): Schema => {
  if (members.every(isTest)) return { _tag: 'AnyOf', tests: members, reported: codec }
  const union = { _tag: 'Union', members, codec, reported: codec } as const
  if (!isTagged(codec)) return { ...union, tag: undefined }
  const tests = codec.types.map((member): Test | undefined => {
    const values = tagValues(member, codec.tag)
    return values === undefined ? undefined : { _tag: 'OneOf', values, reported: member }
  })
  return tests.every((test) => test !== undefined)
    ? { ...union, tag: { key: codec.tag, tests } }
    : opaque(codec)
}

const isTagged = (codec: Codec): codec is Codec & { readonly tag: string } =>
  'tag' in codec && typeof codec.tag === 'string'
