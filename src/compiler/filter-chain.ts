/**
 * The filter chain of an operation: its filters in order, and the source of each dependency.
 *
 * Early filters run first, then the others by priority. With equal priority, outer filters see the request first and the
 * response last.
 */
import type { EndpointInfo } from '../endpoint/context.ts'
import type { PreMatchingFilter, RequestFilter, ResponseFilter } from '../endpoint/filter.ts'
import type { AnySlot } from '../endpoint/internal/slot-types.ts'
import type { EntityProviders } from '../body/entity/entity-providers.ts'
import { selectProviders, concernsEndpoint, noProviders } from '../body/entity/entity-providers.ts'
import type { ScopeLayer, SingleMapper, TreeScope } from '../endpoint/internal/tree-scope.ts'

export interface FilterChain {
  readonly preMatching: ReadonlyArray<PreMatchingFilter>
  /** Filters that run on the event loop, also for blocking operations. */
  readonly early: ReadonlyArray<FilterStep>
  readonly request: ReadonlyArray<FilterStep>
  readonly response: ReadonlyArray<ResponseFilter>
  /** Error mappers by scope, the innermost scope first. */
  readonly mappers: ReadonlyArray<ReadonlyArray<SingleMapper>>
  /** The dependencies of the handler. */
  readonly needs: ReadonlyArray<ResolvedNeed>
  /** Readers, writers and interceptors. */
  readonly entities: EntityProviders
  /** Whether authentication filters that are not proactive pass callers whose credentials they reject. */
  readonly permitsAnonymous: boolean
}

/** A request filter with its resolved dependencies. */
export interface FilterStep {
  readonly filter: RequestFilter
  readonly needs: ReadonlyArray<ResolvedNeed>
}

/** A needed slot and its source; `undefined` if no source precedes it. */
export interface ResolvedNeed {
  readonly local: string
  readonly key: string
  readonly source: NeedSource | undefined
}

/** A provided value, or a filter that gives a value for each request. */
export type NeedSource =
  | { readonly _tag: 'Provided'; readonly value: unknown }
  /** References the step and not the filter, because a filter may occur twice in a chain. */
  | { readonly _tag: 'Given'; readonly step: FilterStep }

/** Creates the filter chain of a scope. Without an endpoint, it is the chain of requests that match no operation. */
export const filterChain = (
  { layers, mappers, providers, attributes }: TreeScope,
  endpoint: EndpointInfo | undefined,
  needs: ReadonlyMap<string, AnySlot>,
): FilterChain => {
  const serving = selectProviders('server', providers, (one) =>
    concernsEndpoint(one, endpoint, attributes.names),
  )
  const entities =
    attributes.xml === undefined && attributes.json === undefined
      ? serving
      : { ...serving, xml: attributes.xml, json: attributes.json }
  if (layers.length === 0) return { ...bare, mappers, entities, needs: needsOf(needs, layers, []) }
  const met = layers
    .flatMap((one, at) => (one._tag === 'Filter' ? [{ filter: one.filter, at }] : []))
    .filter(({ filter }) => concernsEndpoint(filter, endpoint, attributes.names))
    .toSorted((a, b) => a.filter.priority - b.filter.priority)
  const ordered = met.map(({ filter }) => filter)
  const requests = met.flatMap(({ filter, at }) =>
    filter._tag === 'RequestFilter' ? [{ filter, at }] : [],
  )
  const running = [
    ...requests.filter(({ filter }) => filter.nonBlocking),
    ...requests.filter(({ filter }) => !filter.nonBlocking),
  ]
  const standing = running.reduce<ReadonlyArray<OrderedStep>>((before, { filter, at }) => {
    const filled = needsOf(filter.needs, layers.slice(0, at), before)
    return [...before, { step: { filter, needs: filled }, at }]
  }, [])
  const steps = standing.map(({ step }) => step)
  return {
    preMatching: ordered.filter((filter) => filter._tag === 'PreMatchingFilter'),
    early: steps.filter(({ filter }) => filter.nonBlocking),
    request: steps.filter(({ filter }) => !filter.nonBlocking),
    response: ordered.filter((filter) => filter._tag === 'ResponseFilter').toReversed(),
    mappers,
    needs: needsOf(needs, layers, standing),
    entities,
    permitsAnonymous: false,
  }
}

const bare: FilterChain = {
  preMatching: [],
  early: [],
  request: [],
  response: [],
  mappers: [],
  needs: [],
  entities: noProviders,
  permitsAnonymous: false,
}

/** A step, and the position of its filter among the scope layers. */
interface OrderedStep {
  readonly step: FilterStep
  readonly at: number
}

/** Resolves dependencies to the innermost source. A filter is a source only for what runs after it. */
const needsOf = (
  slots: ReadonlyMap<string, AnySlot>,
  around: ReadonlyArray<ScopeLayer>,
  before: ReadonlyArray<OrderedStep>,
): ReadonlyArray<ResolvedNeed> =>
  slots.size === 0
    ? none
    : Array.from(slots, ([local, { key }]) => ({
        local,
        key,
        source: sourceOf(key, around, before),
      }))

const none: ReadonlyArray<ResolvedNeed> = []

const sourceOf = (
  key: string,
  around: ReadonlyArray<ScopeLayer>,
  before: ReadonlyArray<OrderedStep>,
): NeedSource | undefined => {
  for (let at = around.length - 1; at >= 0; at--) {
    const one = around[at]
    if (one?._tag === 'Provided' && Object.hasOwn(one.values, key))
      return { _tag: 'Provided', value: one.values[key] }
    const by = before.find((running) => running.at === at)?.step
    if (by !== undefined && gives(by, key)) return { _tag: 'Given', step: by }
  }
  return undefined
}

const gives = ({ filter }: FilterStep, key: string): boolean =>
  [...filter.gives.values()].some((slot) => slot.key === key)
