/**
 * Collects the validation errors of a rejected value, up to a limit.
 *
 * io-ts validates a rejected value completely and creates an error for each invalid part: five million for an array of 10 MB.
 * A response lists few of them, so collecting stops early.
 */
import { isLeft } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { maxReportedErrors } from '../../http/failure.ts'
import type { Codec } from '../codec.ts'
import type { MemberPredicate } from '../structure/undeclared-members.ts'
import { ownNames, undeclaredMessage } from '../structure/undeclared-members.ts'
import type { ObjectSchema, RecordSchema } from './schema.ts'

/** Maximum number of errors. One location can have several errors: one for each member of a union. */
const maxErrors = 1000

interface ErrorCollector {
  readonly errors: t.ValidationError[]
  /** A lower bound for the number of distinct locations with errors. */
  places: number
}

/** The location of a value while errors are collected. */
export interface Location {
  readonly collector: ErrorCollector
  /** The context at the start of the validation. */
  readonly base: t.Context
  /** `undefined` for the root value. */
  readonly step: Step | undefined
}

interface Step {
  readonly from: Location
  readonly entry: t.ContextEntry
}

/** Creates the location of the root value. The last entry of its context is the codec. */
export const rootLocation = (base: t.Context): Location => ({
  collector: { errors: [], places: 0 },
  base,
  step: undefined,
})

/** Creates the location of a part. In unions and intersections, the key is the index of the codec. */
export const childLocation = (
  from: Location,
  key: string,
  type: t.ContextEntry['type'],
  actual: unknown,
): Location => ({
  collector: from.collector,
  base: from.base,
  step: { from, entry: { key, type, actual } },
})

/** Returns the context that io-ts passes to `validate` at this location. */
export const contextOf = ({ base, step }: Location): t.Context => {
  if (step === undefined) return base
  const entries: t.ContextEntry[] = []
  for (let at: Step | undefined = step; at !== undefined; at = at.from.step) entries.push(at.entry)
  return [...base, ...entries.toReversed()]
}

/** Returns the context of a root value. */
export const rootContext = (type: Codec, actual: unknown): t.Context => [{ key: '', type, actual }]

/** Adds an error, unless the limit is reached. */
export const addError = (at: Location, value: unknown, message?: string): void => {
  if (at.collector.errors.length >= maxErrors) return
  const failed = t.failure(value, contextOf(at), message)
  if (isLeft(failed)) addErrors(at, failed.left)
}

/** Adds the errors of a codec, up to the limit. */
export const addErrors = ({ collector }: Location, added: t.Errors): void => {
  const { errors } = collector
  collector.places++
  for (const error of added) if (errors.length < maxErrors) errors.push(error)
}

/** Whether to stop at the next error: errors are not collected, or there are more than a response lists. */
export const isFull = (at: Location | undefined): boolean =>
  at === undefined ||
  at.collector.places > maxReportedErrors ||
  at.collector.errors.length >= maxErrors

/**
 * Validates a value with several codecs until `validate` returns true. Returns whether it did. Errors of different codecs may
 * be at the same locations, so the largest number of locations counts.
 */
export const validateAlternatives = <A>(
  at: Location | undefined,
  codecs: ReadonlyArray<A>,
  validate: (codec: A, index: number) => boolean,
): boolean => {
  const before = at?.collector.places ?? 0
  let largest = before
  const isDone = codecs.some((codec, index) => {
    if (at === undefined) return validate(codec, index)
    at.collector.places = before
    const result = validate(codec, index)
    largest = Math.max(largest, at.collector.places)
    return result
  })
  if (at !== undefined) at.collector.places = largest
  return isDone
}

/** Returns a function that removes all errors that were added since. */
export const discardFrom = ({ collector }: Location): (() => void) => {
  const { places } = collector
  const { length } = collector.errors
  return () => {
    collector.places = places
    collector.errors.length = length
  }
}

/** Whether the value has rejected undeclared members. Each one adds an error. */
export const rejectUndeclared = (
  { undeclared }: ObjectSchema | RecordSchema,
  value: Readonly<Record<string, unknown>>,
  isDeclared: MemberPredicate,
  at: Location | undefined,
): boolean => {
  const isRejected = (name: string): boolean => !isDeclared(name) && undeclared.isRejected(name)
  const rejected = undeclared.areDropped ? [] : ownNames(value).filter(isRejected)
  for (const name of rejected) {
    if (at === undefined || isFull(at)) break
    const place = childLocation(at, name, t.never, value[name])
    addError(place, value[name], undeclaredMessage)
  }
  return rejected.length > 0
}
