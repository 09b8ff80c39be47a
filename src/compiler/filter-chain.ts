/**
 * Creates the filter chain for an operation, with the filters in order and the source of each dependency.
 *
 * Filters run by priority, and early filters run before all other request filters. If priorities are equal, outer filters see
 * the request first and the response last.
 */
import type { EndpointInfo } from '../endpoint/context.ts'
import type { PreMatchingFilter, RequestFilter, ResponseFilter } from '../endpoint/filter.ts'
import type { AnySlot } from '../endpoint/internal/slot-types.ts'
import type { EntityProviders } from '../body/entity/entity-providers.ts'
import { selectProviders, concernsEndpoint, noProviders } from '../body/entity/entity-providers.ts'
import type { ScopeLayer, SingleMapper, TreeScope } from '../endpoint/internal/tree-scope.ts'

/** The filters, mappers, dependencies and providers that apply to an operation. */
export interface FilterChain {
  readonly preMatching: ReadonlyArray<PreMatchingFilter>
  /** Filters that run on the event loop, even if the operation is blocking. */
  readonly early: ReadonlyArray<FilterStep>
  readonly request: ReadonlyArray<FilterStep>
  readonly response: ReadonlyArray<ResponseFilter>
  /** Error mappers, grouped by scope. The innermost scope comes first. */
  readonly mappers: ReadonlyArray<ReadonlyArray<SingleMapper>>
  /** The dependencies that the handler declares. */
  readonly needs: ReadonlyArray<ResolvedNeed>
  /** The readers, writers and interceptors that apply to request and response bodies. */
  readonly entities: EntityProviders
  /** Whether authentication filters that are not proactive let callers with rejected credentials pass. */
  readonly permitsAnonymous: boolean
}

/** A request filter with its resolved dependencies. */
export interface FilterStep {
  readonly filter: RequestFilter
  readonly needs: ReadonlyArray<ResolvedNeed>
}

/** A dependency on a slot. `source` is `undefined` if no provided value and no earlier filter fills the slot. */
export interface ResolvedNeed {
  readonly local: string
  readonly key: string
  readonly source: NeedSource | undefined
}

/** The source of a dependency: a provided value, or a filter that gives a value for each request. */
export type NeedSource =
  | { readonly _tag: 'Provided'; readonly value: unknown }
  /** Refers to the step instead of the filter, because a filter can occur twice in a chain. */
  | { readonly _tag: 'Given'; readonly step: FilterStep }

/** Creates the filter chain for an endpoint in a scope. If `endpoint` is `undefined`, the chain is for unmatched requests. */
export const filterChain = (
  { layers, mappers, providers, attributes }: TreeScope,
  endpoint: EndpointInfo | undefined,
  needs: ReadonlyMap<string, AnySlot>,
): FilterChain => {
  const selected = selectProviders('server', providers, (provider) =>
    concernsEndpoint(provider, endpoint, attributes.names),
  )
  const entities =
    attributes.xml === undefined && attributes.json === undefined
      ? selected
      : { ...selected, xml: attributes.xml, json: attributes.json }
  if (layers.length === 0)
    return { ...emptyChain, mappers, entities, needs: resolveNeeds(needs, layers, []) }
  const applicable = layers
    .flatMap((layer, index) => (layer._tag === 'Filter' ? [{ filter: layer.filter, index }] : []))
    .filter(({ filter }) => concernsEndpoint(filter, endpoint, attributes.names))
    .toSorted((a, b) => a.filter.priority - b.filter.priority)
  const ordered = applicable.map(({ filter }) => filter)
  const requestFilters = applicable.flatMap(({ filter, index }) =>
    filter._tag === 'RequestFilter' ? [{ filter, index }] : [],
  )
  const inOrder = [
    ...requestFilters.filter(({ filter }) => filter.nonBlocking),
    ...requestFilters.filter(({ filter }) => !filter.nonBlocking),
  ]
  const orderedSteps = inOrder.reduce<ReadonlyArray<OrderedStep>>((before, { filter, index }) => {
    const resolved = resolveNeeds(filter.needs, layers.slice(0, index), before)
    return [...before, { step: { filter, needs: resolved }, index }]
  }, [])
  const steps = orderedSteps.map(({ step }) => step)
  return {
    preMatching: ordered.filter((filter) => filter._tag === 'PreMatchingFilter'),
    early: steps.filter(({ filter }) => filter.nonBlocking),
    request: steps.filter(({ filter }) => !filter.nonBlocking),
    response: ordered.filter((filter) => filter._tag === 'ResponseFilter').toReversed(),
    mappers,
    needs: resolveNeeds(needs, layers, orderedSteps),
    entities,
    permitsAnonymous: false,
  }
}

const emptyChain: FilterChain = {
  preMatching: [],
  early: [],
  request: [],
  response: [],
  mappers: [],
  needs: [],
  entities: noProviders,
  permitsAnonymous: false,
}

/** A step, with the position of its filter in the scope layers. */
interface OrderedStep {
  readonly step: FilterStep
  readonly index: number
}

/** Finds the innermost source of each dependency. A filter is a source only for filters and handlers that run after it. */
const resolveNeeds = (
  slots: ReadonlyMap<string, AnySlot>,
  layers: ReadonlyArray<ScopeLayer>,
  before: ReadonlyArray<OrderedStep>,
): ReadonlyArray<ResolvedNeed> =>
  slots.size === 0
    ? none
    : Array.from(slots, ([local, { key }]) => ({
        local,
        key,
        source: sourceOf(key, layers, before),
      }))

const none: ReadonlyArray<ResolvedNeed> = []

const sourceOf = (
  key: string,
  layers: ReadonlyArray<ScopeLayer>,
  before: ReadonlyArray<OrderedStep>,
): NeedSource | undefined => {
  for (let index = layers.length - 1; index >= 0; index--) {
    const layer = layers[index]
    if (layer?._tag === 'Provided' && Object.hasOwn(layer.values, key))
      return { _tag: 'Provided', value: layer.values[key] }
    const step = before.find((candidate) => candidate.index === index)?.step
    if (step !== undefined && gives(step, key)) return { _tag: 'Given', step }
  }
  return undefined
}

const gives = ({ filter }: FilterStep, key: string): boolean =>
  [...filter.gives.values()].some((slot) => slot.key === key)
