/**
 * Finds codecs that no value in JSON or text matches, such as `t.never`, `t.Function` and objects with such a member, and determines
 * which kinds of values a codec matches.
 */
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import { outputTypes } from '../standard-schema/accepted-types.ts'
import { isStandardType } from '../standard-schema/standard-schema.ts'
import {
  children,
  firstFound,
  isCodec,
  members,
  presentMembers,
  unwrap,
  wrapped,
} from '../codec-structure.ts'

/** Returns the part of a codec because of which each value is rejected, or `undefined` if the codec can match values. */
export const uninhabitedPart = (codec: Codec): Codec | undefined => {
  if (inhabited.has(codec)) return undefined
  const part = find(codec, [])
  if (part === undefined) inhabited.add(codec)
  return part
}

/** Endpoints share most of their codecs. */
const inhabited = new WeakSet<Codec>()

const find = (codec: Codec, ancestors: ReadonlyArray<Codec>): Codec | undefined => {
  // a codec can contain other values, which are reported elsewhere
  if (!isCodec(codec) || inhabited.has(codec) || ancestors.includes(codec)) return undefined
  const findIn = (part: Codec): Codec | undefined => find(part, [...ancestors, codec])
  switch (codec._tag ?? '') {
    case 'NeverType':
    case 'FunctionType':
      return codec
    case 'KeyofType':
      return 'keys' in codec &&
        t.UnknownRecord.is(codec.keys) &&
        Object.keys(codec.keys).length === 0
        ? codec
        : undefined
    case 'EnumType':
      return 'values' in codec && t.UnknownArray.is(codec.values) && codec.values.length === 0
        ? codec
        : undefined
    case 'InterfaceType':
    case 'StrictType':
      return firstFound(Object.values(members(codec) ?? {}), findIn)
    case 'TupleType':
    case 'IntersectionType':
      return firstFound(children(codec), findIn)
    case 'UnionType': {
      const parts = children(codec).map(findIn)
      return parts.includes(undefined) ? undefined : parts[0]
    }
    // these codecs also match missing and invalid values
    case 'WithDefaultType':
    case 'AttemptType':
      return undefined
    default: {
      const inner = wrapped(codec)
      return inner && findIn(inner)
    }
  }
}

/** Whether a codec matches only `undefined`, as `t.undefined` and `t.void` do. */
export const matchesOnlyUndefined = (codec: Codec): boolean => {
  const { _tag } = unwrap(codec)
  return _tag === 'UndefinedType' || _tag === 'VoidType'
}

/** Whether all values of a codec, apart from `null` and `undefined`, are tuples. */
export const matchesOnlyTuples = (codec: Codec): boolean => {
  const inner = wrapped(codec)
  if (inner !== undefined) return matchesOnlyTuples(inner)
  if (codec._tag !== 'UnionType')
    return codec._tag === 'TupleType' || codec._tag === 'RestTupleType'
  const values = presentMembers(codec)
  return values.length > 0 && values.every(matchesOnlyTuples)
}

/**
 * A kind of value: the result of `typeof`, except that `null`, arrays, bytes, maps, files, form parts and other sources of streams are
 * kinds of their own.
 */
export type ValueKind = string

export type ValueKinds = ReadonlySet<ValueKind>

/**
 * Returns the kinds of the values of a codec, as in `string` or `array`. Returns `undefined` for codecs whose values can be of any kind
 * or are unknown.
 */
export const valueKinds = (
  codec: Codec,
  ancestors: ReadonlyArray<Codec> = [],
): ValueKinds | undefined => {
  if (ancestors.includes(codec)) return undefined
  const kindsOf = (part: Codec): ValueKinds | undefined => valueKinds(part, [...ancestors, codec])
  const tag = codec._tag ?? ''
  switch (tag) {
    case 'LiteralType':
      return 'value' in codec ? new Set([kindOf(codec.value)]) : undefined
    case 'EnumType':
      return 'values' in codec && t.UnknownArray.is(codec.values)
        ? new Set(codec.values.map(kindOf))
        : undefined
    case 'StandardType':
      return isStandardType(codec) ? outputTypes(codec.schema) : undefined
    case 'UnionType':
      return union(children(codec).map(kindsOf))
    case 'IntersectionType':
      return commonKinds(children(codec).map(kindsOf))
    // a result, and an input for which a default is inserted, are values of other codecs
    case 'AttemptType':
      return undefined
    default: {
      const inner = wrapped(codec)
      const kind = kindsByTag.get(tag)
      return inner === undefined
        ? kind === undefined
          ? undefined
          : new Set([kind])
        : kindsOf(inner)
    }
  }
}

/** Returns the kinds that all lists contain. Unknown lists are ignored. Returns `undefined` if all are unknown. */
export const commonKinds = (
  lists: ReadonlyArray<ValueKinds | undefined>,
): ValueKinds | undefined => {
  const [one, ...others] = lists.filter((kinds) => kinds !== undefined)
  return one && new Set([...one].filter((kind) => others.every((kinds) => kinds.has(kind))))
}

const union = (lists: ReadonlyArray<ValueKinds | undefined>): ValueKinds | undefined => {
  const known = lists.filter((kinds) => kinds !== undefined)
  return known.length < lists.length ? undefined : new Set(known.flatMap((kinds) => [...kinds]))
}

const kindOf = (value: unknown): ValueKind =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

const kindsByTag: ReadonlyMap<string, ValueKind> = new Map([
  ['StringType', 'string'],
  ['KeyofType', 'string'],
  ['NumberType', 'number'],
  ['BigIntType', 'bigint'],
  ['BooleanType', 'boolean'],
  ['NullType', 'null'],
  ['UndefinedType', 'undefined'],
  ['VoidType', 'undefined'],
  ['InterfaceType', 'object'],
  ['StrictType', 'object'],
  ['PartialType', 'object'],
  ['DictionaryType', 'object'],
  ['AnyDictionaryType', 'object'],
  ['ArrayType', 'array'],
  ['AnyArrayType', 'array'],
  ['ReadonlyArrayType', 'array'],
  ['TupleType', 'array'],
  ['RestTupleType', 'array'],
])
