/** A compiled tree: everything about its operations that does not depend on a request. */
import type { Application, EndpointInfo } from '../endpoint/context.ts'
import { isBlocking } from '../endpoint/internal/attributes.ts'
import type { CompiledFilters } from './filters/compiled-filters.ts'
import { compileFilters } from './filters/compiled-filters.ts'
import { bodyLimit, withOperationLimits } from '../compiler/settings/body-limit.ts'
import type { FilterChain } from '../compiler/filter-chain.ts'
import type { LoggerByCategory } from '../compiler/settings/log-category.ts'
import * as Category from '../compiler/settings/log-category.ts'
import type { Compressors } from './response/compressors.ts'
import { noCompressors } from './response/compressors.ts'
import type { AnyNode } from '../endpoint/routes.ts'
import { injectLinks } from './links/inject-links.ts'
import type { Platform } from './platform.ts'
import type { CompiledTree, CompileOptions } from '../compiler/compile.ts'
import { compileTree } from '../compiler/compile.ts'
import type { Configuration } from '../compiler/settings/configuration.ts'
import { timerByInterval } from './deadline.ts'
import type { CompressResponse, CompressionRules } from './response/compress-response.ts'
import { compressionRules } from './response/compress-response.ts'
import { mayContainFiles } from './response/file/close-unsent.ts'
import type { ExcludedRoute } from '../compiler/conditions/excluded-routes.ts'
import type { Logger } from '../compiler/settings/logger.ts'
import type { PathMatcher } from './routing/path-matcher.ts'
import { pathMatcher } from './routing/path-matcher.ts'
import type { LinkTable } from '../compiler/links/link-table.ts'
import type { Negotiate } from './routing/negotiate.ts'
import { operationNegotiator } from './routing/negotiate.ts'
import type { ReadInput } from './parameters/input.ts'
import { readParameters } from './parameters/read-parameters.ts'
import { rejectingPartialPut } from './parameters/partial-put.ts'
import type { Dispatch } from './workers/dispatched-request.ts'
import type { Plan } from '../compiler/plan.ts'
import type { ReadEntity } from './request-body/read-entity.ts'
import { entityReaders } from './request-body/read-entity.ts'
import type { EncodeResponse } from './response/encode-response.ts'
import type { ResolveLocation } from './response/location-header.ts'
import { locationResolver } from './response/location-header.ts'
import { undeclaredEncoder } from './response/undeclared-response.ts'
import { interceptedEncoder } from './response/intercepted-response.ts'
import type { OperationsByMethod } from './routing/select-operation.ts'
import { knownMethods } from './routing/select-operation.ts'
import type { Settings } from '../compiler/settings/settings.ts'
import type { SizeLimit } from '../compiler/settings/size-limit.ts'
import type { ReadStream } from './request-body/read-stream.ts'
import { streamReader } from './request-body/stream-reader.ts'
import { pathGroups } from '../compiler/path-groups.ts'
import type { IntervalTimer } from './interval-timer.ts'
import type { ParameterSource } from './parameters/raw-values.ts'

export interface CompiledOperation {
  readonly plan: Plan
  readonly readParameters: ReadInput<ParameterSource>
  /** The readers of the plan's bodies. */
  readonly bodyReaders: ReadonlyArray<ReadEntity>
  /** The stream readers of the plan's bodies; `undefined` for a body that is buffered. */
  readonly streamReaders: ReadonlyArray<ReadStream | undefined>
  /** The size limits of the plan's bodies. */
  readonly bodyLimits: ReadonlyArray<SizeLimit>
  readonly encode: EncodeResponse
  /** Compresses responses; `undefined` if that is disabled. */
  readonly compress: CompressResponse | undefined
  readonly filters: CompiledFilters
  /** Whether a response may contain files. */
  readonly sendsFiles: boolean
  readonly endpoint: EndpointInfo
  /** Whether it runs in a worker, if there is one. */
  readonly blocking: boolean
  /** The timer of its timeout; `undefined` without a timeout. */
  readonly timer: IntervalTimer | undefined
  /** Whether it has neither request filters nor a timeout and runs on the event loop: steps 5 and 6 are skipped. */
  readonly isUnfiltered: boolean
}

export interface Program {
  readonly plans: ReadonlyArray<Plan>
  readonly matcher: PathMatcher<OperationsByMethod<CompiledOperation>>
  /** The supported methods. Others are rejected with 501. */
  readonly methods: ReadonlySet<string>
  readonly settings: Settings
  /** The logger of the request category. */
  readonly logger: Logger
  readonly loggerOf: LoggerByCategory
  /** Resolves the `Location` of error responses. The encoders of operations do that themselves. */
  readonly resolveLocation: ResolveLocation
  /** Encodes responses that no operation declares. */
  readonly encodeUndeclared: EncodeResponse
  /** The filters and mappers for requests that match no operation. */
  readonly filters: CompiledFilters
  /** Compresses responses to requests that match no operation. */
  readonly compress: CompressResponse | undefined
  /** Whether these responses may contain files. */
  readonly sendsFiles: boolean
  readonly application: Application
  readonly configuration: Configuration
  readonly links: LinkTable
  /** Returns the routes that conditions exclude. Computed by the first call. */
  readonly excludedRoutes: () => ReadonlyArray<ExcludedRoute>
  /** Dispatches blocking operations to workers. Without it, they run on the event loop. */
  readonly dispatch: Dispatch | undefined
  /** Whether load shedding rejects new requests. Without it, none is rejected. */
  readonly isOverloaded: (() => boolean) | undefined
}

