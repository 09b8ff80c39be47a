/** Contexts and results of handlers in unit tests, which call handlers directly, without a route tree or a request. */
import type { Left, Right } from 'fp-ts/lib/Either.js'
import { right } from 'fp-ts/lib/Either.js'
import type {
  Application,
  Context,
  End,
  EndpointInfo,
  RequestContext,
  ResponseFields,
  SecurityContext,
  UriInfo,
  Logger,
} from '../endpoint/context.ts'
import { noProviders } from '../body/entity-plan.ts'
import { flatten } from '../compiler/flatten.ts'
import { planOf } from '../compiler/plan.ts'
import { settle as toPromise } from '../http/platform-value.ts'
import type { HttpError } from '../endpoint/http-error.ts'
import { isHttpError } from '../endpoint/http-error.ts'
import type { NeverReturned } from '../endpoint/internal/handler-types.ts'
import type { TreeOperations } from '../endpoint/tree/tree-operations.ts'
import { operationsKey } from '../endpoint/tree/tree-operations.ts'
import type { Providers } from '../endpoint/providers.ts'
import { providersKey } from '../endpoint/providers.ts'
import type { Reply } from '../endpoint/reply.ts'
import { isReply } from '../endpoint/reply.ts'
import { isEither } from '../interpreter/handler/handler-result.ts'
import { callHandler, withNeeds } from '../interpreter/context/tree-operations.ts'
import { contextProviders } from '../interpreter/context/context-providers.ts'
import { notFound } from '../http/failure.ts'
import { instanceUri } from '../http/problem.ts'
import type { Exchange } from '../interpreter/exchange.ts'
import {
  LazyRequestContext,
  LazySecurityContext,
  LazyUriInfo,
} from '../interpreter/context/request-context.ts'
import { silentLogger } from '../compiler/settings/logger.ts'
import { defaultSettings } from '../compiler/settings/settings.ts'
import { createPlatform } from './platform.ts'

/** Options for `testContext`: values that override the defaults. */
export interface TestContext {
  readonly request?: Partial<RequestContext>
  readonly uri?: Partial<UriInfo>
  readonly security?: Partial<SecurityContext>
  readonly application?: Partial<Application>
  readonly endpoint?: Partial<EndpointInfo>
  /** The representation selected for the response. Default: `undefined` for both properties. */
  readonly response?: Partial<Pick<ResponseFields, 'contentType' | 'language'>>
  /** Called with the name and value of each response header that the handler adds. */
  readonly addHeader?: (name: string, value: string) => void
  /** Called with each callback that the handler registers for the end of the request. */
  readonly onEnd?: (callback: (end: End) => unknown) => void
  /** Returns the logger for a category. By default, nothing is logged. */
  readonly logger?: (category: string) => Logger
  /** Slot values, by slot key, for operations that the handler runs with `call`. */
  readonly slots?: Readonly<Record<string, unknown>>
}

/**
 * Creates a context for calling a handler in a unit test. By default, the request is `GET http://localhost/` without headers,
 * signals never abort, and the caller is anonymous.
 *
 * Members that are not set are derived from other members: `header`, `cookie` and `mediaType` from `headers`, the members of `uri`
 * from `path`, `query` and `base`, and the roles from the principal.
 *
 * `call` runs the handlers of other endpoints with the values in `slots`. `providersOf` finds only built-in formats.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, text } from 'espalier'
 * import { testContext } from 'espalier/testing'
 *
 * const sender = pipe(
 *   path('/'),
 *   get(),
 *   produces(text),
 *   handle((_, { request }) => request.header('From') ?? 'unknown'),
 * )
 *
 * assert.equal(sender.run({}, testContext()), 'unknown')
 * assert.equal(sender.run({}, testContext({ request: { headers: ['From', 'ann'] } })), 'ann')
 * ```
 */
export const testContext = ({
  request = {},
  uri = {},
  security = {},
  application = {},
  endpoint = {},
  response = {},
  addHeader = () => undefined,
  onEnd = () => undefined,
  logger = () => silentLogger,
  slots = {},
}: TestContext = {}): Context => {
  const exchange = exchangeOf(request, uri)
  const { principal } = security
  const authenticated = principal && { principal, scheme: security.scheme ?? 'Test' }
  const context: TestedContext = {
    request: requestOf(exchange, request),
    uri: uriOf(exchange, uri),
    security: overridden(new LazySecurityContext({ exchange, authenticated }), security),
    application: {
      endpoints: [],
      property: () => undefined,
      stopping: new AbortController().signal,
      ...application,
    },
    response: { contentType: response.contentType, language: response.language, addHeader },
    onEnd,
    logger,
    elapsed: () => 0,
    endpoint: { name: 'test', method: exchange.method, template: exchange.path, ...endpoint },
    get [operationsKey]() {
      return operationsWithoutTree(context, slots)
    },
    get [providersKey]() {
      return contextProviders({
        chain: { entities: noProviders, mappers: [] },
        settings: defaultSettings,
        writeContext: {
          exchange,
          authenticated,
          context,
          instance: instanceUri(request.id ?? defaultId),
          prefixValues: {},
        },
        context,
        readingContext: context,
      })
    },
  }
  return context
}

