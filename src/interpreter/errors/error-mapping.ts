/** Finds and runs the mapper for an error. */
import type { ResponseContext } from '../../endpoint/context.ts'
import type { AnyReply } from '../../endpoint/reply.ts'
import { isReply } from '../../endpoint/reply.ts'
import type { MapError, Unwrap } from '../../endpoint/mapper.ts'
import type { FilterChain } from '../../compiler/filter-chain.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import { declaredEncoder } from '../response/encode-response.ts'
import {
  whenSettled,
  areSamePrototype,
  isError,
  isObject,
  isTagged,
} from '../../http/platform-value.ts'
import type { EncodeResponse } from '../response/encode-response.ts'
import { isHttpError } from '../../endpoint/http-error.ts'
import type { SingleMapper } from '../../endpoint/tree/tree-scope.ts'

/** The result of searching for a mapper: the mapper and the error to map, or an `HttpError` that needs no mapper. */
export type MappedError =
  | {
      readonly _tag: 'Mapping'
      readonly run: MapError['run']
      readonly error: unknown
      readonly respond: EncodeResponse
    }
  | { readonly _tag: 'Unmapped'; readonly error: unknown }

/** Finds the mapper for an error. Errors thrown by guards are not caught. */
export type FindMappedError = (error: unknown) => MappedError | undefined

/** Returns the function that finds the mapper for an error, or `undefined` if no mappers are declared. */
export const mapperFinder = (
  { mappers, entities }: FilterChain,
  settings: Settings,
): FindMappedError | undefined => {
  if (mappers.length === 0) return undefined
  const responds = new Map(
    mappers
      .flat()
      .flatMap((mapper) =>
        mapper._tag === 'MapError'
          ? [[mapper, declaredEncoder(mapper.responses, settings, entities)] as const]
          : [],
      ),
  )
  return (error) => {
    const found = findMapper(mappers, error)
    if (found === undefined) return undefined
    const respond = found.mapper && responds.get(found.mapper)
    return respond === undefined || found.mapper === undefined
      ? { _tag: 'Unmapped', error: found.error }
      : { _tag: 'Mapping', run: found.mapper.run, error: found.error, respond }
  }
}

/** The context for a mapper and the callbacks that receive its result. */
export interface MapperRun {
  readonly context: ResponseContext
  /** Called when the search has found either a mapper or a cause of the error that needs no mapper. */
  readonly onFound: () => void
  /**
   * Called before a mapper runs, and also if the search or the mapper throws an error. After this call, no other mapper must run
   * for the request.
   */
  readonly onRun: () => void
  readonly respond: (reply: AnyReply, encode: EncodeResponse) => void
  /** Called with a cause of the error that needs no mapper, or with an error thrown by a guard or a mapper. */
  readonly unmapped: (error: unknown) => void
}

/**
 * Finds the mapper for `error` and runs it. If no mapper applies, returns `false` without calling any function in `run`.
 *
 * The search can also end at a cause that is an `HttpError` and needs no mapper. In this case, `run.unmapped` is called with the
 * cause.
 */
export const runMapper = (find: FindMappedError, error: unknown, run: MapperRun): boolean => {
  try {
    const found = find(error)
    if (found === undefined) return false
    if (found._tag === 'Unmapped' && found.error === error) return false
    run.onFound()
    if (found._tag === 'Unmapped') {
      run.unmapped(found.error)
      return true
    }
    run.onRun()
    whenSettled(
      found.run(found.error, run.context),
      (reply) => {
        if (!isReply(reply)) throw new TypeError('an error mapper must return a reply')
        run.respond(reply, found.respond)
      },
      run.unmapped,
    )
  } catch (mapperError) {
    run.onRun()
    run.unmapped(mapperError)
  }
  return true
}

/** A mapper and the error to map, which is the thrown error or one of its causes. */
export interface FoundMapper {
  /** The mapper, or `undefined` if the error is an `HttpError` that needs no mapper. */
  readonly mapper: MapError | undefined
  readonly error: unknown
}

type Levels = ReadonlyArray<ReadonlyArray<SingleMapper>>