/** Options of {@link compile}. */
export interface Environment extends CompileOptions {
  /** Aborts when the server begins to stop. */
  readonly stopping?: AbortSignal
  /** Responses are never compressed without a platform, whatever the settings are. */
  readonly platform?: Pick<Platform, 'compressors'>
}

/** Compiles a tree to a program. Throws a `MistakesError` that lists all configuration errors of the tree. */
export const compile = (
  api: AnyNode,
  settings?: Settings,
  {
    stopping = new AbortController().signal,
    platform: { compressors } = { compressors: noCompressors },
    ...options
  }: Environment = {},
): Program => program(compileTree(api, settings, options), stopping, compressors)

const program = (tree: CompiledTree, stopping: AbortSignal, compressors: Compressors): Program => {
  const { plans, root, settings, configuration, loggerOf, links, excludedRoutes } = tree
  const compressorOf = compressionRules(settings, compressors)
  const filters = compileFilters(root, settings)
  const timerOf = timerByInterval()
  return {
    plans,
    settings,
    logger: loggerOf(Category.requestCategory),
    loggerOf,
    resolveLocation: locationResolver(settings),
    encodeUndeclared: undeclaredEncoder(settings),
    filters: filters,
    sendsFiles: filters.sendsFiles,
    compress: compressorOf(undefined, []),
    application: application(plans, configuration, stopping),
    configuration,
    links,
    excludedRoutes,
    dispatch: undefined,
    isOverloaded: undefined,
    methods: knownMethods(plans.map(({ method }) => method)),
    matcher: pathMatcher(
      pathGroups(plans).map(({ pattern, template, methods }) => ({
        pattern,
        template,
        value: new Map(
          [...methods].map(([method, operations]) => [
            method,
            lazily(() =>
              operationNegotiator(
                operations.map((plan) => operation(plan, operations, tree, compressorOf, timerOf)),
              ),
            ),
          ]),
        ),
      })),
    ),
  }
}

/** Compiles the operations of a method with its first request, so that startup time does not depend on the number of endpoints. */
const lazily = (make: () => Negotiate<CompiledOperation>): Negotiate<CompiledOperation> => {
  let prepared: Negotiate<CompiledOperation> | undefined
  return (headers) => (prepared ??= make())(headers)
}

/** `alternatives` are the plans of the same method and path group. */
const operation = (
  plan: Plan,
  together: ReadonlyArray<Plan>,
  tree: CompiledTree,
  compressorOf: CompressionRules,
  timerOf: ReturnType<typeof timerByInterval>,
): CompiledOperation => {
  const settings = withOperationLimits(tree.settings, plan.attributes.limits)
  const filters = compileFilters(withLinks(plan, tree.links), settings)
  const blocking = isBlocking(plan.attributes)
  const timer = timerOf(settings['fw.http.handler-timeout'])
  const isIntercepted = plan.chain.entities.readerInterceptors.length > 0
  const alternatives = [...plan.responses.values()].flatMap((response) => response.alternatives)
  return {
    plan,
    readParameters: rejectingPartialPut(plan, readParameters(plan, settings)),
    bodyReaders: entityReaders(plan, settings),
    streamReaders: plan.bodies.map((content) => streamReader(content, plan, settings)),
    bodyLimits: plan.bodies.map((content) => bodyLimit(content, settings, isIntercepted)),
    encode: interceptedEncoder(
      plan,
      settings,
      together.flatMap(({ offers }) => offers),
      plan.chain.entities,
    ),
    compress: compressorOf(plan.attributes.compression, alternatives),
    filters: filters,
    sendsFiles: filters.sendsFiles || alternatives.some(mayContainFiles),
    endpoint: endpointOf(plan),
    blocking,
    timer: timer,
    isUnfiltered:
      !blocking &&
      timer === undefined &&
      filters.early.length === 0 &&
      filters.request.length === 0,
  }
}

/** The filter that adds links is innermost: filters of the application see the links. */
const withLinks = (plan: Plan, links: LinkTable): FilterChain =>
  plan.injectedLinks === undefined
    ? plan.chain
    : {
        ...plan.chain,
        response: [injectLinks(plan, links, plan.injectedLinks), ...plan.chain.response],
      }

const endpointOf = ({ name, method, template }: Plan): EndpointInfo =>
  Object.freeze({ name, method, template })

const application = (
  plans: ReadonlyArray<Plan>,
  { property }: Configuration,
  stopping: AbortSignal,
): Application => {
  let endpoints: ReadonlyArray<EndpointInfo> | undefined
  return {
    get endpoints() {
      return (endpoints ??= Object.freeze(plans.map(endpointOf)))
    },
    property,
    stopping,
  }
}
