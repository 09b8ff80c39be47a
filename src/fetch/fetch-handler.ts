/** Serves route trees on runtimes that call a function with a `Request`: workerd, Deno, Bun and Node.js. */
import type { RejectedTree, RejectedTreeStep } from '../codec/codec.ts'
import { preloadTemporal } from '../codec/temporal/temporal-api.ts'
import type { SettingsInput, ValidOptions } from '../compiler/settings/settings.ts'
import type { Complete } from '../endpoint/tree/complete-tree.ts'
import type { ConfigurationIssue } from '../endpoint/definition/configuration-error.ts'
import { ConfigurationError, operationTitle } from '../endpoint/definition/configuration-error.ts'
import { isBlocking } from '../endpoint/definition/attributes.ts'
import { isFile } from '../endpoint/representation.ts'
import { certificateAuthentication } from '../compiler/access.ts'
import type { Plan } from '../compiler/plan.ts'
import type { Program } from '../interpreter/program.ts'
import { defaultOrder, makeFilter } from '../endpoint/filter.ts'
import { isTree } from '../endpoint/internal/combinator.ts'
import type { AnySlot, Slot } from '../endpoint/definition/slot-types.ts'
import { next } from '../endpoint/request-filter.ts'
import type { Fits, Routes, TreeInput, Without } from '../endpoint/routes.ts'
import { makeRoutes } from '../endpoint/routes.ts'
import { UsedBodyError } from '../interpreter/in-process.ts'
import { exchangeOf } from '../interpreter/context/exchange-context.ts'
import { compile } from '../interpreter/program.ts'
import { createFetchPlatform } from './fetch-platform.ts'
import type { ProgramOptions } from './program-settings.ts'
import { programSettings } from './program-settings.ts'
import { lineCheck, requestRunner } from './request-runner.ts'

/** Options for `toFetchHandler`: settings by name, and additional options. Neither files nor environment variables are read. */
export interface FetchOptions<K extends string = never, P = unknown> extends ProgramOptions {
  /**
   * The slot that each request fills with the second argument of the handler, such as the bindings of a Worker. The slot is available
   * to all endpoints and request filters of the tree.
   */
  readonly platform?: Slot<K, P>
  /**
   * Returns the IP address of the client, which is available as `context.request.clientAddress`. By default, the address is
   * `undefined`, because a `Request` does not contain it.
   */
  readonly clientAddress?: (request: Request, ...platform: PlatformOf<K, P>) => string | undefined
}

/** The second parameter of a handler: required if a slot is filled with it. */
type PlatformOf<K extends string, P> = [K] extends [never] ? [platform?: unknown] : [platform: P]

/** A tree of which all dependencies are provided, except for the slot of the runtime. */
export type FetchServable<T, R, E, K extends string, P> =
  | (Routes<T, R, E> & Complete<T, Without<R, Record<K, P>>, E> & Fits<Record<K, P>, R>)
  | RejectedTree<'serve a tree of endpoints: routes({ … })'>
  | RejectedTreeStep<"serve a tree: routes({ … }), or apply the step to it, as in pipe(tree, prefix('/x'))">

/**
 * Responds to a request. If the options contain a slot for the runtime, `platform` is its value for this request. Otherwise, `platform`
 * is passed only to `clientAddress`.
 *
 * Never rejects, except with a `TypeError` if the body of the request has been read before. If the client disconnects before the
 * response of an asynchronous handler, the promise resolves to a response with status 499, which the runtime cannot send.
 */
export type FetchHandler<K extends string = never, P = unknown> = (
  request: Request,
  ...platform: PlatformOf<K, P>
) => Promise<Response>

/**
 * Compiles a route tree and returns a function that responds to a `Request` with a `Response`, for Cloudflare Workers, Deno, Bun and
 * other runtimes with these classes.
 *
 * Throws a `ConfigurationError` that lists all errors in the tree and the settings. Operations that are `blocking`, receive a `fileBody`
 * or respond with a `file` are such errors (`FW-FETCH-001`).
 *
 * Settings for listeners, connections, proxies and the size of the headers have no effect, because the runtime owns the connections and
 * has parsed the headers.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, int, needs, path, produces, routes, slot, text } from 'espalier'
 * import { toFetchHandler } from 'espalier/fetch'
 *
 * const Env = slot<{ readonly GREETING: string }>()('env')
 * const greet = pipe(
 *   path('/greet/{n}', { n: int }),
 *   get(),
 *   needs({ env: Env }),
 *   produces(text),
 *   handle(({ path: { n }, needs: { env } }) => `${env.GREETING} `.repeat(n).trim()),
 * )
 * const handler = toFetchHandler(routes({ greet }), { platform: Env })
 *
 * // a Worker exports { fetch: (request, env) => handler(request, env) }
 * const response = await handler(new Request('http://localhost/greet/2'), { GREETING: 'Hello' })
 * assert.equal(await response.text(), 'Hello Hello')
 * ```
 */
