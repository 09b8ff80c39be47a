/**
 * Creates the filter chain for an operation: sorts the filters, and finds the source of each dependency.
 *
 * Request filters run in ascending order of their priority values, with early filters before all others. Response filters run in
 * descending order. If priorities are equal, filters in outer scopes process the request first and the response last.
 */
import type { EndpointInfo } from '../endpoint/context.ts'
import type { DeclaredResponse } from '../endpoint/endpoint.ts'
import type { PreMatchingFilter, RequestFilter, ResponseFilter } from '../endpoint/filter.ts'
import type { AnySlot } from '../endpoint/definition/slot-types.ts'
import type { EntityProviders } from '../body/entity-plan.ts'
import { selectProviders, concernsEndpoint, noProviders } from '../body/entity-plan.ts'
import type { ScopeLayer, SingleMapper, TreeScope } from '../endpoint/tree/tree-scope.ts'
import * as Headers from '../http/headers.ts'

/** The filters, mappers, dependencies and providers that apply to an operation. */
export interface FilterChain {
  readonly preMatching: ReadonlyArray<PreMatchingFilter>
  /** Request filters that run on the event loop before all other request filters, even if the operation is blocking. */
  readonly early: ReadonlyArray<FilterStep>
  readonly request: ReadonlyArray<FilterStep>
  readonly response: ReadonlyArray<ResponseFilter>
  /** The filters of subtrees that cover the path of the operation. `undefined` if there are none. */
  readonly forPath: PathFilters | undefined
  /** Error mappers grouped by scope, starting with the innermost scope. */
  readonly mappers: ReadonlyArray<ReadonlyArray<SingleMapper>>
  /** The dependencies declared by the handler. */
  readonly needs: ReadonlyArray<ResolvedNeed>
  /** The readers, writers and interceptors that apply to request and response bodies. */
  readonly entities: EntityProviders
  /** Whether authentication filters with `proactive: false` treat a request with invalid credentials as anonymous. */
  readonly permitsAnonymous: boolean
}

/** Filters for requests that match the path of an operation, whether or not they match the operation itself. */
export interface PathFilters {
  /** Filters of subtrees. They run after the path is matched, and before early filters. */
  readonly request: ReadonlyArray<PreMatchingFilter>
  /** Response filters for requests that match no operation: those of the root, and those of subtrees that cover paths. */
  readonly response: ReadonlyArray<ResponseFilter>
}

/** A request filter with its resolved dependencies. */
export interface FilterStep {
  readonly filter: RequestFilter
  readonly needs: ReadonlyArray<ResolvedNeed>
}

/** A dependency on a slot. `source` is `undefined` if no provided value, prefix variable or earlier filter fills the slot. */
export interface ResolvedNeed {
  readonly local: string
  readonly key: string
  readonly source: NeedSource | undefined
}

/** The source of a dependency: a provided value, or a prefix variable or filter that supplies a value for each request. */
export type NeedSource =
  | { readonly _tag: 'Provided'; readonly value: unknown }
  | { readonly _tag: 'Prefix' }
  /** A value supplied by a filter. `step` identifies the filter in the chain, because a filter can occur twice. */
  | { readonly _tag: 'Given'; readonly step: FilterStep }

/**
 * Creates the filter chain for an endpoint. If `endpoint` is `undefined`, the chain applies to requests that match no operation.
 */
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
    forPath: undefined,
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
  forPath: undefined,
  mappers: [],
  needs: [],
  entities: noProviders,
  permitsAnonymous: false,
}

/** A step and the index of its filter in the `layers` of the scope. Layers are ordered from the outermost to the innermost. */
interface OrderedStep {
  readonly step: FilterStep
  readonly index: number
}

/** Finds the innermost source of each dependency. A filter supplies values only to filters and handlers that run after it. */
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
    if (layer?._tag === 'Prefix' && layer.variables.some(({ slot }) => slot.key === key))
      return { _tag: 'Prefix' }
    const step = before.find((candidate) => candidate.index === index)?.step
    if (step !== undefined && gives(step, key)) return { _tag: 'Given', step }
  }
  return undefined
}

const gives = ({ filter }: FilterStep, key: string): boolean =>
  [...filter.gives.values()].some((slot) => slot.key === key)

/** Returns headers for the rejection of a request before routing. `received` are the headers of the request. */
export type RejectionHeaders = (received: Headers.RequestHeaders) => Headers.Headers

/** Returns the headers that the filters at the root of a tree add to rejections before routing, for which no filter runs. */
export const rejectionHeadersOf = ({
  preMatching,
}: Pick<FilterChain, 'preMatching'>): RejectionHeaders => {
  const sources = preMatching.flatMap(({ rejectionHeaders }) => rejectionHeaders ?? [])
  return sources.length === 0
    ? () => Headers.empty
    : (received) => {
        const origin = Headers.first(received, 'origin')
        return sources.flatMap((headersFor) => headersFor(origin))
      }
}

/** Returns the responses that filters and error mappers declare. */
export const declaredByFilters = ({
  preMatching,
  early,
  request,
  mappers,
}: Pick<
  FilterChain,
  'preMatching' | 'early' | 'request' | 'mappers'
>): ReadonlyArray<DeclaredResponse> =>
  [
    ...preMatching,
    ...early.concat(request).map(({ filter }) => filter),
    ...mappers.flat().filter((mapper) => mapper._tag === 'MapError'),
  ].flatMap(({ responses }) => responses)
