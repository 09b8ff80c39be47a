/** The functions of an object codec, confined to the members that it declares. */
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import { isJsonNumber } from '../json/json-number.ts'

/** Says whether something holds of a member, by its name. */
export type MemberPredicate = (name: string) => boolean

/** What happens when decoding to members that are not declared. When encoding they are always dropped. */
export type Undeclared = 'drop' | 'refuse'

/** What a codec bears whose functions are confined. */
export interface UndeclaredPolicy {
  readonly undeclared: Undeclared
  /** Whether an undeclared member is a validation error, by name. */
  readonly rejects: MemberPredicate
  /** The declared members that are not written, and not read. */
  readonly hidden?: ReadonlySet<string>
}

export const hasUndeclaredPolicy = (codec: Codec): codec is Codec & UndeclaredPolicy =>
  'undeclared' in codec

/** What is said of a member that is not declared. */
export const undeclaredMessage = 'is not declared'

/**
 * Hides from a codec of objects the members that are not declared. Those of them that are refused are errors when
 * decoding, after the errors of the codec itself.
 *
 * They are hidden before the codec sees them and not taken away afterwards, because io-ts copies objects by assignment:
 * a member named `__proto__` would become the prototype of the copy.
 */
export const stripUndeclared = (
  codec: Codec,
  declares: MemberPredicate,
  refuses: MemberPredicate,
): Pick<Codec, 'validate' | 'encode'> => ({
  validate: (value, context) => {
    if (!t.UnknownRecord.is(value)) return codec.validate(value, context)
    if (isJsonNumber(value)) return t.failure(value, context)
    const refused = ownNames(value)
      .filter((name) => !declares(name) && refuses(name))
      .map((name) => undeclaredError(value[name], name, context))
    const result = codec.validate(pickDeclared(value, declares), context)
    if (refused.length === 0) return result
    return t.failures(isLeft(result) ? [...result.left, ...refused] : refused)
  },
  encode: (value: unknown): unknown =>
    codec.encode(t.UnknownRecord.is(value) ? pickDeclared(value, declares) : value),
})

/**
 * The function that writes an object codec's values without the members that are hidden: `codec` has those that are shown. An
 * object of a class becomes one without, for its `toJSON` would know more than its members. Throws a `TypeError` for any other
 * object that is no record, as an array.
 */
export const encodeVisible =
  (codec: Codec, shown: MemberPredicate): Codec['encode'] =>
  (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return codec.encode(value)
    if (!t.UnknownRecord.is(value)) throw new TypeError(`what is written has to be: ${codec.name}`)
    return codec.encode(pick(value, shown))
  }

/**
 * The names of an object's own members: of an object of a class all, as an `Error` has its message, of any other those that
 * JSON would have.
 */
export const ownNames = (value: object): ReadonlyArray<string> =>
  isPlain(value) ? Object.keys(value) : Object.getOwnPropertyNames(value)

/** Whether an object has no class. */
export const isPlain = (value: object): boolean => Object.getPrototypeOf(value) === Object.prototype

const undeclaredError = (value: unknown, name: string, context: t.Context): t.ValidationError => ({
  value,
  context: t.appendContext(context, name, t.never, value),
  message: undeclaredMessage,
})

/** Returns the object itself if it has declared members only, otherwise a copy with these, in the same order. */
export const pickDeclared = (
  value: Readonly<Record<string, unknown>>,
  declares: MemberPredicate,
): Readonly<Record<string, unknown>> => {
  const names = ownNames(value)
  return names.every(declares) ? value : pick(value, declares)
}

const pick = (
  value: Readonly<Record<string, unknown>>,
  declares: MemberPredicate,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    ownNames(value)
      .filter(declares)
      .map((name) => [name, value[name]]),
  )
