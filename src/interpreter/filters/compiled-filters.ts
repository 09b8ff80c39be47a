/**
 * Compiles the filters, error mappers and needs of an operation, or of requests that match no operation. A need is a value that a
 * handler or filter receives, for example, from an earlier filter.
 */
import type { RequestFilter, PreMatchingFilter, ResponseFilter } from '../../endpoint/filter.ts'
import type { AnySlot } from '../../endpoint/definition/slot-types.ts'
import { isHttpError } from '../../endpoint/http-error.ts'
import { isReply } from '../../endpoint/reply.ts'
import type {
  FilterChain,
  ResolvedNeed,
  NeedSource,
  FilterStep,
  PathFilters,
} from '../../compiler/filter-chain.ts'
import { declaredByFilters } from '../../compiler/filter-chain.ts'
import { mayContainFiles } from '../response/file-response.ts'
import type { FindMappedError } from '../errors/error-mapping.ts'
import { mapperFinder } from '../errors/error-mapping.ts'
import type { EncodeResponse } from '../response/encode-response.ts'
import { declaredEncoder, undeclaredEncoder } from '../response/encode-response.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { MatchedOperation, NeededValues, RequestInfo } from '../request-info.ts'
import { andThen, isObject, isPromise } from '../../http/platform-value.ts'
import type { PathGroup } from '../../compiler/path-groups.ts'
import type { Plan } from '../../compiler/plan.ts'
import * as Headers from '../../http/headers.ts'
import type { Exchange } from '../exchange.ts'
import { groupMatcher } from '../routing/path-matcher.ts'

/** Extracts the value or error from an `Option` or `Either`. Returns `undefined` for any other value. */
export const unwrapResult = (
  value: unknown,
): { readonly value: unknown } | { readonly error: unknown } | undefined => {
  if (!isObject(value) || !('_tag' in value)) return undefined
  switch (value._tag) {
    case 'None':
      return { value: undefined }
    case 'Some':
      return 'value' in value ? { value: value.value } : undefined
    case 'Right':
      return 'right' in value ? { value: value.right } : undefined
    case 'Left':
      return 'left' in value ? { error: value.left } : undefined
    default:
      return undefined
  }
}

/**
 * Makes an authentication filter optional. If the filter returns or throws a reply or an error with status 400 or 401, the
 * request continues anonymously.
 */
const optionalAuthentication =
  (run: RequestFilter['run']): RequestFilter['run'] =>
  (context, needs) => {
    try {
      const result = andThen(run(context, needs), withoutRejection)
      return isPromise(result) ? result.catch(ignoreRejection) : result
    } catch (error) {
      return ignoreRejection(error)
    }
  }

const withoutRejection = (value: unknown): unknown => (isRejection(value) ? undefined : value)

const ignoreRejection = (error: unknown): undefined => {
  if (!isRejection(error)) throw error
}

const isRejection = (value: unknown): boolean => {
  if (isReply(value) || isHttpError(value)) return value.status === 400 || value.status === 401
  const inner = unwrapResult(value)
  if (inner === undefined) return false
  return isRejection('error' in inner ? inner.error : inner.value)
}

/** The compiled filters and mappers of an operation, or of requests that match no operation. */
export interface CompiledFilters {
  readonly preMatching: ReadonlyArray<CompiledFilter<unknown>>
  /** The filters of subtrees that cover the path. They also run first in `early`. */
  readonly forPath: ReadonlyArray<CompiledFilter<unknown>>
  readonly early: ReadonlyArray<CompiledFilter<MatchedOperation>>
  readonly request: ReadonlyArray<CompiledFilter<MatchedOperation>>
  readonly response: ReadonlyArray<ResponseFilter>
  /** Finds the mapper for an error. `undefined` if no mappers are declared. */
  readonly findMapper: FindMappedError | undefined
  /** Returns the values that the handler needs. `undefined` if the handler does not need any values. */
  readonly needs: ((state: SlotValues) => NeededValues) | undefined
  /** Encodes responses that are not declared. */
  readonly encodeUndeclared: EncodeResponse
  /** Whether responses from filters or mappers can contain files. */
  readonly sendsFiles: boolean
}

export interface CompiledFilter<O> {
  readonly run: (state: RequestInfo, operation: O) => unknown
  /** Encodes responses returned by the filter. */
  readonly encode: EncodeResponse
  /**
   * The index at which the values provided by the filter are stored. `undefined` for a pre-matching filter, which can rewrite the
   * request but cannot provide values.
   */
  readonly index: number | undefined
  /** The slots that the filter must fill, by local name. */
  readonly gives: ReadonlyArray<readonly [local: string, slot: AnySlot]>
  /** The authentication scheme. `undefined` if the filter does not authenticate requests. */
  readonly scheme: string | undefined
}

/** Compiles a filter chain, including the encoders for replies from filters and mappers. */
export const compileFilters = (chain: FilterChain, settings: Settings): CompiledFilters => {
  const steps = [...chain.early, ...chain.request]
  const compileFilter = (step: FilterStep, index: number): CompiledFilter<MatchedOperation> => {
    const { responses, authentication } = step.filter
    const run =
      chain.permitsAnonymous && authentication?.proactive === false
        ? optionalAuthentication(step.filter.run)
        : step.filter.run
    const needs = needsCollector(step.needs, steps) ?? (() => nothing)
    return {
      run: (state, operation) => run(state.contextOf(operation), needs(state)),
      encode: declaredEncoder(responses, settings, chain.entities),
      index,
      gives: [...step.filter.gives],
      scheme: authentication?.scheme,
    }
  }
  const compiled = steps.map(compileFilter)
  const forPath = (chain.forPath?.request ?? []).map((filter) =>
    compilePreMatching(filter, settings, chain),
  )
  return {
    preMatching: chain.preMatching.map((filter) => compilePreMatching(filter, settings, chain)),
    forPath,
    early: [...forPath, ...compiled.slice(0, chain.early.length)],
    request: compiled.slice(chain.early.length),
    response: chain.response,
    findMapper: mapperFinder(chain, settings),
    needs: needsCollector(chain.needs, steps),
    encodeUndeclared: undeclaredEncoder(settings, chain.entities),
    sendsFiles: sendsFiles(chain),
  }
}

