/** Strips or rejects undeclared members in objects. */
import { isRight, isLeft } from 'fp-ts/lib/Either.js'
import type { Codec } from '../codec.ts'
import { isKnown } from './known-codec.ts'
import { children, members } from './codec-structure.ts'
import * as t from 'io-ts'
import { isJsonNumber } from '../json/json-number.ts'

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

const sequences = new Set(['ArrayType', 'ReadonlyArrayType', 'SetType', 'TupleType'])

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

/** The policy that the exact form of a codec applies to undeclared and hidden members. */
export interface UndeclaredPolicy {
  readonly undeclared: UndeclaredHandling
  /** Returns whether an undeclared member with this name results in a validation error. */
  readonly rejects: MemberPredicate
  /** The names of declared members that are neither encoded nor decoded. */
  readonly hidden?: ReadonlySet<string>
}

export const hasUndeclaredPolicy = (codec: Codec): codec is Codec & UndeclaredPolicy =>
  'undeclared' in codec

export const undeclaredMessage = 'is not declared'

/**
 * Returns functions that strip undeclared members before an object codec decodes or encodes a value.
 *
 * When decoding, an undeclared member for which `isRejected` returns `true` results in a validation error. This error follows
 * the errors reported by the codec.
 *
 * Members are stripped before the codec is called, because io-ts copies objects by assignment. A member named `__proto__` would
 * become the prototype of the copy.
 */
export const stripUndeclared = (
  codec: Codec,
  isDeclared: MemberPredicate,
  isRejected: MemberPredicate,
): Pick<Codec, 'validate' | 'encode'> => ({
  validate: (value, context) => {
    if (!t.UnknownRecord.is(value)) return codec.validate(value, context)
    if (isJsonNumber(value)) return t.failure(value, context)
    const rejected = ownNames(value)
      .filter((name) => !isDeclared(name) && isRejected(name))
      .map((name) => undeclaredError(value[name], name, context))
    const result = codec.validate(pickDeclared(value, isDeclared), context)
    if (rejected.length === 0) return result
    return t.failures(isLeft(result) ? [...result.left, ...rejected] : rejected)
  },
  encode: (value: unknown): unknown =>
    codec.encode(t.UnknownRecord.is(value) ? pickDeclared(value, isDeclared) : value),
})

/**
 * Returns a function that encodes objects without hidden members. `codec` declares only the visible members. Class instances
 * are copied to plain objects, because a `toJSON` method could expose hidden members. The returned function throws a
 * `TypeError` for arrays and other objects that are not records.
 */
export const encodeVisible =
  (codec: Codec, isVisible: MemberPredicate): Codec['encode'] =>
  (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return codec.encode(value)
    if (!t.UnknownRecord.is(value)) throw new TypeError(`invalid value: expected ${codec.name}`)
    return codec.encode(pick(value, isVisible))
  }

/**
 * Returns the names of an object's own members. For plain objects, only enumerable members are included. For class instances,
 * non-enumerable members are also included, such as `message` in an `Error`.
 */
export const ownNames = (value: object): ReadonlyArray<string> =>
  isPlain(value) ? Object.keys(value) : Object.getOwnPropertyNames(value)

/** Whether an object is a plain object. Plain objects inherit directly from `Object.prototype`. */
export const isPlain = (value: object): boolean => Object.getPrototypeOf(value) === Object.prototype

const undeclaredError = (value: unknown, name: string, context: t.Context): t.ValidationError => ({
  value,
  context: t.appendContext(context, name, t.never, value),
  message: undeclaredMessage,
})

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

const pick = (
  value: Readonly<Record<string, unknown>>,
  isDeclared: MemberPredicate,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    ownNames(value)
      .filter(isDeclared)
      .map((name) => [name, value[name]]),
  )
