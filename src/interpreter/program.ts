/**
 * A program: a tree with everything decided that does not depend on a request. This is the back end of closures; it reads
 * nothing but plans.
 */
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
import type { ResolveLocation, EncodeResponse } from './response/encode-response.ts'
import { locationResolver, undeclaredEncoder } from './response/encode-response.ts'
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

/** An operation, ready to run. */
export interface CompiledOperation {
  readonly plan: Plan
  readonly readParameters: ReadInput<ParameterSource>
  /** Reads each alternative of the plan's bodies. */
  readonly bodyReaders: ReadonlyArray<ReadEntity>
  /** Reads those alternatives that are taken in chunks. */
  readonly streamReaders: ReadonlyArray<ReadStream | undefined>
  /** The size limit of each alternative of the plan's bodies. */
  readonly bodyLimits: ReadonlyArray<SizeLimit>
  readonly encode: EncodeResponse
  /** Compresses its answers; `undefined` where that is never done. */
  readonly compress: CompressResponse | undefined
  readonly filters: CompiledFilters
  /** Whether it may be answered with files. */
  readonly sendsFiles: boolean
  readonly endpoint: EndpointInfo
  /** Whether it is handed over where somebody takes it. */
  readonly blocking: boolean
  /** By which its responses begin in time; `undefined` where that is not limited. */
  readonly timer: IntervalTimer | undefined
  /** Whether nothing stands between its selection and its parameters. */
  readonly isUnfiltered: boolean
}

export interface Program {
  readonly plans: ReadonlyArray<Plan>
  readonly matcher: PathMatcher<OperationsByMethod<CompiledOperation>>
  /** The methods that do not get 501. */
  readonly methods: ReadonlySet<string>
  readonly settings: Settings
  /** Of what happens to requests. */
  readonly logger: Logger
  readonly loggerOf: LoggerByCategory
  /** For the responses of errors; those of operations are located already. */
  readonly resolveLocation: ResolveLocation
  /** For replies of which nobody says how they are written. */
  readonly encodeUndeclared: EncodeResponse
  /** What meets requests that match nothing. */
  readonly filters: CompiledFilters
  /** Compresses what they are answered. */
  readonly compress: CompressResponse | undefined
  /** Whether that may be files. */
  readonly sendsFiles: boolean
  readonly application: Application
  readonly configuration: Configuration
  readonly links: LinkTable
  /** What the tree has and the program leaves out; worked out when it is asked for. */
  readonly excludedRoutes: () => ReadonlyArray<ExcludedRoute>
  /** Takes blocking operations over; without it they run in place. */
  readonly dispatch: Dispatch | undefined
  /** Whether a request that has just come is refused, because there is too much to do; without it none is. */
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
  const { plans, root, settings, configuration, loggerOf, links, excludedRoutes: omissions } = tree
  const codeOf = compressionRules(settings, compressors)
  const around = compileFilters(root, settings)
  const clockOf = timerByInterval()
  return {
    plans,
    settings,
    logger: loggerOf(Category.requestCategory),
    loggerOf,
    resolveLocation: locationResolver(settings),
    encodeUndeclared: undeclaredEncoder(settings),
    filters: around,
    sendsFiles: around.sendsFiles,
    compress: codeOf(undefined, []),
    application: application(plans, configuration, stopping),
    configuration,
    links,
    excludedRoutes: omissions,
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
                operations.map((plan) => operation(plan, operations, tree, codeOf, clockOf)),
              ),
            ),
          ]),
        ),
      })),
    ),
  }
}

/** Prepared by the first request: of a thousand endpoints, a start needs none. */
const lazily = (make: () => Negotiate<CompiledOperation>): Negotiate<CompiledOperation> => {
  let prepared: Negotiate<CompiledOperation> | undefined
  return (headers) => (prepared ??= make())(headers)
}

/** `together` are the plans that the same method of the same site chooses from. */
const operation = (
  plan: Plan,
  together: ReadonlyArray<Plan>,
  tree: CompiledTree,
  codeOf: CompressionRules,
  clockOf: ReturnType<typeof timerByInterval>,
): CompiledOperation => {
  const settings = withOperationLimits(tree.settings, plan.attributes.limits)
  const around = compileFilters(withLinks(plan, tree.links), settings)
  const blocking = isBlocking(plan.attributes)
  const clock = clockOf(settings['fw.http.handler-timeout'])
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
    compress: codeOf(plan.attributes.compression, alternatives),
    filters: around,
    sendsFiles: around.sendsFiles || alternatives.some(mayContainFiles),
    endpoint: endpointOf(plan),
    blocking,
    timer: clock,
    isUnfiltered:
      !blocking && clock === undefined && around.early.length === 0 && around.request.length === 0,
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
