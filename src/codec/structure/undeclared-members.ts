/** Strips or rejects undeclared members in objects. */
import { isRight } from 'fp-ts/lib/Either.js'
import type { Codec } from '../codec.ts'
import { isKnown } from './known-codec.ts'
import { children, members } from '../codec-structure.ts'
import * as t from 'io-ts'

/**
 * Returns a function that finds the codecs declared for the member `name`. If `name` is `undefined`, the function finds the
 * codecs for all members or elements.
 *
 * A codec without structure, such as `t.unknown` or an opaque codec, accepts any member. In this case, the function returns the
 * codec itself.
 */
export const declaredCodecs =
  (name?: string) =>
  (codec: Codec): ReadonlyArray<Codec> => {
    const props = members(codec)
    if (props !== undefined)
      return Object.keys(props)
        .filter((key) => name === undefined || (key === name && isMemberOf(props)(key)))
        .flatMap((key) => props[key] ?? [])
    if (isKnown(codec) && codec._tag === 'DictionaryType')
      return name === undefined || isRecordKey(codec.domain)(name) ? [codec.codomain] : []
    const inner = children(codec)
    if (inner.length === 0) return scalars.has(codec._tag ?? '') ? [] : [codec]
    return sequences.has(codec._tag ?? '') ? inner : inner.flatMap(declaredCodecs(name))
  }

/** Keys that a codec declares. `D` is the type of the codecs or schemas for keys. */
export type DeclaredKeys<D> =
  | { readonly _tag: 'Any' }
  | { readonly _tag: 'Listed'; readonly keys: ReadonlyArray<string> }
  /** The keys that a codec for keys accepts. */
  | { readonly _tag: 'Domain'; readonly domain: D }

/** Returns the keys that a codec declares. They are those for which `declaredCodecs` finds codecs. */
export const declaredKeys = (codec: Codec): ReadonlyArray<DeclaredKeys<Codec>> => {
  const props = members(codec)
  if (props !== undefined)
    return [{ _tag: 'Listed', keys: Object.keys(props).filter(isMemberOf(props)) }]
  if (isKnown(codec) && codec._tag === 'DictionaryType')
    return [{ _tag: 'Domain', domain: codec.domain }]
  const inner = children(codec)
  if (inner.length > 0 && !sequences.has(codec._tag ?? '')) return inner.flatMap(declaredKeys)
  return declaredCodecs()(codec).length === 0 ? [] : [{ _tag: 'Any' }]
}

/**
 * Returns a function that tests whether an object codec declares a member. `__proto__` is never treated as declared, because
 * io-ts would assign to it.
 */
export const isMemberOf =
  (props: Readonly<Record<string, Codec>>) =>
  (name: string): boolean =>
    name !== '__proto__' && Object.hasOwn(props, name)

/**
 * Returns a function that tests whether a key is valid for a record codec. The key can be decoded or encoded. `__proto__` is never
 * valid.
 */
export const isRecordKey =
  (domain: Codec) =>
  (name: string): boolean =>
    name !== '__proto__' && (domain.is(name) || isRight(domain.decode(name)))

/**
 * Returns the keys of a record whose key codec accepts only literals. io-ts treats such a record as an object. Returns
 * `undefined` for other key codecs.
 */
export const literalKeys = (domain: Codec): ReadonlyArray<string> | undefined => {
  switch (domain._tag) {
    case 'LiteralType':
      return 'value' in domain && t.string.is(domain.value) ? [domain.value] : undefined
    case 'KeyofType':
      return 'keys' in domain && t.UnknownRecord.is(domain.keys)
        ? Object.keys(domain.keys)
        : undefined
    case 'UnionType': {
      const all = children(domain).map(literalKeys)
      return all.every((keys) => keys !== undefined) ? [...new Set(all.flat())] : undefined
    }
    default:
      return undefined
  }
}

const sequences = new Set([
  'ArrayType',
  'ReadonlyArrayType',
  'SetType',
  'TupleType',
  'RestTupleType',
])

/** The tags of codecs whose values have no members. */
const scalars = new Set([
  'NullType',
  'UndefinedType',
  'VoidType',
  'StringType',
  'NumberType',
  'BigIntType',
  'BooleanType',
  'LiteralType',
  'KeyofType',
  'EnumType',
  'NeverType',
])

export type MemberPredicate = (name: string) => boolean

/**
 * Specifies how undeclared members are handled when decoding. `drop` strips them, and `reject` reports validation errors. When
 * encoding, undeclared members are always stripped.
 */
export type UndeclaredHandling = 'drop' | 'reject'

export const undeclaredMessage = 'is not declared'

/**
 * Returns the names of an object's own members. For plain objects, only enumerable members are included. For class instances,
 * non-enumerable members are also included, such as `message` in an `Error`.
 */
export const ownNames = (value: object): ReadonlyArray<string> =>
  isPlain(value) ? Object.keys(value) : Object.getOwnPropertyNames(value)

/** Whether an object is a plain object. Plain objects inherit directly from `Object.prototype`. */
export const isPlain = (value: object): boolean => Object.getPrototypeOf(value) === Object.prototype

/**
 * Returns a copy of an object that contains only the declared members, in the original order. Returns the object itself if all
 * its members are declared.
 */
export const pickDeclared = (
  value: Readonly<Record<string, unknown>>,
  isDeclared: MemberPredicate,
): Readonly<Record<string, unknown>> => {
  const names = ownNames(value)
  return names.every(isDeclared) ? value : pick(value, isDeclared)
}

/** Returns a copy of an object that contains only the declared members, in the original order. */
export const pick = (
  value: Readonly<Record<string, unknown>>,
  isDeclared: MemberPredicate,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    ownNames(value)
      .filter(isDeclared)
      .map((name) => [name, value[name]]),
  )
