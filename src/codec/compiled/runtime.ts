/** Functions and types for collecting errors and processing objects, shared by both back ends. */
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { maxReportedErrors } from '../../http/failure.ts'
import type { Codec } from '../codec.ts'
import { referTo } from '../constraint.ts'
import type { MemberPredicate } from '../structure/undeclared-members.ts'
import { ownNames, undeclaredMessage, isPlain } from '../structure/undeclared-members.ts'
import type { ObjectSchema, RecordSchema, Member, Test } from '../schema/schema.ts'
import { isJsonNumber } from '../json-number.ts'
import type { JsonBounds } from '../json/json-guard.ts'

/** Maximum number of errors to collect. One location can have multiple errors, for example, one for each member of a union. */
const maxErrors = 1000

interface ErrorCollector {
  readonly errors: t.ValidationError[]
  /** A lower bound for the number of distinct locations that have errors. */
  locationCount: number
}

/** The location of a value within the root value. Locations are used to collect errors. */
export interface Location {
  readonly collector: ErrorCollector
  /** The io-ts context with which the validation started. */
  readonly base: t.Context
  /** The step from the enclosing location to this one. `undefined` for the root value. */
  readonly step: Step | undefined
  /** The codec that errors at this location refer to. `undefined` for the codec of the last context entry. */
  readonly reported: Codec | undefined
}

interface Step {
  readonly from: Location
  readonly entry: t.ContextEntry
}

/** Creates the location of a root value. The last entry in `base` must describe the codec of that value. */
export const rootLocation = (base: t.Context): Location => ({
  collector: { errors: [], locationCount: 0 },
  base,
  step: undefined,
  reported: undefined,
})

/** Returns a location at which errors refer to the codec inside a constraint. */
export const insideConstraint = (at: Location | undefined, reported: Codec): Location | undefined =>
  at && { ...at, reported }

/** Returns a location at which errors are not collected. */
export const ignoringErrors = (at: Location): Location => ({
  ...at,
  collector: { errors: [], locationCount: 0 },
})

/** Creates the location of a part of a value. In unions and intersections, the key is the index of the codec. */
export const childLocation = (
  from: Location,
  key: string,
  type: t.ContextEntry['type'],
  actual: unknown,
): Location => ({
  collector: from.collector,
  base: from.base,
  step: { from, entry: { key, type, actual } },
  reported: undefined,
})

/** Returns the context that io-ts passes to `validate` at this location. */
export const contextOf = ({ base, step }: Location): t.Context => {
  if (step === undefined) return base
  const entries: t.ContextEntry[] = []
  for (let at: Step | undefined = step; at !== undefined; at = at.from.step) entries.push(at.entry)
  return [...base, ...entries.toReversed()]
}

/** Returns the io-ts context for a root value. */
export const rootContext = (type: Codec, actual: unknown): t.Context => [{ key: '', type, actual }]

/** Adds an error at a location, unless the limit has been reached. */
export const addError = (at: Location, value: unknown, message?: string): void => {
  if (at.collector.errors.length >= maxErrors) return
  const failed = t.failure(value, contextOf(at), message)
  if (isLeft(failed)) addErrors(at, failed.left)
}

/** Adds the errors reported by a codec at one location, up to the limit. */
export const addErrors = (at: Location, added: t.Errors): void => {
  // a codec rejects a value without errors while it waits for the result of an asynchronous schema
  if (added.length === 0) return
  const { collector, reported } = at
  const { errors } = collector
  collector.locationCount++
  const referring = reported === undefined ? added : referTo(reported, contextOf(at), added)
  for (const error of referring) if (errors.length < maxErrors) errors.push(error)
}

/**
 * Whether decoding can stop at the next error. This is the case if errors are not collected, or if enough errors have been
 * collected.
 */
export const isFull = (at: Location | undefined): boolean =>
  at === undefined ||
  at.collector.locationCount > maxReportedErrors ||
  at.collector.errors.length >= maxErrors

/**
 * Calls `validate` for each codec in turn until a call returns `true`. Returns `false` if no call returns `true`.
 *
 * Several codecs can report errors at the same locations. To avoid counting a location more than once, only the locations reported
 * by one codec are counted: the one that reports the most.
 */
