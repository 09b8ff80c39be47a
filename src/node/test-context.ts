/** A context for unit tests: handlers are called with it as they are, without a tree and without a request. */
import type {
  Application,
  Context,
  End,
  EndpointInfo,
  RequestContext,
  SecurityContext,
  UriInfo,
} from '../endpoint/context.ts'
import type { Logger } from '../endpoint/logger.ts'
import * as Headers from '../http/headers.ts'
import { silent } from '../interpreter/logger.ts'

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
 * A context in which nothing was sent but what is given: `GET /` without fields, signals that never abort.
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
  const { headers = [] } = request
  return {
    request: {
      method: 'GET',
      path: '/',
      query: undefined,
      headers,
      header: (name) => Headers.combined(headers, name.toLowerCase()),
      cookie: () => undefined,
      mediaType: undefined,
      length: undefined,
      date: undefined,
      accepts: [],
      languages: [],
      address: undefined,
      id: '00000000-0000-0000-0000-000000000000',
      signal: new AbortController().signal,
      ...request,
    },
    uri: {
      base: new URL('http://localhost/'),
      absolute: new URL('http://localhost/'),
      request: new URL('http://localhost/'),
      path: '',
      pathParameters: new Map(),
      queryParameters: new Map(),
      matrixParameters: new Map(),
      resolve: (reference) => new URL(reference, 'http://localhost/'),
      ...uri,
    },
    security: {
      principal: undefined,
      hasRole: (role) => security.principal?.roles.includes(role) ?? false,
      scheme: undefined,
      secure: false,
      ...security,
    },
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
    endpoint: { name: 'test', method: 'GET', template: '/', ...endpoint },
  }
}
