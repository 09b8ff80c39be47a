/** Reads the structure of a codec into a schema, according to the rules for undeclared and hidden members. */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import { isConstrained } from '../constraint.ts'
import { children, delegatesTo } from '../codec-structure.ts'
import { merge } from '../structure/combine.ts'
import { isGenuine } from '../structure/genuine.ts'
import type { KnownCodec } from '../structure/known-codec.ts'
import { containsObjects, isKnown } from '../structure/known-codec.ts'
import { isRecordKey, literalKeys } from '../structure/undeclared-members.ts'
import type { UndeclaredHandling } from '../structure/undeclared-members.ts'
import { restrictionsIn } from '../visibility/restrictions.ts'
import { fullVisibility, isHidden, maskFor } from '../visibility/visibility.ts'
import type { Visibility } from '../visibility/visibility.ts'
import type { CodecPosition, LeafForm } from './position.ts'
import {
  keyPosition,
  lacksAt,
  hidesAt,
  intersectionPosition,
  isSamePosition,
  memberPosition,
  ownForm,
  rejectsAt,
  relatedCodecs,
  rootPosition,
  unionPosition,
} from './position.ts'
import { readLeaf } from './read-leaf.ts'
import type { Member, OpaqueSchema, Schema, Test, UndeclaredMembers } from './schema.ts'
import { changedMembers, flattenObjects, isTest, visibleIn } from './schema.ts'
import { findTag } from './union-tag.ts'

/**
 * Reads the schema of a codec. The functions of codecs that contain objects or restrictions are not called, because they would copy
 * undeclared and hidden members. Other codecs are opaque if one of their functions was replaced.
 *
 * Each rejected member results in a separate error whose context ends with the member name. If the member is in an intersection,
 * each codec of the intersection reports it. A record declares all keys that its domain accepts. `t.UnknownRecord` and `t.unknown`
 * accept all members. A union uses the first codec that accepts the value.
 */
export const readSchema = (
  codec: Codec,
  undeclared: UndeclaredHandling,
  visibility: Visibility = fullVisibility,
  leafForm: LeafForm = ownForm,
): Schema => {
  const known = new Map<
    Codec,
    Array<{ readonly position: CodecPosition; readonly schema: Schema }>
  >()
  const read: Read = (part, position) => {
    const schemas = known.get(part) ?? []
    known.set(part, schemas)
    const existing = schemas.find((other) => isSamePosition(other.position, position))
    if (existing !== undefined) return existing.schema
    const schema = { ...readCodec(part, position, read), reported: part }
    schemas.push({ position, schema })
    return schema
  }
  return read(codec, rootPosition({ undeclared, visibility, leafForm }))
}

type Read = (codec: Codec, position: CodecPosition) => Schema

const readCodec: (codec: Codec, position: CodecPosition, read: Read) => Schema = (
  codec,
  position,
  read,
) => {
  if (!isKnown(codec)) return masked(codec, position, readLeaf(position.leafForm(codec)))
  if (containsObjects(codec)) return readStructure(codec, position, read)
  const isUnaltered = isGenuine(codec) || children(codec).some((inner) => delegatesTo(codec, inner))
  if (isUnaltered) return readStructure(codec, position, read)
  const form = opaque(position.leafForm(codec))
  return restrictionsIn(codec).length > 0
    ? { ...form, encodes: readStructure(codec, position, read) }
    : masked(codec, position, form)
}

const opaque = (codec: Codec): OpaqueSchema => ({
  _tag: 'Opaque',
  codec,
  encodes: undefined,
  reported: codec,
})

/** Masks the encoded values of a codec if other codecs for the same value hide members. */
const masked = (codec: Codec, position: CodecPosition, inner: Schema): Schema => {
  const mask = maskFor(codec, relatedCodecs(position), position.visibility)
  return mask === undefined ? inner : { _tag: 'Masked', inner, mask, reported: codec }
}

const readStructure = (codec: KnownCodec, position: CodecPosition, read: Read): Schema => {
  const same = (part: Codec): Schema => read(part, position)
  const inner = (part: Codec): Schema => read(part, memberPosition(position))
  const reported = codec
  switch (codec._tag) {
    case 'InterfaceType':
    case 'StrictType':
    case 'PartialType':
      return readObject(codec, codec.props, position, read)
    case 'DictionaryType':
      return readRecord(codec, position, read)
    case 'ArrayType':
    case 'ReadonlyArrayType':
      return { _tag: 'List', element: inner(codec.type), reported }
    case 'SetType':
      return {
        _tag: 'Set',
        element: inner(codec.codec),
        arrange: codec.arrange,
        reported,
      }
    case 'TupleType':
      return {
        _tag: 'Tuple',
        elements: codec.types.map(inner),
        isCopied: isRebuilt(codec),
        reported,
      }
    case 'UnionType':
      return readUnion(codec, position, read)
    case 'IntersectionType':
      return readIntersection(codec, position, read)
    case 'RefinementType': {
      const refined = same(codec.type)
      const holds = codec.predicate
      const constrains = isConstrained(codec)
      return isTest(refined)
        ? { _tag: 'Holding', test: refined, holds, constrains, reported }
        : { _tag: 'Refinement', inner: refined, holds, constrains, reported }
    }
    case 'RecursiveType':
      return { _tag: 'Recursion', target: once(() => same(codec.type)), reported }
    case 'WithDefaultType':
      return {
        _tag: 'Default',
        inner: same(codec.codec),
        defaultValue: codec.defaultValue,
        reported,
      }
    case 'AttemptType':
      return { _tag: 'Attempt', inner: same(codec.codec), reported }
    case 'ReadonlyType':
    case 'ExactType':
      return same(codec.type)
    case 'ExactlyType':
      return read(codec.codec, { ...position, undeclared: 'reject' })
    case 'EncodedType':
    case 'CombinedType':
    case 'SeparatedType':
    case 'XmlType':
      return same(codec.codec)
    case 'RestrictedType': {
      const visible = same(codec.codec)
      // a hidden value that is not an object member is encoded as `undefined`
      return isHidden(codec, position.visibility)
        ? { _tag: 'Masked', inner: visible, mask: () => undefined, reported }
        : visible
    }
  }
}

