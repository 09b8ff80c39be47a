/** A context for unit tests: handlers are called with it as they are, without a tree and without a request. */
import type {
  Application,
  Context,
  End,
  EndpointInfo,
  RequestContext,
  SecurityContext,
  UriInfo,
  Logger,
} from '../endpoint/context.ts'
import { notFound } from '../http/failure.ts'
import type { Exchange } from '../interpreter/exchange.ts'
import { CallRequest } from '../interpreter/context/request-context.ts'
import { silent } from '../compiler/settings/logger.ts'
import type { Identity } from '../interpreter/context/principal.ts'
import { CallSecurity } from '../interpreter/context/security-context.ts'
import { defaults } from '../compiler/settings/settings.ts'
import { CallUri } from '../interpreter/context/uri-info.ts'
import { createPlatform } from './platform.ts'

/** What a test wants to be different. */
export interface TestContext {
  readonly request?: Partial<RequestContext>
  readonly uri?: Partial<UriInfo>
  readonly security?: Partial<SecurityContext>
  readonly application?: Partial<Application>
  readonly endpoint?: Partial<EndpointInfo>
  /** Takes the fields that are added to the response. */
  readonly addHeader?: (name: string, value: string) => void
  /** Takes what is to be done at the end. */
  readonly onEnd?: (close: (end: End) => unknown) => void
  /** Where each category logs to; nowhere by default. */
  readonly logger?: (category: string) => Logger
}

/**
 * A context in which nothing was sent but what is given: `GET http://localhost/` without fields, signals that never abort,
 * nobody who asks. What follows from what is given need not be given: `header`, `cookie`, `mediaType` and the like follow from
 * `headers`, the members of `uri` from `path` and `query` and from a `base`, roles from the principal.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, text } from 'espalier'
 * import { testContext } from 'espalier/testing'
 *
 * const whoAsks = pipe(
 *   path('/'),
 *   get(),
 *   produces(text),
 *   handle((_, { request }) => request.header('From') ?? 'nobody'),
 * )
 *
 * assert.equal(whoAsks.run({}, testContext()), 'nobody')
 * assert.equal(whoAsks.run({}, testContext({ request: { headers: ['From', 'ann'] } })), 'ann')
 * ```
 */
export const testContext = ({
  request = {},
  uri = {},
  security = {},
  application = {},
  endpoint = {},
  addHeader = () => undefined,
  onEnd = () => undefined,
  logger = () => silent,
}: TestContext = {}): Context => {
  const exchange = exchangeOf(request, uri)
  const { principal } = security
  const identity = principal && { principal, scheme: security.scheme ?? 'Test' }
  return {
    request: requestOf(exchange, request),
    uri: uriOf(exchange, uri),
    security: securityOf(exchange, identity, security),
    application: {
      endpoints: [],
      property: () => undefined,
      stopping: new AbortController().signal,
      ...application,
    },
    response: { addHeader },
    onEnd,
    logger,
    elapsed: () => 0,
    endpoint: { name: 'test', method: exchange.method, template: exchange.path, ...endpoint },
  }
}

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
    address: () => request.address,
    signal: () => signal,
    onEnd: () => undefined,
    takeContent: () => undefined,
    takePieces: () => notFound,
    system: createPlatform(defaults),
    answer: () => undefined,
  }
}

const requestOf = (exchange: Exchange, given: Partial<RequestContext>): RequestContext => {
  const id = given.id ?? '00000000-0000-0000-0000-000000000000'
  const derived = new CallRequest({ exchange, id, signal: exchange.signal })
  return {
    method: derived.method,
    path: derived.path,
    query: derived.query,
    headers: derived.headers,
    header: derived.header,
    headerLines: derived.headerLines,
    cookie: derived.cookie,
    cookies: derived.cookies,
    mediaType: derived.mediaType,
    length: derived.length,
    date: derived.date,
    accepts: derived.accepts,
    languages: derived.languages,
    address: derived.address,
    id: derived.id,
    signal: derived.signal,
    ...given,
  }
}

const uriOf = (exchange: Exchange, given: Partial<UriInfo>): UriInfo => {
  const root = given.base?.pathname.replace(/(?<=[^/])\/$/, '') ?? '/'
  const settings = { ...defaults, 'fw.rest.path': root }
  const derived = new CallUri({
    exchange,
    program: { settings },
    operation: undefined,
    captures: [],
  })
  return {
    base: derived.base,
    absolute: derived.absolute,
    request: derived.request,
    path: derived.path,
    pathParameters: derived.pathParameters,
    queryParameters: derived.queryParameters,
    matrixParameters: derived.matrixParameters,
    raw: derived.raw,
    resolve: derived.resolve,
    relativize: derived.relativize,
    ...given,
  }
}

const securityOf = (
  exchange: Exchange,
  identity: Identity | undefined,
  given: Partial<SecurityContext>,
): SecurityContext => {
  const derived = new CallSecurity({ exchange, identity })
  return {
    principal: derived.principal,
    hasRole: derived.hasRole,
    scheme: derived.scheme,
    secure: derived.secure,
    ...given,
  }
}
