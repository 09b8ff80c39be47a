/** What stands around an operation, ready to run. */
import type { PreMatchingFilter, ResponseFilter } from '../../endpoint/filter.ts'
import type { MapError } from '../../endpoint/mapper.ts'
import type { Chain, Need, Source, Step } from '../../compiler/filter-chain.ts'
import { mayBeOpen } from '../response/file/close-unsent.ts'
import { optionalAuthentication } from './optional-authentication.ts'
import { mapperOf } from '../errors/find-mapper.ts'
import type { Respond } from '../response/encode-response.ts'
import { respondDeclared, respondUndeclaredThrough } from '../response/intercepted-response.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { Given, Located, Needed, Underway } from '../context/request-info.ts'

/** Filters and mappers of an operation, or of requests that match nothing. */
export interface Ready {
  readonly preMatching: ReadonlyArray<Passing<unknown>>
  readonly early: ReadonlyArray<Passing<Located>>
  readonly request: ReadonlyArray<Passing<Located>>
  readonly response: ReadonlyArray<ResponseFilter>
  /** What is found for an error; `undefined` where there are no mappers. Throws what a guard throws. */
  readonly mapperOf: ((error: unknown) => MappingOf | undefined) | undefined
  /** What the handler needs; `undefined` when it needs nothing. */
  readonly needs: ((given: Given) => Needed) | undefined
  /** For replies of which nobody says how they are written. */
  readonly respondUndeclared: Respond
  /** Whether a filter or a mapper may answer with files. */
  readonly sendsFiles: boolean
}

/** A filter that a request passes. */
export interface Passing<O> {
  readonly run: (call: Underway, operation: O) => unknown
  /** Writes what the filter answers. */
  readonly respond: Respond
  /** Where what it gives is kept; `undefined` before matching, where requests are rewritten and nothing is given. */
  readonly index: number | undefined
  /** The scheme of an authentication filter. */
  readonly scheme: string | undefined
}

/** What was found for an error: a mapper, or an error that is its own answer. */
export type MappingOf =
  | {
      readonly _tag: 'Mapping'
      readonly run: MapError['run']
      readonly error: unknown
      readonly respond: Respond
    }
  | { readonly _tag: 'Unmapped'; readonly error: unknown }

/** Prepares a chain. */
export const prepare = (chain: Chain, settings: Settings): Ready => {
  const steps = [...chain.early, ...chain.request]
  const passing = (step: Step, index: number): Passing<Located> => {
    const { responses, authentication } = step.filter
    const run =
      chain.permitsAnonymous && authentication?.proactive === false
        ? optionalAuthentication(step.filter.run)
        : step.filter.run
    const needs = needing(step.needs, steps) ?? (() => nothing)
    return {
      run: (call, operation) => run(call.contextOf(operation), needs(call.given)),
      respond: respondDeclared(responses, settings, chain.entities),
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
    mapperOf: mapping(chain, settings),
    needs: needing(chain.needs, steps),
    respondUndeclared: respondUndeclaredThrough(settings, chain.entities),
    sendsFiles: sendsFiles(chain),
  }
}

const sendsFiles = ({ preMatching, early, request, mappers }: Chain): boolean =>
  [
    ...preMatching,
    ...[...early, ...request].map(({ filter }) => filter),
    ...mappers.flat().filter((mapper) => mapper._tag === 'MapError'),
  ].some(({ responses }) =>
    responses.some(({ representations }) => representations.some(mayBeOpen)),
  )

const before = (
  { run, responses }: PreMatchingFilter,
  settings: Settings,
  chain: Chain,
): Passing<unknown> => ({
  run: (call) => run(call.context),
  respond: respondDeclared(responses, settings, chain.entities),
  index: undefined,
  scheme: undefined,
})

const mapping = ({ mappers, entities }: Chain, settings: Settings): Ready['mapperOf'] => {
  if (mappers.length === 0) return undefined
  const responds = new Map(
    mappers
      .flat()
      .flatMap((mapper) =>
        mapper._tag === 'MapError'
          ? [[mapper, respondDeclared(mapper.responses, settings, entities)] as const]
          : [],
      ),
  )
  return (error) => {
    const found = mapperOf(mappers, error)
    if (found === undefined) return undefined
    const respond = found.mapper && responds.get(found.mapper)
    return respond === undefined || found.mapper === undefined
      ? { _tag: 'Unmapped', error: found.error }
      : { _tag: 'Mapping', run: found.mapper.run, error: found.error, respond }
  }
}

const nothing: Needed = Object.freeze({})

/** Values of the application are put together once. */
const needing = (
  needs: ReadonlyArray<Need>,
  steps: ReadonlyArray<Step>,
): ((given: Given) => Needed) | undefined => {
  if (needs.length === 0) return undefined
  const sources = needs.map(
    ({ local, key, source }) => [local, fetching(key, source, steps)] as const,
  )
  const collect = (given: Given): Needed => {
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
  source: Source | undefined,
  steps: ReadonlyArray<Step>,
): ((given: Given) => unknown) => {
  if (source?._tag !== 'Given') return () => source?.value
  const index = steps.indexOf(source.by)
  const { gives } = source.by.filter
  const [local = key] = Array.from(gives).find(([, slot]) => slot.key === key) ?? []
  return (given) => given[index]?.[local]
}