/** Whether a codec is processed by its structure even if it does not change values. */
const isRebuilt = (codec: Codec): boolean =>
  containsObjects(codec) || restrictionsIn(codec).length > 0

const once = <A>(create: () => A): (() => A) => {
  let created: A | undefined
  return () => (created ??= create())
}

const readObject = (
  codec: KnownCodec,
  props: Readonly<Record<string, Codec>>,
  position: CodecPosition,
  read: Read,
): Schema => {
  const required = codec._tag !== 'PartialType'
  const hides = hidesAt(position)
  const mayLack = lacksAt(position)
  const members = Object.keys(props).flatMap((key): ReadonlyArray<Member> => {
    const member = props[key]
    if (member === undefined) return []
    const declared = read(member, memberPosition(position, key))
    const schema = mayLack(key, member) ? optionalSchema(declared) : declared
    return [{ key, schema, required, hidden: hides(key, member) }]
  })
  return {
    _tag: 'Object',
    members,
    changed: changedMembers(members),
    isVisible: visibleIn(members),
    undeclared: undeclaredAt(position, members),
    merged: undefined,
    reported: codec,
  }
}

/** Returns a schema that also accepts `undefined`. */
const optionalSchema = (schema: Schema): Schema => {
  const missing: Test = { _tag: 'TypeOf', type: 'undefined', reported: t.undefined }
  const { reported } = schema
  return isTest(schema)
    ? { _tag: 'AnyOf', tests: [schema, missing], reported }
    : { _tag: 'Union', members: [schema, missing], tag: undefined, reported }
}

const undeclaredAt = (
  position: CodecPosition,
  members: ReadonlyArray<Member>,
): UndeclaredMembers => {
  const hidden = new Set(members.filter((member) => member.hidden).map(({ key }) => key))
  const rejects = rejectsAt(position)
  return {
    areDropped: position.undeclared === 'drop',
    isRejected: (name) => rejects(name) && !hidden.has(name),
  }
}

/** Reads a record. As in io-ts, a record with literal keys is an object. */
const readRecord = (
  codec: t.DictionaryType<Codec, Codec>,
  position: CodecPosition,
  read: Read,
): Schema => {
  const keys = literalKeys(codec.domain)
  if (keys !== undefined) {
    const props = Object.fromEntries(keys.map((key) => [key, codec.codomain]))
    return readObject(codec, props, position, read)
  }
  return masked(codec, position, {
    _tag: 'Record',
    domain: read(codec.domain, keyPosition),
    isKey: isRecordKey(codec.domain),
    codomain: read(codec.codomain, memberPosition(position)),
    undeclared: undeclaredAt(position, []),
    acceptsArrays: codec.codomain._tag === 'AnyType',
    reported: codec,
  })
}

const readIntersection = (
  codec: t.IntersectionType<Codec[]>,
  position: CodecPosition,
  read: Read,
): Schema => {
  const members = codec.types.map((part, index) =>
    read(part, intersectionPosition(position, codec.types, index)),
  )
  const intersection = { _tag: 'Intersection', members, reported: codec } as const
  // if an intersection contains no objects, io-ts merges and encodes differently
  if (!isRebuilt(codec) && position.leafForm === ownForm) {
    const mergeByCodec = (value: unknown, results: ReadonlyArray<unknown>): unknown =>
      results.every((result) => result === value) ? value : decodeAccepted(codec, value)
    return masked(codec, position, { ...intersection, merge: mergeByCodec, encodedBy: codec })
  }
  const object = flattenObjects(members)
  return object === undefined
    ? { ...intersection, merge, encodedBy: undefined }
    : { ...object, _tag: 'Object', reported: codec }
}

/** Decodes a value that is accepted by all codecs in an intersection. */
const decodeAccepted = (codec: Codec, value: unknown): unknown =>
  E.getOrElseW((): unknown => value)(codec.decode(value))

const readUnion = (
  codec: t.UnionType<[Codec, ...Codec[]]>,
  position: CodecPosition,
  read: Read,
): Schema => {
  const { types } = codec
  const isTagged = 'tag' in codec || position.visibility === fullVisibility
  const members = types.map((part) =>
    read(part, isTagged ? position : unionPosition(position, types, part)),
  )
  if (members.every(isTest)) return { _tag: 'AnyOf', tests: members, reported: codec }
  const isOpaque = (part: Codec): boolean => isHiddenRestriction(part, position)
  const tag = findTag(types, isOpaque)
  const tests = tag?.values.map((values, index): Test => {
    const [reported = codec] = types.slice(index)
    return { _tag: 'OneOf', values, reported }
  })
  return {
    _tag: 'Union',
    members,
    tag: tag === undefined || tests === undefined ? undefined : { key: tag.key, tests },
    reported: codec,
  }
}

const isHiddenRestriction = (codec: Codec, { visibility }: CodecPosition): boolean =>
  codec._tag === 'RestrictedType' && isHidden(codec, visibility)