/**
 * Returns the mapper for an error, or `undefined` if no mapper applies. Errors thrown by guards are not caught. Mappers take precedence in
 * this order:
 *
 * ```text
 * 1. scope      the innermost scope first, even if its mapper applies to a more general class
 * 2. kind       within a scope, tags and guards first, then classes, starting with the closest class
 * 3. priority   the lower value first, then in declaration order
 * ```
 *
 * Rules for unwrapping causes (`unwrap`) are selected in the same way.
 */
export const findMapper = (levels: Levels, error: unknown): FoundMapper | undefined =>
  levels.length === 0 ? undefined : search(levels, error, new Set())

/**
 * Finds the mapper for an error. If an unwrapping rule applies, the cause of the error is also considered. Each error is
 * considered only once, because a chain of causes can be circular.
 */
const search = (levels: Levels, error: unknown, seen: Set<unknown>): FoundMapper | undefined => {
  if (isHttpError(error) && error.reply !== undefined) return { mapper: undefined, error }
  seen.add(error)
  const cause = causeOf(error)
  const searchCause = (): FoundMapper | undefined =>
    cause === undefined || seen.has(cause)
      ? undefined
      : (search(levels, cause, seen) ?? unmapped(cause))
  const ranked = bestMapper(levels, error)
  const direct = ranked === undefined ? undefined : { mapper: ranked.mapper, error }
  switch (unwrapRule(levels, error)?.when) {
    case undefined:
      return direct
    case 'always':
      return searchCause() ?? direct
    case 'ifNotExact':
      return ranked?.distance === 0 ? direct : (searchCause() ?? direct)
    case 'ifUnmapped':
      return direct ?? searchCause()
  }
}

/** Returns a result without a mapper if the error is an `HttpError`, and `undefined` otherwise. */
const unmapped = (error: unknown): FoundMapper | undefined =>
  isHttpError(error) ? { mapper: undefined, error } : undefined

const causeOf = (error: unknown): unknown => (isError(error) ? error.cause : undefined)

interface Ranked<M> {
  readonly mapper: M
  /**
   * The number of inheritance steps from the class of the error to the mapped class. `0` if the classes are the same, or if the
   * mapper uses a tag or a guard.
   */
  readonly distance: number
  readonly byClass: boolean
}

/** Returns the best mapper for an error, without considering its causes. */
const bestMapper = (levels: Levels, error: unknown): Ranked<MapError> | undefined => {
  for (const level of levels) {
    const candidates = level.flatMap((mapper) =>
      mapper._tag === 'MapError' ? rank(mapper, error) : [],
    )
    const [best] = candidates.toSorted(
      (a, b) =>
        Number(a.byClass) - Number(b.byClass) ||
        a.distance - b.distance ||
        a.mapper.priority - b.mapper.priority,
    )
    if (best !== undefined) return best
  }
  return undefined
}

/** Returns an array that contains the mapper with its rank. The array is empty if the mapper does not apply to the error. */
const rank = (mapper: MapError, error: unknown): ReadonlyArray<Ranked<MapError>> => {
  const { scope } = mapper
  switch (scope._tag) {
    case 'Guard':
      return scope.is(error) ? [{ mapper, distance: 0, byClass: false }] : []
    case 'Tag':
      return isTagged(error, scope.tag) ? [{ mapper, distance: 0, byClass: false }] : []
    case 'Class': {
      const distance = distanceTo(scope.of.prototype, error)
      return distance === undefined ? [] : [{ mapper, distance, byClass: true }]
    }
  }
}

/** Returns the position of `prototype` in the prototype chain of `value`, or `undefined` if the chain does not contain it. */
const distanceTo = (prototype: unknown, value: unknown): number | undefined => {
  if (!isObject(value)) return undefined
  let current: unknown = Object.getPrototypeOf(value)
  for (let distance = 0; current !== null; distance++) {
    if (areSamePrototype(current, prototype)) return distance
    current = Object.getPrototypeOf(current)
  }
  return undefined
}

/**
 * Returns the unwrapping rule for an error. If multiple rules match, selects the rule for the most derived class in the innermost
 * scope.
 */
const unwrapRule = (levels: Levels, error: unknown): Unwrap | undefined => {
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
