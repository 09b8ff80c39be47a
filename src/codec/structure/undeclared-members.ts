/** Strips or rejects undeclared members of objects. */
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import { isJsonNumber } from '../json/json-number.ts'

/** A condition on the name of a member. */
export type MemberPredicate = (name: string) => boolean

/** How decoding treats undeclared members. Encoding always strips them. */
export type Undeclared = 'drop' | 'reject'

/** The policy for undeclared members that an exact form follows. */
export interface UndeclaredPolicy {
  readonly undeclared: Undeclared
  /** Whether an undeclared member is a validation error, by name. */
  readonly rejects: MemberPredicate
  /** Declared members that are neither written nor read. */
  readonly hidden?: ReadonlySet<string>
}

export const hasUndeclaredPolicy = (codec: Codec): codec is Codec & UndeclaredPolicy =>
  'undeclared' in codec

export const undeclaredMessage = 'is not declared'

/**
 * Strips undeclared members before an object codec decodes or encodes a value.
 *
 * While decoding, an undeclared member for which `isRejected` returns true is a validation error, reported after those of the
 * codec. Stripping comes first because io-ts copies objects by assignment: a member named `__proto__` would become the
 * prototype of the copy.
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
 * Returns a function that encodes objects without hidden members; `codec` has the visible members only. Class instances are
 * copied to plain objects, because their `toJSON` could expose other members. Throws a `TypeError` for arrays and other
 * objects that are not records.
 */
export const encodeVisible =
  (codec: Codec, shown: MemberPredicate): Codec['encode'] =>
  (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return codec.encode(value)
    if (!t.UnknownRecord.is(value)) throw new TypeError(`expected a value of ${codec.name}`)
    return codec.encode(pick(value, shown))
  }

/**
 * Returns the names of own members: all names for class instances, for example `message` of an `Error`, otherwise the
 * enumerable names.
 */
export const ownNames = (value: object): ReadonlyArray<string> =>
  isPlain(value) ? Object.keys(value) : Object.getOwnPropertyNames(value)

/** Whether an object is not a class instance. */
export const isPlain = (value: object): boolean => Object.getPrototypeOf(value) === Object.prototype

const undeclaredError = (value: unknown, name: string, context: t.Context): t.ValidationError => ({
  value,
  context: t.appendContext(context, name, t.never, value),
  message: undeclaredMessage,
})

/** Returns the object itself if all its members are declared, otherwise a copy of the declared members in the same order. */
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
