/** Compiles the filters, error mappers and needs of an operation. */
import type { PreMatchingFilter, ResponseFilter } from '../../endpoint/filter.ts'
import type { MapError } from '../../endpoint/mapper.ts'
import type {
  FilterChain,
  ResolvedNeed,
  NeedSource,
  FilterStep,
} from '../../compiler/filter-chain.ts'
import { mayContainFiles } from '../response/file/close-unsent.ts'
import { optionalAuthentication } from './optional-authentication.ts'
import { findMapper } from '../errors/find-mapper.ts'
import type { EncodeResponse } from '../response/encode-response.ts'
import { declaredEncoder, interceptedUndeclaredEncoder } from '../response/intercepted-response.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type {
  ProvidedValues,
  OperationInfo,
  NeededValues,
  RequestInfo,
} from '../context/request-info.ts'

/** The filters and mappers of an operation, or of requests that match none. */
export interface CompiledFilters {
  readonly preMatching: ReadonlyArray<CompiledFilter<unknown>>
  readonly early: ReadonlyArray<CompiledFilter<OperationInfo>>
  readonly request: ReadonlyArray<CompiledFilter<OperationInfo>>
  readonly response: ReadonlyArray<ResponseFilter>
  /** Finds the mapper of an error; `undefined` if there are no mappers. Throws the errors of guards. */
  readonly findMapper: ((error: unknown) => MappedError | undefined) | undefined
  /** Returns the values that the handler needs; `undefined` if it needs none. */
  readonly needs: ((given: ProvidedValues) => NeededValues) | undefined
  /** Encodes responses that are not declared. */
  readonly encodeUndeclared: EncodeResponse
  /** Whether responses of filters or mappers may contain files. */
  readonly sendsFiles: boolean
}

/** A compiled request filter. */
export interface CompiledFilter<O> {
  readonly run: (state: RequestInfo, operation: O) => unknown
  /** Encodes the responses of the filter. */
  readonly encode: EncodeResponse
  /** The index of the values that it provides; `undefined` for a pre-matching filter, which may rewrite the request instead. */
  readonly index: number | undefined
  /** The scheme of an authentication filter. */
  readonly scheme: string | undefined
}

/** The result of the search for a mapper: a mapper, or an `HttpError` that needs none. */
export type MappedError =
  | {
      readonly _tag: 'Mapping'
      readonly run: MapError['run']
      readonly error: unknown
      readonly respond: EncodeResponse
    }
  | { readonly _tag: 'Unmapped'; readonly error: unknown }

/** Compiles a filter chain. */
export const compileFilters = (chain: FilterChain, settings: Settings): CompiledFilters => {
  const steps = [...chain.early, ...chain.request]
  const passing = (step: FilterStep, index: number): CompiledFilter<OperationInfo> => {
    const { responses, authentication } = step.filter
    const run =
      chain.permitsAnonymous && authentication?.proactive === false
        ? optionalAuthentication(step.filter.run)
        : step.filter.run
    const needs = needing(step.needs, steps) ?? (() => nothing)
    return {
      run: (state, operation) => run(state.contextOf(operation), needs(state.provided)),
      encode: declaredEncoder(responses, settings, chain.entities),
      index,
      scheme: authentication?.scheme,
    }
  }
  const passings = steps.map(passing)
  return {
    preMatching: chain.preMatching.map((filter) => before(filter, settings, chain)),
    early: passings.slice(0, chain.early.length),
    request: passings.slice(chain.early.length),
    response: chain.response,
    findMapper: mapping(chain, settings),
    needs: needing(chain.needs, steps),
    encodeUndeclared: interceptedUndeclaredEncoder(settings, chain.entities),
    sendsFiles: sendsFiles(chain),
  }
}

const sendsFiles = ({ preMatching, early, request, mappers }: FilterChain): boolean =>
  [
    ...preMatching,
    ...[...early, ...request].map(({ filter }) => filter),
    ...mappers.flat().filter((mapper) => mapper._tag === 'MapError'),
  ].some(({ responses }) =>
    responses.some(({ representations }) => representations.some(mayContainFiles)),
  )

const before = (
  { run, responses }: PreMatchingFilter,
  settings: Settings,
  chain: FilterChain,
): CompiledFilter<unknown> => ({
  run: (state) => run(state.context),
  encode: declaredEncoder(responses, settings, chain.entities),
  index: undefined,
  scheme: undefined,
})

const mapping = (
  { mappers, entities }: FilterChain,
  settings: Settings,
): CompiledFilters['findMapper'] => {
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

const nothing: NeededValues = Object.freeze({})

/** Returns a function that collects the needed values. If no filter provides any of them, they are collected once. */
const needing = (
  needs: ReadonlyArray<ResolvedNeed>,
  steps: ReadonlyArray<FilterStep>,
): ((given: ProvidedValues) => NeededValues) | undefined => {
  if (needs.length === 0) return undefined
  const sources = needs.map(
    ({ local, key, source }) => [local, fetching(key, source, steps)] as const,
  )
  const collect = (given: ProvidedValues): NeededValues => {
    const needed: Record<string, unknown> = {}
    for (const [local, fetch] of sources) needed[local] = fetch(given)
    return needed
  }
  if (needs.some(({ source }) => source?._tag === 'Given')) return collect
  const values = Object.freeze(collect([]))
  return () => values
}

const fetching = (
  key: string,
  source: NeedSource | undefined,
  steps: ReadonlyArray<FilterStep>,
): ((given: ProvidedValues) => unknown) => {
  if (source?._tag !== 'Given') return () => source?.value
  const index = steps.indexOf(source.step)
  const { gives } = source.step.filter
  const [local = key] = Array.from(gives).find(([, slot]) => slot.key === key) ?? []
  return (given) => given[index]?.[local]
}