export const toFetchHandler = <
  T,
  R extends {},
  E,
  K extends string = never,
  P = unknown,
  const O extends SettingsInput = {},
>(
  api: FetchServable<T, R, E, K, P>,
  options?: FetchOptions<K, P> & O & ValidOptions<O, FetchOptions>,
): FetchHandler<K, P> => createHandler(api, options ?? {})

/** The options of a handler, without type parameters. A method, so that the type of the platform value is not compared. */
export interface AnyOptions extends ProgramOptions {
  readonly platform?: AnySlot
  clientAddress?(this: void, request: Request, value?: unknown): string | undefined
}

/** Creates a handler. The type of the platform value is not checked. By default, the request target is that of the URL. */
export const createHandler = (
  api: TreeInput,
  options: AnyOptions,
  target?: (request: Request, runtimeValue: unknown) => string,
): ((request: Request, value?: unknown) => Promise<Response>) => {
  const { platform: slot, clientAddress = noAddress, ...input } = options
  const configuration = programSettings(input)
  const { settings } = configuration
  const { logger } = input
  const platform = createFetchPlatform(settings)
  const tree = slot === undefined ? api : withRuntimeSlot(api, slot)
  const program = compile(tree, settings, {
    configuration,
    platform,
    ...(logger === undefined ? {} : { logger }),
  })
  const issues = unsupportedOperations(program)
  if (issues.length > 0) throw new ConfigurationError(issues)
  const run = requestRunner(program, platform, {
    check: lineCheck(settings),
    clientAddress,
    ...(target === undefined ? {} : { target }),
  })
  const ready = preloadTemporal()
  const respond = (request: Request, runtimeValue: unknown): Promise<Response> =>
    new Promise((resolve, reject) =>
      run(request, runtimeValue, undefined, {
        resolve,
        reject: (error) => {
          if (error instanceof UsedBodyError) reject(error)
          // a rejection would be logged by the runtime, although the client has disconnected
          else resolve(new Response(null, { status: 499 }))
        },
      }),
    )
  return ready === undefined
    ? respond
    : (request, value) => ready.then(() => respond(request, value))
}

const noAddress = (): undefined => undefined

/**
 * Returns the tree with an outermost filter that fills the slot. A value that is not a tree is returned unchanged, because the compiler
 * reports it.
 */
const withRuntimeSlot = (api: TreeInput, slot: AnySlot): TreeInput =>
  isTree(api)
    ? makeRoutes(api.children, [
        { _tag: 'Filters', filters: [runtimeFilter(slot)] },
        ...api.wrappers,
      ])
    : api

const runtimeFilter = (slot: AnySlot): ReturnType<typeof makeFilter> =>
  makeFilter({
    _tag: 'RequestFilter',
    ...defaultOrder,
    run: (context) => next({ value: exchangeOf(context)?.runtimeValue }),
    needs: new Map(),
    gives: new Map([['value', slot]]),
    responses: [],
    authentication: undefined,
  })

const issue = (title: string, remedy: string): ConfigurationIssue => ({
  code: 'FW-FETCH-001',
  concerns: [title],
  remedy,
})

/** Returns an error for each operation that needs files, worker threads or certificates. Runtimes for fetch handlers have none. */
const unsupportedOperations = ({ plans }: Program): ReadonlyArray<ConfigurationIssue> => [
  ...plans.flatMap((plan) =>
    remediesFor(plan).map((remedy) => issue(operationTitle(plan), remedy)),
  ),
  ...certificateAuthentication(plans).required.map((title) =>
    issue(
      title,
      'add another authentication filter, because fetch handlers receive no client certificates',
    ),
  ),
]

const remediesFor = ({ attributes, bodies, responses }: Plan): ReadonlyArray<string> => {
  const sent = [...responses.values()].flatMap(({ alternatives }) => alternatives)
  return [
    ...(isBlocking(attributes)
      ? ['remove blocking, because fetch handlers have no worker threads']
      : []),
    ...(bodies.some(({ format }) => format._tag === 'FileBody')
      ? ['use bytes or byteStream instead of fileBody, because fetch handlers store no files']
      : []),
    ...(sent.some(({ format }) => isFile(format))
      ? ['respond with bytes or byteStream instead of file, because fetch handlers open no files']
      : []),
  ]
}
