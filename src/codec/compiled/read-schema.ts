/** Reads what a codec means off its structure. */
import type * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import { isConfined } from '../confined.ts'
import type { KnownCodec } from '../known-codec.ts'
import { holdsObjects, isKnown } from '../known-codec.ts'
import { children } from '../structure.ts'
import { isGenuine, passesOn } from './genuine.ts'
import { flattened } from './flattened.ts'
import { readLeaf } from './read-leaf.ts'
import type { Described, Member, Opaque, Schema, Test } from './schema.ts'
import { isTest } from './schema.ts'

/** A recursive codec whose definition makes another one each time that it is asked is opaque beyond this depth. */
const mostDefinitions = 64

/** The schema of an exact form, as `codec/exact.ts` makes it. */
export const readSchema = (form: Codec): Described => {
  const definitions: Schema[] = []
  const positions = new Map<Codec, number>()
  const recursive = (codec: t.RecursiveType<Codec>): Schema => {
    const known = positions.get(codec)
    if (known !== undefined) return { _tag: 'Recursion', definition: known, codec }
    if (definitions.length >= mostDefinitions) return opaque(codec)
    const definition = definitions.push(opaque(codec)) - 1
    positions.set(codec, definition)
    definitions[definition] = read(codec.type)
    return { _tag: 'Recursion', definition, codec }
  }
  const read = (codec: Codec): Schema =>
    isKnown(codec) ? readKnown(codec, read, recursive) : readLeaf(codec)
  return { schema: read(form), definitions }
}

const opaque = (codec: Codec): Opaque => ({ _tag: 'Opaque', codec })

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
      return readObject(codec, read)
    case 'DictionaryType':
      return readRecord(codec, read)
    case 'ReadonlyType':
    case 'ExactType':
    case 'EncodedType':
    case 'SeparatedType': {
      const [inner] = children(codec)
      return inner !== undefined && passesOn(codec, inner) ? read(inner) : opaque(codec)
    }
    case 'RestrictedType':
      // a form of which nothing is hidden, or that stands in a member that is
      return isGenuine(codec) ? read(codec.codec) : opaque(codec)
    case 'AttemptType':
    case 'ExactlyType':
      return opaque(codec)
    default:
      return isGenuine(codec) ? readGenuine(codec, read, recursive) : opaque(codec)
  }
}

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
      | 'WithDefaultType'
  }
>

const readGenuine = (
  codec: Genuine,
  read: Read,
  recursive: (codec: t.RecursiveType<Codec>) => Schema,
): Schema => {
  switch (codec._tag) {
    case 'ArrayType':
    case 'ReadonlyArrayType':
      return { _tag: 'List', element: read(codec.type), codec }
    case 'SetType':
      return { _tag: 'Set', element: read(codec.codec), arrange: codec.arrange, codec }
    case 'TupleType':
      return { _tag: 'Tuple', elements: codec.types.map(read), codec }
    case 'UnionType':
      return readUnion(codec, codec.types.map(read))
    case 'IntersectionType': {
      const members = codec.types.map(read)
      const [first, ...others] = members
      if (first !== undefined && isTest(first) && others.every(isTest))
        return {
          _tag: 'Refinement',
          inner: first,
          holds: (value) => codec.types.slice(1).every(({ is }) => is(value)),
          codec,
        }
      // io-ts puts values without objects together in a way of its own
      if (!holdsObjects(codec)) return opaque(codec)
      return flattened(members, codec) ?? { _tag: 'Intersection', members, codec }
    }
    case 'RefinementType': {
      const inner = read(codec.type)
      return isTest(inner)
        ? { _tag: 'Holding', test: inner, holds: codec.predicate }
        : { _tag: 'Refinement', inner, holds: codec.predicate, codec }
    }
    case 'RecursiveType':
      return recursive(codec)
    case 'WithDefaultType':
      return {
        _tag: 'Default',
        inner: read(codec.codec),
        byDefault: codec.byDefault,
        codec,
      }
  }
}

/** A member whose name every object has by itself is found where it is not, so such an object is left to io-ts. */
const isInherited = (key: string): boolean => key in {}

const readObject = (
  codec: Extract<KnownCodec, { readonly props: unknown }>,
  read: Read,
): Schema => {
  if (!isConfined(codec)) return opaque(codec)
  const keys = Object.keys(codec.props)
  if (keys.some(isInherited)) return opaque(codec)
  const required = codec._tag !== 'PartialType'
  const members = keys.flatMap((key): ReadonlyArray<Member> => {
    const member = codec.props[key]
    const hidden = codec.hidden?.has(key) ?? false
    return member === undefined ? [] : [{ key, schema: read(member), required, hidden }]
  })
  return { _tag: 'Object', members, drops: codec.undeclared === 'drop', merged: false, codec }
}

/** A record whose keys are known one by one is read as an object by io-ts, and left to it. */
const readRecord = (codec: t.DictionaryType<Codec, Codec>, read: Read): Schema => {
  if (!isConfined(codec)) return opaque(codec)
  const domain = read(codec.domain)
  return isTest(domain) && isOpen(domain)
    ? {
        _tag: 'Record',
        domain,
        codomain: read(codec.codomain),
        drops: codec.undeclared === 'drop',
        codec,
      }
    : opaque(codec)
}

/** Whether a test takes texts that it does not list. */
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

const readUnion = (codec: t.UnionType<Codec[]>, members: ReadonlyArray<Schema>): Schema => {
  if (members.every(isTest)) return { _tag: 'AnyOf', tests: members }
  if (!isTagged(codec)) return { _tag: 'Union', members, tag: undefined, codec }
  const tests = members.map((member) => tagTest(member, codec.tag))
  return tests.every((test) => test !== undefined)
    ? { _tag: 'Union', members, tag: { key: codec.tag, tests }, codec }
    : opaque(codec)
}

const isTagged = (codec: Codec): codec is Codec & { readonly tag: string } =>
  'tag' in codec && typeof codec.tag === 'string'

/** What the member of a tagged union asks of the tag. */
const tagTest = (schema: Schema, tag: string): Test | undefined => {
  if (schema._tag === 'Refinement') return tagTest(schema.inner, tag)
  if (schema._tag !== 'Object') return undefined
  const found = schema.members.find(({ key }) => key === tag)?.schema
  return found?._tag === 'OneOf' ? found : undefined
}
