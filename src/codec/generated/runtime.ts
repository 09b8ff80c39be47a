/** Functions that both back ends of compiled codecs call. */
import { isPlain, ownNames } from '../structure/undeclared-members.ts'
import { isJsonNumber } from '../json/json-number.ts'
import type { Location } from './error-collector.ts'
import type { Member, Test } from './schema.ts'

/** The result of decoding an invalid value. It is unique, so no valid value equals it. */
export const rejected: unique symbol = Symbol('rejected')

/** The functions of a schema or of a part of it. */
export interface CodecFunctions {
  /** Returns the decoded value, or {@link rejected}. */
  readonly decode: (value: unknown) => unknown
  readonly encode: (value: unknown) => unknown
  readonly is: (value: unknown) => boolean
}

/** The functions of a compiled codec. */
export interface RootFunctions extends CodecFunctions {
  /** Decodes a value, and collects a limited number of errors if it is rejected. */
  readonly collect: (value: unknown, at: Location) => unknown
  /** Whether a value has no undeclared members and no infinite numbers, at any depth (`fits.ts`). */
  readonly fits: (value: unknown) => boolean
  /** Returns the JSON text of the encoded value, or `undefined` if it has none, such as for `undefined`. */
  readonly write: (value: unknown) => string | undefined
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether codecs of objects accept the value as an object. They do not accept a `JsonNumber`. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isRecord(value) && (isPlain(value) || !isJsonNumber(value))

/** Whether all own members of an object are declared. Called for every object, so it does not create an array of names. */
export const hasOnly = (
  value: Readonly<Record<string, unknown>>,
  declared: ReadonlySet<string>,
): boolean => {
  if (!isPlain(value)) return ownNames(value).every((name) => declared.has(name))
  for (const key in value) if (!declared.has(key) && Object.hasOwn(value, key)) return false
  return true
}

/** Returns a copy without the given members, or the object itself if it has none of them. */
export const without = (
  value: Readonly<Record<string, unknown>>,
  names: ReadonlyArray<string>,
): Readonly<Record<string, unknown>> => {
  if (!names.some((name) => Object.hasOwn(value, name))) return value
  const rest: Record<string, unknown> = { ...value }
  for (const name of names) delete rest[name]
  return rest
}

/**
 * Whether parts can be merged although some are the original value and not a copy, as in io-ts. This holds for primitive
 * values, and for plain objects that do not differ in whether a member is an object.
 */
export const canMergeParts = (parts: ReadonlyArray<unknown>): boolean => {
  if (parts.every((part) => !hasMembers(part))) return true
  const members = new Map<string, unknown>()
  return parts.every(
    (part) =>
      isRecord(part) &&
      isPlain(part) &&
      Object.keys(part).every((key) => {
        const member = part[key]
        const other = members.has(key) ? members.get(key) : member
        members.set(key, member)
        return other === member || !(hasMembers(other) || hasMembers(member))
      }),
  )
}

const hasMembers = (value: unknown): boolean => typeof value === 'object' && value !== null

/** Creates an object from its decoded or encoded members. */
export type Rebuild = (
  value: Readonly<Record<string, unknown>>,
  /** The original and new member values, in the order of the schema. */
  before: ReadonlyArray<unknown>,
  after: ReadonlyArray<unknown>,
) => unknown

/**
 * Prepares a function that rebuilds objects: declared members in the order of the object, then missing members that got a
 * value.
 *
 * `added` marks members that are added even if they are `undefined`. `otherwise` handles class instances, objects with
 * rejected members, and objects with inherited declared members.
 *
 * An object without undeclared members is copied completely, which is faster and keeps symbol members, like io-ts.
 */
export const prepareRebuild = (
  members: ReadonlyArray<Member>,
  drops: boolean,
  added: ReadonlyArray<boolean>,
  otherwise: (value: unknown) => unknown,
): Rebuild => {
  const positions = new Map(members.map(({ key }, position) => [key, position]))
  const declared = new Set(positions.keys())
  const whole: Rebuild = (value, before, after) => {
    const copy: Record<string, unknown> = { ...value }
    members.forEach(({ key }, position) => {
      const from = before[position]
      const to = after[position]
      const isNew = added[position] === true && from === undefined && !Object.hasOwn(copy, key)
      if (to !== from || isNew) copy[key] = to
    })
    return copy
  }
  return (value, before, after) => {
    if (!isPlain(value)) return otherwise(value)
    const keys = Object.keys(value)
    if (keys.length <= declared.size && hasOnly(value, declared)) return whole(value, before, after)
    if (!drops) return otherwise(value)
    const rebuilt: Record<string, unknown> = {}
    for (const key of keys) {
      const position = positions.get(key)
      if (position !== undefined) rebuilt[key] = after[position]
    }
    for (const [key, position] of positions) {
      if (Object.hasOwn(rebuilt, key)) continue
      if (before[position] !== undefined) return otherwise(value)
      if (after[position] !== undefined || added[position] === true) rebuilt[key] = after[position]
    }
    return rebuilt
  }
}

/** Whether a value passes a test. */
export const passesTest = (test: Test, value: unknown): boolean => {
  switch (test._tag) {
    case 'Anything':
      return true
    case 'TypeOf':
      return typeof value === test.type
    case 'AnyRecord':
      return isRecord(value)
    case 'AnyArray':
      return Array.isArray(value)
    case 'OneOf':
      return test.values.some((one) => one === value)
    case 'AnyOf':
      return test.tests.some((one) => passesTest(one, value))
    case 'AllOf':
      return test.tests.every((one) => passesTest(one, value))
    case 'Holding':
      return passesTest(test.test, value) && test.holds(value)
  }
}