export const validateAlternatives = <A>(
  at: Location | undefined,
  codecs: ReadonlyArray<A>,
  validate: (codec: A, index: number) => boolean,
): boolean => {
  const before = at?.collector.locationCount ?? 0
  let largest = before
  const isDone = codecs.some((codec, index) => {
    if (at === undefined) return validate(codec, index)
    at.collector.locationCount = before
    const result = validate(codec, index)
    largest = Math.max(largest, at.collector.locationCount)
    return result
  })
  if (at !== undefined) at.collector.locationCount = largest
  return isDone
}

/** Returns a function that discards all errors added since the call to `discardFrom`. */
export const discardFrom = ({ collector }: Location): (() => void) => {
  const { locationCount } = collector
  const { length } = collector.errors
  return () => {
    collector.locationCount = locationCount
    collector.errors.length = length
  }
}

/** Adds an error for each undeclared member that is not allowed. Returns whether the value has any such members. */
export const rejectUndeclared = (
  { undeclared }: ObjectSchema | RecordSchema,
  value: Readonly<Record<string, unknown>>,
  isDeclared: MemberPredicate,
  at: Location | undefined,
): boolean => {
  if (undeclared.areDropped) return false
  const isRejected = (name: string): boolean => !isDeclared(name) && undeclared.isRejected(name)
  const rejected = ownNames(value).filter(isRejected)
  for (const name of rejected) {
    if (at === undefined || isFull(at)) break
    const location = childLocation(at, name, t.never, value[name])
    addError(location, value[name], undeclaredMessage)
  }
  return rejected.length > 0
}

/** The result of decoding an invalid value. Because the symbol is unique, it differs from every valid value. */
export const rejected: unique symbol = Symbol('rejected')

/** The functions that decode, encode and check the values of a schema. */
export interface CodecFunctions {
  /** Returns the decoded value, or {@link rejected} if the value is invalid. */
  readonly decode: (value: unknown) => unknown
  readonly encode: (value: unknown) => unknown
  readonly is: (value: unknown) => boolean
}

/** All functions of a compiled codec. */
export interface RootFunctions extends CodecFunctions {
  /** Decodes a value. If the value is invalid, collects a limited number of errors and returns {@link rejected}. */
  readonly collect: (value: unknown, at: Location) => unknown
  /**
   * Returns whether a value is known to be within the limits, and to contain neither undeclared members nor infinite numbers at any
   * depth. The interpreter always returns `false`, because its check would take as long as the checks of the JSON parser.
   */
  readonly fits: (value: unknown, bounds: JsonBounds) => boolean
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether object codecs treat a value as an object. A `JsonNumber` is not treated as an object. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isRecord(value) && (isPlain(value) || !isJsonNumber(value))

/**
 * Whether all own members of an object are declared. For a plain object, no array of names is created, to save time.
 */
export const hasOnly = (
  value: Readonly<Record<string, unknown>>,
  declared: ReadonlySet<string>,
): boolean => {
  if (!isPlain(value)) return ownNames(value).every((name) => declared.has(name))
  for (const key in value) if (!declared.has(key) && Object.hasOwn(value, key)) return false
  return true
}

/** Returns a copy of an object without the named members, or the object itself if it has none of these members. */
export const without = (
  value: Readonly<Record<string, unknown>>,
  names: ReadonlyArray<string>,
): Readonly<Record<string, unknown>> => {
  if (!names.some((name) => Object.hasOwn(value, name))) return value
  const rest: Record<string, unknown> = { ...value }
  for (const name of names) delete rest[name]
  return rest
}

/** A function that creates an object from its decoded or encoded members. */
export type Rebuild = (
  value: Readonly<Record<string, unknown>>,
  /** The member values before decoding or encoding, in the order of the schema. `after` contains the resulting values. */
  before: ReadonlyArray<unknown>,
  after: ReadonlyArray<unknown>,
) => unknown

/**
 * Creates a function that rebuilds objects. The new object has the declared members in the order of the original object,
 * followed by missing members for which decoding or encoding returned a value.
 *
 * `added` marks members that are added even if they are `undefined`. `otherwise` handles class instances, objects with rejected
 * members, and objects that inherit declared members.
 *
 * An object without undeclared members is copied as a whole. This is faster and, as in io-ts, preserves members with symbol
 * keys.
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
      return test.values.includes(value)
    case 'AnyOf':
      return test.tests.some((alternative) => passesTest(alternative, value))
    case 'Holding':
      return passesTest(test.test, value) && test.holds(value)
  }
}
