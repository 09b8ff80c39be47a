/** Compiles a route tree into a program. A program contains everything that can be computed before the first request arrives. */
import type { Application, EndpointInfo } from '../endpoint/context.ts'
import { isBlocking } from '../endpoint/definition/attributes.ts'
import type { CompiledFilters, FindPathFilters } from './filters/compiled-filters.ts'
import { compileFilters, findPathFilters } from './filters/compiled-filters.ts'
import type { FindOperation } from '../compiler/find-operation.ts'
import { operationFinder } from '../compiler/find-operation.ts'
import { addDeprecation } from './filters/add-deprecation.ts'
import type { Interpret } from './request-info.ts'
import { bodyLimit, withOperationLimits } from '../compiler/settings/body-limit.ts'
import type { FilterChain, RejectionHeaders } from '../compiler/filter-chain.ts'
import { rejectionHeadersOf } from '../compiler/filter-chain.ts'
import type { Logger, LoggerByCategory } from '../compiler/settings/logger.ts'
import * as Category from '../compiler/settings/logger.ts'
import { noCompressors } from './exchange.ts'
import type { Platform } from './exchange.ts'
import type { TreeInput } from '../endpoint/routes.ts'
import { injectLinks } from './filters/inject-links.ts'
import type { CompiledTree, CompileOptions, StoreOf } from '../compiler/compile.ts'
import { compileTree } from '../compiler/compile.ts'
import type { Configuration } from '../compiler/settings/resolve-expressions.ts'
import type { CompressResponse, CompressionRules } from './response/compress-response.ts'
import { compressionRules } from './response/compress-response.ts'
import { mayContainFiles } from './response/file-response.ts'
import type { ExcludedRoute } from '../compiler/conditions.ts'
import type { PathMatcher } from './routing/path-matcher.ts'
import { groupMatcher } from './routing/path-matcher.ts'
import type { LinkTable } from '../compiler/links/link-table.ts'
import type { OperationsByMethod } from './routing/select-operation.ts'
import type { SelectResponse } from './routing/select-representation.ts'
import { responseSelector } from './routing/select-representation.ts'
import { knownMethods, lazyNegotiation, operationNegotiator } from './routing/select-operation.ts'
import type { ReadInput, ParameterSource } from './parameters/read-parameters.ts'
import { prefixReader, readParameters } from './parameters/read-parameters.ts'
import type { Dispatch } from './dispatched-request.ts'
import type { Plan } from '../compiler/plan.ts'
import type { ReadRequestEntity, ReadStream } from './request-body/buffered-body.ts'
import { entityReaders } from './request-body/buffered-body.ts'
import type { EncodeResponse } from './response/encode-response.ts'
import { responseEncoder, undeclaredEncoder } from './response/encode-response.ts'
import type { ResolveLocation } from './response/response-headers.ts'
import { headerEncoder } from './response/declared-headers.ts'
import { locationResolver } from './response/response-headers.ts'
import type { Settings } from '../compiler/settings/settings.ts'
import type { SizeLimit } from '../compiler/settings/body-limit.ts'
import { streamReader } from './request-body/streamed-body.ts'
import type { IdempotentOperation } from './idempotency/run-idempotently.ts'
import { idempotencyOf } from '../endpoint/definition/idempotency.ts'
import { pathGroups } from '../compiler/path-groups.ts'

/** The readers, encoder and filters of an operation, compiled from its plan. */
export interface CompiledOperation {
  readonly plan: Plan
  /** Reads the variables in path prefixes, keyed by slot. `undefined` if the prefixes of the operation have no variables. */
  readonly readPrefix: ReadInput<ParameterSource> | undefined
  /** Reads the parameters (step 7). `undefined` if there are no parameters. */
  readonly readParameters: ReadInput<ParameterSource> | undefined
  /** The reader for each body in the plan. */
  readonly bodyReaders: ReadonlyArray<ReadRequestEntity>
  /** The stream reader for each body in the plan, or `undefined` if the body is buffered. */
  readonly streamReaders: ReadonlyArray<ReadStream | undefined>
  /** The size limit for each body in the plan. */
  readonly bodyLimits: ReadonlyArray<SizeLimit>
  readonly encode: EncodeResponse
  /** Adds the declared headers to the response of the handler. `undefined` if none are declared. */
  readonly encodeHeaders: ReturnType<typeof headerEncoder>
  readonly selectResponse: SelectResponse
  /** Compresses responses. `undefined` if responses are never compressed. */
  readonly compress: CompressResponse | undefined
  readonly filters: CompiledFilters
  /** Whether a response can contain files. */
  readonly sendsFiles: boolean
  /** How repeated requests are recognized. `undefined` if they are not. */
  readonly idempotent: IdempotentOperation | undefined
  readonly endpoint: EndpointInfo
  /** Whether the operation runs in a worker if workers are available. */
  readonly blocking: boolean
  /** Time, in milliseconds, by which a response must start. `0` if the operation has no timeout. */
  readonly timeout: number
  /**
   * Whether steps 5 and 6 of the pipeline (`pipeline.ts`) are skipped. This is the case if the operation has no request filters and
   * no prefix variables, has no timeout and runs on the event loop.
   */
  readonly isUnfiltered: boolean
}