interface TestedContext extends Context {
  readonly [operationsKey]: TreeOperations
  readonly [providersKey]: Providers
}

const unavailable = (): never => {
  throw new TypeError('a test context has no route tree: use inMemory(api)')
}

/** Returns operations for a context without a route tree: `call` runs the handler of the endpoint that it receives. */
const operationsWithoutTree = (
  context: Context,
  slots: Readonly<Record<string, unknown>>,
): TreeOperations => ({
  find: unavailable,
  run: async (definition, input) => {
    const [route] = flatten({ _tag: 'Endpoint', definition }, '').routes
    if (route === undefined || definition.handler === undefined)
      throw new TypeError(`${definition.method} ${definition.template} has no handler`)
    const { method, template } = route.definition
    const plan = { ...planOf(route), name: `${method} ${template}` }
    const needed = withNeeds(plan, input, ({ key }) =>
      Object.hasOwn(slots, key) ? { value: slots[key] } : undefined,
    )
    return callHandler(plan, needed, {
      ...context,
      endpoint: { ...context.endpoint, method: plan.method, template },
    })
  },
  fetch: async () => unavailable(),
  origin: context.uri.base.origin,
  prefixValues: {},
})

const exchangeOf = (request: Partial<RequestContext>, uri: Partial<UriInfo>): Exchange => {
  const url = uri.request ?? uri.absolute ?? uri.base ?? new URL('http://localhost/')
  const signal = request.signal ?? new AbortController().signal
  const search = uri.request?.search.slice(1) ?? ''
  return {
    method: request.method ?? 'GET',
    path: request.path ?? url.pathname,
    query: 'query' in request ? request.query : search === '' ? undefined : search,
    headers: request.headers ?? [],
    origin: () => url.origin,
    prefix: () => '',
    clientAddress: () => request.clientAddress,
    clientCertificate: () => request.clientCertificate,
    signal: () => signal,
    onEnd: () => undefined,
    readBody: () => undefined,
    streamBody: () => notFound,
    platform: createPlatform(defaultSettings),
    send: () => undefined,
  }
}

const defaultId = '00000000-0000-0000-0000-000000000000'

/** Sets members of an object whose class computes them. */
const overridden = <A extends object>(derived: A, overrides: Partial<A>): A =>
  Object.defineProperties(derived, Object.getOwnPropertyDescriptors(overrides))

const requestOf = (exchange: Exchange, overrides: Partial<RequestContext>): RequestContext => {
  const id = overrides.id ?? defaultId
  return overridden(new LazyRequestContext({ exchange, id, signal: exchange.signal }), overrides)
}

const uriOf = (exchange: Exchange, overrides: Partial<UriInfo>): UriInfo => {
  const root = overrides.base?.pathname.replace(/(?<=[^/])\/$/, '') ?? '/'
  const settings = { ...defaultSettings, 'fw.rest.path': root }
  const program = { settings }
  return overridden(
    new LazyUriInfo({ exchange, program, operation: undefined, captures: [] }),
    overrides,
  )
}

/** The success value in the result `X` of a handler. */
export type SuccessOf<X> = ValueIn<X extends () => Promise<infer Y> ? Y : Awaited<X>>

type ValueIn<Y> = Y extends HttpError | Left<unknown> | NeverReturned
  ? never
  : Y extends Right<infer A>
    ? EntityIn<A>
    : EntityIn<Y>

type EntityIn<A> = A extends HttpError
  ? never
  : A extends Reply<infer St, infer B>
    ? `${St}` extends `${4 | 5}${string}`
      ? never
      : B
    : A

/**
 * Settles the result of a handler: a value, a reply, an `HttpError`, an `Either`, or a promise, `Task` or `TaskEither` of these.
 *
 * Resolves to the success value. For a `Right` or a reply, this is the value that it contains. Rejects with the failure: the value
 * of a `Left`, an `HttpError`, or a reply with a status from 400 to 599. To test the status or the headers of a reply, use
 * `call(testContext(), endpoint, input)`, which resolves to an `Either` of replies.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as TE from 'fp-ts/lib/TaskEither.js'
 * import * as t from 'io-ts'
 * import { fails, get, handle, int, json, path, produces } from 'espalier'
 * import { settle, testContext } from 'espalier/testing'
 *
 * const find = pipe(
 *   path('/books/{id}', { id: int }),
 *   get(),
 *   produces(json(t.type({ title: t.string }))),
 *   fails(404, json(t.type({ missing: t.number }))),
 *   handle(({ path: { id } }) => (id === 1 ? TE.right({ title: 'Emma' }) : TE.left({ missing: id }))),
 * )
 *
 * assert.equal((await settle(find.run({ path: { id: 1 } }, testContext()))).title, 'Emma')
 * await assert.rejects(settle(find.run({ path: { id: 2 } }, testContext())), { missing: 2 })
 * ```
 */
export function settle<X>(result: X): Promise<SuccessOf<X>>
export async function settle(result: unknown): Promise<unknown> {
  const settled = await toPromise(result)
  const either = isEither(settled) ? settled : right(settled)
  if (either._tag === 'Left') throw either.left
  const success = either.right
  if (isHttpError(success) || (isReply(success) && success.status >= 400)) throw success
  return isReply(success) ? success.entity : success
}
