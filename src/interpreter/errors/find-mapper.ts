/**
 * Finds the mapper of an error.
 *
 * ```text
 * 1. mappers of the innermost scope        even if their class is wider
 * 2. tags and guards, then classes         in one scope; the closest class first
 * 3. the smaller priority                  then the order of declaration
 * ```
 *
 * The rules for unwrapping causes (`unwrap`) are found in the same way.
 */
import { isHttpError } from '../../endpoint/http-error.ts'
import type { MapError, Unwrap } from '../../endpoint/mapper.ts'
import type { SingleMapper } from '../../endpoint/internal/tree-scope.ts'

/** A mapper, and the error to map: the thrown one, or a cause of it. */
export interface FoundMapper {
  /** `undefined` for an `HttpError` that needs no mapper. */
  readonly mapper: MapError | undefined
  readonly error: unknown
}

type Levels = ReadonlyArray<ReadonlyArray<SingleMapper>>

/** Returns the mapper of an error, or `undefined` if there is none. Throws the errors of guards. */
export const findMapper = (levels: Levels, error: unknown): FoundMapper | undefined =>
  levels.length === 0 ? undefined : search(levels, error, new Set())

/** Searches the causes of an error too, each of them once. */
const search = (levels: Levels, error: unknown, seen: Set<unknown>): FoundMapper | undefined => {
  if (isHttpError(error) && error.reply !== undefined) return { mapper: undefined, error }
  seen.add(error)
  const cause = causeOf(error)
  const inside = (): FoundMapper | undefined =>
    cause === undefined || seen.has(cause)
      ? undefined
      : (search(levels, cause, seen) ?? answerOf(cause))
  const unwrapping = unwrapOf(levels, error)
  const own = ownMapper(levels, error)
  const found = own === undefined ? undefined : { mapper: own.mapper, error }
  switch (unwrapping?.when) {
    case undefined:
      return found
    case 'always':
      return inside() ?? found
    case 'ifNotExact':
      return own?.distance === 0 ? found : (inside() ?? found)
    case 'ifUnmapped':
      return found ?? inside()
  }
}

/** An `HttpError` needs no mapper. */
const answerOf = (error: unknown): FoundMapper | undefined =>
  isHttpError(error) ? { mapper: undefined, error } : undefined

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined)

interface Ranked<M> {
  readonly mapper: M
  /** The number of classes between the error's class and the mapped one. 0 for tags and guards. */
  readonly distance: number
  readonly byClass: boolean
}

const ownMapper = (levels: Levels, error: unknown): Ranked<MapError> | undefined => {
  for (const level of levels) {
    const fitting = level.flatMap((mapper) =>
      mapper._tag === 'MapError' ? ranked(mapper, error) : [],
    )
    const [best] = fitting.toSorted(
      (a, b) =>
        Number(a.byClass) - Number(b.byClass) ||
        a.distance - b.distance ||
        a.mapper.priority - b.mapper.priority,
    )
    if (best !== undefined) return best
  }
  return undefined
}

const ranked = (mapper: MapError, error: unknown): ReadonlyArray<Ranked<MapError>> => {
  const { scope } = mapper
  switch (scope._tag) {
    case 'Guard':
      return scope.is(error) ? [{ mapper, distance: 0, byClass: false }] : []
    case 'Tag':
      return hasTag(error, scope.tag) ? [{ mapper, distance: 0, byClass: false }] : []
    case 'Class': {
      const distance = distanceTo(scope.of.prototype, error)
      return distance === undefined ? [] : [{ mapper, distance, byClass: true }]
    }
  }
}

const hasTag = (error: unknown, tag: string): boolean =>
  typeof error === 'object' && error !== null && '_tag' in error && error._tag === tag

/** Returns the distance between a value and a prototype in its prototype chain. */
const distanceTo = (prototype: unknown, value: unknown): number | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  let at: unknown = Object.getPrototypeOf(value)
  for (let distance = 0; at !== null; distance++) {
    if (at === prototype) return distance
    at = Object.getPrototypeOf(at)
  }
  return undefined
}

/** Returns the unwrapping rule of the innermost scope that has one for the error, for its closest class. */
const unwrapOf = (levels: Levels, error: unknown): Unwrap | undefined => {
  for (const level of levels) {
    const [closest] = level
      .flatMap((mapper) => {
        if (mapper._tag !== 'Unwrap') return []
        const distance = distanceTo(mapper.of.prototype, error)
        return distance === undefined ? [] : [{ mapper, distance }]
      })
      .toSorted((a, b) => a.distance - b.distance || a.mapper.priority - b.mapper.priority)
    if (closest !== undefined) return closest.mapper
  }
  return undefined
}