/** A compiled route tree. A program is immutable and shared by all requests. */
export interface Program {
  readonly plans: ReadonlyArray<Plan>
  readonly matcher: PathMatcher<OperationsByMethod<CompiledOperation>>
  /** The supported methods. Any other method is rejected with 501. */
  readonly methods: ReadonlySet<string>
  readonly settings: Settings
  /** The logger for the request category. */
  readonly logger: Logger
  readonly loggerOf: LoggerByCategory
  /**
   * Resolves the `Location` header in error responses. In other responses, this header is resolved by the encoder of the
   * operation.
   */
  readonly resolveLocation: ResolveLocation
  /** Encodes responses that no operation declares. */
  readonly encodeUndeclared: EncodeResponse
  /** The filters and mappers for requests that match no operation. */
  readonly filters: CompiledFilters
  /**
   * Returns the filters for a request that matches no operation, but whose path is covered by filters of a subtree. `undefined` if
   * the tree has no such filters.
   */
  readonly pathFilters: FindPathFilters | undefined
  /** Compresses responses to requests that match no operation. */
  readonly compress: CompressResponse | undefined
  /** Whether responses to requests that match no operation can contain files. */
  readonly sendsFiles: boolean
  readonly application: Application
  readonly configuration: Configuration
  readonly links: LinkTable
  /** Returns the store of an operation. */
  readonly storeOf: StoreOf
  /** The filter chain for requests that match no operation. */
  readonly root: FilterChain
  /** Returns the headers for the rejection of a request before routing, such as those of `cors`. */
  readonly rejectionHeaders: RejectionHeaders
  readonly findOperation: FindOperation
  /** Processes requests that handlers and filters send within the process. `undefined` until `interpret` runs the program. */
  readonly interpret: Interpret | undefined
  /** Returns the routes that are excluded by conditions. These routes are computed on the first call. */
  readonly excludedRoutes: () => ReadonlyArray<ExcludedRoute>
  /** Dispatches blocking operations to workers. If `undefined`, blocking operations run on the event loop. */
  readonly dispatch: Dispatch | undefined
  /** Returns whether the server is overloaded and new requests must be rejected. If `undefined`, load shedding is disabled. */
  readonly isOverloaded: (() => boolean) | undefined
}

/** Options for {@link compile}. */
export interface Environment extends CompileOptions {
  /** A signal that is aborted when the server starts shutting down. By default, `application.stopping` is never aborted. */
  readonly stopping?: AbortSignal
  /** The platform on which the program runs. Without it, responses are never compressed, regardless of the settings. */
  readonly platform?: Pick<Platform, 'compressors'>
  /** Whether the program is mounted into another server. Default: `false`. */
  readonly isMounted?: boolean
}

