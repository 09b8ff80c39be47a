/** What both back ends of compiled codecs call: the parts that are the same whatever the codec. */
import { isPlain, ownNames } from '../structure/undeclared-members.ts'
import { isJsonNumber } from '../json/json-number.ts'
import type { Location } from './error-collector.ts'
import type { Member, Test } from './schema.ts'

/** What decoding gives for a value that io-ts refuses. No value can be it. */
export const rejected: unique symbol = Symbol('refused')

/** The functions of a schema or a part of one. */
export interface CodecFunctions {
  /** The value, or {@link rejected}. */
  readonly decode: (value: unknown) => unknown
  readonly encode: (value: unknown) => unknown
  readonly is: (value: unknown) => boolean
}

/** The functions of a compiled codec. */
export interface RootFunctions extends CodecFunctions {
  /** Decodes, and collects the errors of a rejected value up to a bound. */
  readonly collect: (value: unknown, at: Location) => unknown
  /** Whether a value has no undeclared member and no infinite number, at any depth (`fits.ts`). */
  readonly fits: (value: unknown) => boolean
  /** The JSON text of what a value encodes to; `undefined` where there is none, as of `undefined`. */
  readonly write: (value: unknown) => string | undefined
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a value is an object to a codec of objects. A number that keeps its digits is not. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isRecord(value) && (isPlain(value) || !isJsonNumber(value))

/** Whether an object has no own members but those declared. The loop makes no array of the names: it is met for every object. */
export const hasOnly = (
  value: Readonly<Record<string, unknown>>,
  declared: ReadonlySet<string>,
): boolean => {
  if (!isPlain(value)) return ownNames(value).every((name) => declared.has(name))
  for (const key in value) if (!declared.has(key) && Object.hasOwn(value, key)) return false
  return true
}

/** An object without some of its members; the object itself where it has none of them. */
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
 * Whether it makes no difference to `codec/merge.ts` that some parts are the value itself where io-ts has a copy of it: there
 * are only primitive values, or plain objects without a member that is an object in one and something else in another.
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

/** Makes an object of what became of the members of another. */
export type Rebuild = (
  value: Readonly<Record<string, unknown>>,
  /** The members' values, in the order of the schema, and what became of them. */
  before: ReadonlyArray<unknown>,
  after: ReadonlyArray<unknown>,
) => unknown

/**
 * Prepares the rebuilding of objects: declared members in the order of the object, then those that it lacks and that have
 * got a value. `added` says which of them are there even when it is `undefined`, `otherwise` what becomes of objects of a
 * class, and of ones that refuse what they have beside or whose declared members are not all their own.
 *
 * An object with nothing beside is copied as a whole, which is faster and keeps members under symbols, as io-ts does.
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
