/** Reads the structure of a codec into a schema, according to the rules for undeclared and hidden members. */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { isAnnotated } from '../annotated.ts'
import type { Codec } from '../codec.ts'
import { isConstrained } from '../constraint.ts'
import { children, delegatesTo } from '../codec-structure.ts'
import { merge } from '../structure/merge.ts'
import { isGenuine } from '../structure/genuine.ts'
import type { KnownCodec } from '../structure/known-codec.ts'
import { containsObjects, isKnown } from '../structure/known-codec.ts'
import { declaredKeys, isRecordKey, literalKeys } from '../structure/undeclared-members.ts'
import type { UndeclaredHandling } from '../structure/undeclared-members.ts'
import { restrictionsIn } from '../visibility/restrictions.ts'
import { fullVisibility, isHidden, maskFor, partialView } from '../visibility/visibility.ts'
import type { Visibility } from '../visibility/visibility.ts'
import type { CodecPosition, LeafForm, SchemaRules } from './position.ts'
import {
  keyPosition,
  intersectionPosition,
  isSamePosition,
  memberPosition,
  ownForm,
  rejectsAt,
  relatedCodecs,
  relevantPosition,
  restrictionsAt,
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
): Schema => schemaReader({ undeclared, visibility, leafForm })(codec)

/** Returns a function that reads codecs according to the same rules. The schemas of codecs that occur more than once are shared. */
export const schemaReader = (rules: SchemaRules): ((codec: Codec) => Schema) => {
  const known = new Map<
    Codec,
    Array<{ readonly position: CodecPosition; readonly schema: Schema }>
  >()
  const root = rootPosition(rules)
  const read: Read = (part, declaredPosition) => {
    const position = relevantPosition(part, declaredPosition)
    const schemas = known.get(part) ?? []
    known.set(part, schemas)
    const existing = schemas.find((other) => isSamePosition(other.position, position))
    if (existing !== undefined) return existing.schema
    const schema = { ...readCodec(part, position, read), reported: part, position }
    schemas.push({ position, schema })
    return schema
  }
  return (codec) => read(codec, root)
}

type Read = (codec: Codec, position: CodecPosition) => Schema

const readCodec: (codec: Codec, position: CodecPosition, read: Read) => Schema = (
  codec,
  position,
  read,
) => {
  if (isAnnotated(codec) && delegatesTo(codec, codec.annotatedCodec))
    return wrap(read(codec.annotatedCodec, position))
  if (!isKnown(codec)) return masked(codec, position, readLeaf(position.leafForm(codec)))
  if (containsObjects(codec)) return readStructure(codec, position, read)
  const isUnaltered = isGenuine(codec) || children(codec).some((inner) => delegatesTo(codec, inner))
  if (isUnaltered) return readStructure(codec, position, read)
  const structure = once(() => readStructure(codec, position, read))
  const form: OpaqueSchema = {
    _tag: 'Opaque',
    codec: position.leafForm(codec),
    encodes: undefined,
    structure,
    reported: codec,
  }
  return restrictionsIn(codec).length > 0
    ? { ...form, encodes: structure() }
    : masked(codec, position, form)
}

/** Returns the schema of a wrapper that has no effect on values. */
const wrap = (inner: Schema): Schema => ({ ...inner, wraps: inner })

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
    case 'SegmentsType':
      return { _tag: 'List', element: inner(codec.codec), reported }
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
        rest: undefined,
        reported,
      }
    case 'RestTupleType':
      return {
        _tag: 'Tuple',
        elements: codec.elements.map(inner),
        rest: inner(codec.rest),
        reported,
      }
    case 'UnionType':
      return readUnion(codec, position, read)
    case 'IntersectionType':
      return readIntersection(codec, position, read)
    case 'RefinementType': {
      const refined = same(codec.type)
      const holds = codec.predicate
      const constraint = isConstrained(codec) ? codec.constraint : undefined
      return isTest(refined)
        ? { _tag: 'Holding', test: refined, holds, constraint, reported }
        : { _tag: 'Refinement', inner: refined, holds, constraint, reported }
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
      return wrap(same(codec.type))
    case 'ExactlyType':
      return wrap(
        read(
          codec.codec,
          position.undeclared === 'drop' ? { ...position, undeclared: 'reject' } : position,
        ),
      )
    case 'EncodedType':
    case 'CombinedType':
    case 'SeparatedType':
    case 'XmlType':
      return wrap(same(codec.codec))
    case 'RestrictedType': {
      const visible = same(codec.codec)
      // a hidden value that is not an object member is encoded as `undefined`
      return isHidden(codec, position.visibility)
        ? { _tag: 'Masked', inner: visible, mask: () => undefined, reported }
        : wrap(visible)
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
  const { visibility } = position
  const restrictionsOf = restrictionsAt(position)
  const members = Object.keys(props).flatMap((key): ReadonlyArray<Member> => {
    const member = props[key]
    if (member === undefined) return []
    const restrictions = restrictionsOf(key, member)
    const declared = read(member, memberPosition(position, key))
    // a received object can lack a member that a view or a role can hide
    const mayLack = visibility === partialView && restrictions.length > 0
    const schema = mayLack ? optionalSchema(declared) : declared
    return [{ key, schema, required, hidden: restrictions.some(visibility.hides), restrictions }]
  })
  return {
    _tag: 'Object',
    members,
    changed: changedMembers(members),
    isVisible: visibleIn(members),
    undeclared: undeclaredAt(position, members, read),
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
  read: Read,
): UndeclaredMembers => {
  const hidden = new Set(members.filter((member) => member.hidden).map(({ key }) => key))
  const rejects = rejectsAt(position)
  const areDropped = position.undeclared !== 'reject'
  return {
    areDropped,
    isRejected: (name) => rejects(name) && !hidden.has(name),
    accepted: areDropped
      ? []
      : position.siblings
          .flatMap(declaredKeys)
          .map((keys) =>
            keys._tag === 'Domain' ? { ...keys, domain: read(keys.domain, keyPosition) } : keys,
          ),
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
    undeclared: undeclaredAt(position, [], read),
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
  const tests = tag?.values.map((values, index) => {
    const [reported = codec] = types.slice(index)
    return { _tag: 'OneOf', values, reported } as const
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