/** Compiles a route tree into a program. Throws a `ConfigurationError` that lists all configuration errors in the tree. */
export const compile = (
  api: TreeInput,
  declaredSettings?: Settings,
  { stopping, platform, isMounted = false, ...options }: Environment = {},
): Program => {
  const tree = compileTree(api, declaredSettings, options)
  const { plans, root, settings, configuration, loggerOf, links, storeOf, excludedRoutes } = tree
  const compressorOf = compressionRules(settings, platform?.compressors ?? noCompressors)
  const filters = compileFilters(root, settings)
  const groups = pathGroups(plans)
  const canonicalPaths = settings['fw.rest.canonical-paths']
  const isCanonical = canonicalPaths === 'mounted' ? isMounted : canonicalPaths === 'always'
  return {
    plans,
    settings,
    logger: loggerOf(Category.requestCategory),
    loggerOf,
    resolveLocation: locationResolver(settings),
    encodeUndeclared: undeclaredEncoder(settings),
    filters,
    pathFilters: findPathFilters(groups, root, settings, isCanonical),
    sendsFiles: filters.sendsFiles,
    compress: compressorOf(undefined, []),
    application: createApplication(plans, configuration, stopping),
    configuration,
    links,
    storeOf,
    root,
    rejectionHeaders: rejectionHeadersOf(root),
    findOperation: operationFinder(plans),
    interpret: undefined,
    excludedRoutes,
    dispatch: undefined,
    isOverloaded: undefined,
    methods: knownMethods(plans.map(({ method }) => method)),
    matcher: groupMatcher(
      groups,
      (operations) =>
        lazyNegotiation(() =>
          operationNegotiator(
            operations.map((plan) => compileOperation(plan, operations, tree, compressorOf)),
          ),
        ),
      isCanonical,
    ),
  }
}

/** Compiles an operation. `siblings` are all plans with the same method and path group, including `plan`. */
const compileOperation = (
  plan: Plan,
  siblings: ReadonlyArray<Plan>,
  tree: CompiledTree,
  compressorOf: CompressionRules,
): CompiledOperation => {
  const settings = withOperationLimits(tree.settings, plan.attributes.limits)
  const filters = compileFilters(withHeaders(plan, tree), settings)
  const blocking = isBlocking(plan.attributes)
  const timeout = settings['fw.http.handler-timeout']
  const readPrefix = prefixReader(plan, settings)
  const isIntercepted = plan.chain.entities.readerInterceptors.length > 0
  const alternatives = [...plan.responses.values()].flatMap((response) => response.alternatives)
  const selectResponse = responseSelector(plan)
  return {
    plan,
    readPrefix,
    readParameters: readParameters(plan, settings),
    bodyReaders: entityReaders(plan, settings),
    streamReaders: plan.bodies.map((body) => streamReader(body, plan, settings)),
    bodyLimits: plan.bodies.map((body) => bodyLimit(body, settings, isIntercepted)),
    encode: responseEncoder(
      plan,
      settings,
      siblings.flatMap(({ offers }) => offers),
      plan.chain.entities,
    ),
    encodeHeaders: headerEncoder(plan),
    selectResponse,
    compress: compressorOf(plan.attributes.compression, alternatives),
    filters,
    sendsFiles: filters.sendsFiles || alternatives.some(mayContainFiles),
    idempotent: idempotentOperation(plan, tree, selectResponse),
    endpoint: endpointOf(plan),
    blocking,
    timeout,
    isUnfiltered:
      readPrefix === undefined &&
      !blocking &&
      timeout === 0 &&
      filters.early.length === 0 &&
      filters.request.length === 0,
  }
}

const idempotentOperation = (
  { name, method, attributes }: Plan,
  { storeOf }: CompiledTree,
  selectResponse: SelectResponse,
): IdempotentOperation | undefined => {
  const rules = idempotencyOf(method, attributes.idempotency)
  return rules && { name, rules, store: storeOf(attributes), selectResponse }
}

/**
 * Returns the filter chain of an operation. The filters that add links and announce a deprecation run first. Their headers are therefore
 * visible to the response filters of the application.
 */
const withHeaders = (plan: Plan, { links, settings }: CompiledTree): FilterChain => {
  const { chain, injectedLinks, deprecation } = plan
  const added = [
    ...(deprecation === undefined
      ? []
      : [addDeprecation(deprecation, settings['fw.http.public-url'])]),
    ...(injectedLinks === undefined ? [] : [injectLinks(plan, links, injectedLinks)]),
  ]
  return added.length === 0 ? chain : { ...chain, response: [...added, ...chain.response] }
}

const endpointOf = ({ name, method, template }: Plan): EndpointInfo =>
  Object.freeze({ name, method, template })

const createApplication = (
  plans: ReadonlyArray<Plan>,
  { property }: Configuration,
  stopping: AbortSignal | undefined,
): Application => {
  let endpoints: ReadonlyArray<EndpointInfo> | undefined
  return {
    get endpoints() {
      return (endpoints ??= Object.freeze(plans.map(endpointOf)))
    },
    property,
    get stopping() {
      // not shared, because a runtime may tie the signal to the request in which it is created
      return stopping ?? new AbortController().signal
    },
  }
}