const sendsFiles = (chain: FilterChain): boolean =>
  declaredByFilters(chain).some(({ representations }) => representations.some(mayContainFiles))

const compilePreMatching = (
  { run, responses }: PreMatchingFilter,
  settings: Settings,
  chain: FilterChain,
): CompiledFilter<unknown> => ({
  run: (state) => run(state.context),
  encode: declaredEncoder(responses, settings, chain.entities),
  index: undefined,
  gives: [],
  scheme: undefined,
})

const nothing: NeededValues = Object.freeze({})

/** The slot values of a request: those provided by filters, and those of prefix variables. */
export type SlotValues = Pick<RequestInfo, 'provided' | 'prefixValues'>

/**
 * Returns a function that collects the values for `needs`. If neither filters nor prefix variables provide any of these values, the
 * values are the same for all requests and are collected only once.
 */
const needsCollector = (
  needs: ReadonlyArray<ResolvedNeed>,
  steps: ReadonlyArray<FilterStep>,
): ((state: SlotValues) => NeededValues) | undefined => {
  if (needs.length === 0) return undefined
  const sources = needs.map(
    ({ local, key, source }) => [local, needGetter(key, source, steps)] as const,
  )
  const collect = (state: SlotValues): NeededValues => {
    const needed: Record<string, unknown> = {}
    for (const [local, getValue] of sources) needed[local] = getValue(state)
    return needed
  }
  if (needs.some(({ source }) => source?._tag === 'Given' || source?._tag === 'Prefix'))
    return collect
  const values = Object.freeze(collect({ provided: [], prefixValues: nothing }))
  return () => values
}

const needGetter = (
  key: string,
  source: NeedSource | undefined,
  steps: ReadonlyArray<FilterStep>,
): ((state: SlotValues) => unknown) => {
  if (source === undefined) return () => undefined
  if (source._tag === 'Provided') return () => source.value
  if (source._tag === 'Prefix') return ({ prefixValues }) => prefixValues[key]
  const index = steps.indexOf(source.step)
  const { gives } = source.step.filter
  const [local = key] = Array.from(gives).find(([, slot]) => slot.key === key) ?? []
  return ({ provided }) => provided[index]?.[local]
}

/**
 * Returns the filters for a request that matches a path, but no operation: a preflight request, or one that is rejected with 405, 406 or
 * 415. Only filters of subtrees that cover paths are considered, such as `cors`. Returns `undefined` if there are none.
 */
export type FindPathFilters = (
  request: Pick<Exchange, 'method' | 'path' | 'headers'>,
) => CompiledFilters | undefined

/** The filters for each method of a path group. */
type FiltersByMethod = ReadonlyMap<string, CompiledFilters | undefined>

/**
 * Creates the function that finds the filters of a path. Returns `undefined` if no subtree has filters that cover paths.
 *
 * Operations with the same path can belong to different subtrees. The filters are then those of the operations with the method of the
 * request or, for a preflight request, with the method that the page is going to use. If the path does not support this method, the
 * filters of any of its operations are used, so that a page can read the 405 response.
 */
export const findPathFilters = (
  groups: ReadonlyArray<PathGroup<Plan>>,
  root: FilterChain,
  settings: Settings,
  isCanonical: boolean,
): FindPathFilters | undefined => {
  if (!groups.some(({ methods }) => [...methods.values()].some(isCovered))) return undefined
  const compile = (forPath: PathFilters): CompiledFilters =>
    compileFilters({ ...root, forPath, response: forPath.response }, settings)
  const filtersOf = ([plan]: ReadonlyArray<Plan>): CompiledFilters | undefined => {
    const forPath = plan?.chain.forPath
    return forPath && compile(forPath)
  }
  const matcher = groupMatcher(groups, filtersOf, isCanonical)
  return (request) => {
    const found = (matcher.match(request.path)?.matches ?? []).map(({ value }) => value)
    const method = methodOf(request)
    const group = found.find((filters) => supports(filters, method))
    return group === undefined ? anyFilters(found) : group.get(group.has(method) ? method : 'GET')
  }
}

/** Whether a path group supports a method. GET operations handle HEAD if HEAD is not declared. */
const supports = (group: FiltersByMethod, method: string): boolean =>
  group.has(method) || (method === 'HEAD' && group.has('GET'))

const isCovered = ([plan]: ReadonlyArray<Plan>): boolean => plan?.chain.forPath !== undefined

/** Returns the method in `Access-Control-Request-Method` of a preflight request, or the method of any other request. */
const methodOf = ({ method, headers }: Parameters<FindPathFilters>[0]): string => {
  const requested =
    method === 'OPTIONS' ? Headers.first(headers, 'access-control-request-method') : undefined
  return requested ?? method
}

const anyFilters = (groups: ReadonlyArray<FiltersByMethod>): CompiledFilters | undefined => {
  for (const group of groups)
    for (const filters of group.values()) if (filters !== undefined) return filters
  return undefined
}
