/**
 * The chain of an operation: which filters it meets, in which order, and where each slot that something needs is filled.
 * Early filters come first, then by priority; among equals the outer filter sees the request first, and the response last.
 */
import type { EndpointInfo } from '../endpoint/context.ts'
import type { PreMatchingFilter, RequestFilter, ResponseFilter } from '../endpoint/filter.ts'
import type { AnySlot } from '../endpoint/slot.ts'
import type { Entities } from './entities.ts'
import { entitiesOf, isConcerned, noEntities } from './entities.ts'
import type { Around, Mapping, OneFilter, Place } from './place.ts'

export interface Chain {
  readonly preMatching: ReadonlyArray<PreMatchingFilter>
  /** Those that run on the event loop wherever the operation runs. */
  readonly early: ReadonlyArray<Step>
  readonly request: ReadonlyArray<Step>
  readonly response: ReadonlyArray<ResponseFilter>
  /** The innermost level first. */
  readonly mappers: ReadonlyArray<ReadonlyArray<Mapping>>
  /** What the handler needs. */
  readonly needs: ReadonlyArray<Need>
  /** Readers, writers and interceptors. */
  readonly entities: Entities
}

/** A request filter in its place. */
export interface Step {
  readonly filter: RequestFilter
  readonly needs: ReadonlyArray<Need>
}

/** A slot that is needed, and what fills it; `undefined` when nothing does in time. */
export interface Need {
  readonly local: string
  readonly key: string
  readonly source: Source | undefined
}

/** A value of the application, or what a filter gives to each request. */
export type Source =
  | { readonly _tag: 'Provided'; readonly value: unknown }
  | { readonly _tag: 'Given'; readonly by: RequestFilter }

/** The chain at a place. Without an endpoint: that of requests which match nothing. */
export const chainOf = (
  { around, mappers, providers, marks }: Place,
  endpoint: EndpointInfo | undefined,
  needs: ReadonlyMap<string, AnySlot>,
): Chain => {
  const entities = entitiesOf(providers, (one) => isConcerned(one, endpoint, marks.names))
  if (around.length === 0) return { ...bare, mappers, entities, needs: needsOf(needs, around, []) }
  const met = around
    .flatMap((one) => (one._tag === 'Filter' ? [one.filter] : []))
    .filter((filter) => isConcerned(filter, endpoint, marks.names))
  const ordered = met.toSorted((a, b) => a.priority - b.priority)
  const requests = ordered.filter((filter) => filter._tag === 'RequestFilter')
  const running = [
    ...requests.filter(({ nonBlocking }) => nonBlocking),
    ...requests.filter(({ nonBlocking }) => !nonBlocking),
  ]
  const steps = running.map((filter, index): Step => ({
    filter,
    needs: needsOf(filter.needs, outside(around, filter), running.slice(0, index)),
  }))
  return {
    preMatching: ordered.filter((filter) => filter._tag === 'PreMatchingFilter'),
    early: steps.filter(({ filter }) => filter.nonBlocking),
    request: steps.filter(({ filter }) => !filter.nonBlocking),
    response: ordered.filter((filter) => filter._tag === 'ResponseFilter').toReversed(),
    mappers,
    needs: needsOf(needs, around, running),
    entities,
  }
}

const bare: Chain = {
  preMatching: [],
  early: [],
  request: [],
  response: [],
  mappers: [],
  needs: [],
  entities: noEntities,
}

/** What stands further out than a filter. */
const outside = (around: ReadonlyArray<Around>, filter: OneFilter): ReadonlyArray<Around> =>
  around.slice(
    0,
    around.findIndex((one) => one._tag === 'Filter' && one.filter === filter),
  )

/** The nearest source wins. A filter is one only if it runs before. */
const needsOf = (
  slots: ReadonlyMap<string, AnySlot>,
  around: ReadonlyArray<Around>,
  before: ReadonlyArray<RequestFilter>,
): ReadonlyArray<Need> =>
  slots.size === 0
    ? none
    : Array.from(slots, ([local, { key }]) => ({
        local,
        key,
        source: sourceOf(key, around, before),
      }))

const none: ReadonlyArray<Need> = []

const sourceOf = (
  key: string,
  around: ReadonlyArray<Around>,
  before: ReadonlyArray<RequestFilter>,
): Source | undefined => {
  const nearest = around.findLast((one) =>
    one._tag === 'Provided'
      ? Object.hasOwn(one.values, key)
      : gives(one.filter, key) && before.includes(one.filter),
  )
  if (nearest === undefined) return undefined
  return nearest._tag === 'Provided'
    ? { _tag: 'Provided', value: nearest.values[key] }
    : nearest.filter._tag === 'RequestFilter'
      ? { _tag: 'Given', by: nearest.filter }
      : undefined
}

const gives = (filter: OneFilter, key: string): filter is RequestFilter =>
  filter._tag === 'RequestFilter' && [...filter.gives.values()].some((slot) => slot.key === key)
