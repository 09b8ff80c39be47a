/** Provides policies and functions that add headers, including credentials, to requests. */
import * as E from 'fp-ts/lib/Either.js'
import type { RequestContext } from '../../endpoint/context.ts'
import * as Headers from '../../http/headers.ts'
import type { ClientRequest, Policy } from '../exchange.ts'
import { policyRejection } from '../error-factories.ts'
import { abortable, createPolicy } from './policy.ts'
import * as Authorization from '../../http/authorization.ts'
import { isErrorOf } from '../../http/platform-value.ts'

/**
 * Object that maps case-insensitive header names to values. Each string in an array is sent as a separate header.
 * Headers with the value `undefined` are not sent.
 */
export type HeadersToSend = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** Headers, or a synchronous or asynchronous function that returns the headers for each request. */
export type HeadersFactory =
  | HeadersToSend
  | ((request: ClientRequest) => HeadersToSend | Promise<HeadersToSend>)

/**
 * Adds headers to every request. Headers that are already present in a request are not changed.
 *
 * If `factory` throws an exception or returns invalid headers, the request is not sent and the call fails with
 * `Rejected`. The `cause` of this error is the exception, or a `TypeError` that names the invalid header. No headers are added to
 * requests that have been redirected to another origin.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text } from 'espalier'
 * import { client, headers } from 'espalier/client'
 * import { inMemory } from 'espalier/testing'
 *
 * const hello = pipe(
 *   path('/hello'),
 *   get(),
 *   produces(text),
 *   handle((_, { request }) => String(request.header('X-Operation'))),
 * )
 * const api = routes({ hello })
 * const service = client(api, {
 *   baseUrl: 'http://localhost',
 *   fetch: inMemory(api),
 *   policies: [headers(({ operation }) => ({ 'X-Operation': operation.name }))],
 * })
 * const result = await service.hello()()
 *
 * assert.ok(E.isRight(result))
 * assert.equal(result.right.body, 'hello')
 * ```
 */
export const headers = (factory: HeadersFactory): Policy => headerPolicy('headers', factory)

/** A function that creates headers from a value that the application has computed. */
type CreateHeaders = () => HeadersToSend

/** Creates a policy that adds headers. `name` identifies the policy in `Rejected` errors. */
const headerPolicy = (
  name: string,
  factory: HeadersFactory | (() => Promise<CreateHeaders>),
): Policy =>
  createPolicy((next) => (request) => async () => {
    if (request.crossOrigin === true) return next(request)()
    const reject = (cause: unknown, detail = '') =>
      E.left(
        policyRejection(request, {
          policy: name,
          reason: `policy ${name} failed to create its headers${detail}`,
          cause,
        }),
      )
    let created: HeadersToSend | CreateHeaders
    try {
      const result =
        typeof factory === 'function'
          ? await abortable(request, Promise.resolve(factory(request)))
          : E.right(factory)
      if (E.isLeft(result)) return result
      created = result.right
    } catch (cause) {
      // the message of an error of the application may contain credentials
      return reject(cause)
    }
    let changed: Headers.Headers
    try {
      const added = typeof created === 'function' ? created() : created
      changed = setHeaders(request.headers, missingFrom(request, added))
    } catch (cause) {
      return reject(cause, isErrorOf(cause, 'TypeError') ? `: ${cause.message}` : '')
    }
    return next({ ...request, headers: changed })()
  })

/** Returns the headers in `added` that are not already present in the request. */
const missingFrom = (request: ClientRequest, added: HeadersToSend): HeadersToSend =>
  Object.fromEntries(
    Object.entries(added).filter(
      ([name]) => Headers.first(request.headers, name.toLowerCase()) === undefined,
    ),
  )

/**
 * Returns a copy of `initial` in which each header in `changes` replaces all headers with the same name. Throws a
 * `TypeError` if a header is invalid.
 */
export const setHeaders = (initial: Headers.Headers, changes: HeadersToSend): Headers.Headers =>
  Object.entries(changes).reduce((result, [name, value]) => {
    if (value === undefined) return result
    const values = typeof value === 'string' ? [value] : value
    return values.reduce(
      (merged, item) => Headers.append(merged, name, item),
      Headers.without(result, name),
    )
  }, initial)

/** Part of a handler's context that `propagate` uses. */
export interface PropagationContext {
  readonly request: Pick<RequestContext, 'headerValues'>
}

/**
 * Returns a function that copies headers from the request being handled. Pass the copied headers to the `headers`
 * option of a call or a client.
 *
 * Names are case-insensitive. Headers that are missing from the request are omitted. Multiple headers with the same
 * name are combined into one header.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text } from 'espalier'
 * import { client, propagate } from 'espalier/client'
 * import { inMemory } from 'espalier/testing'
 *
 * const hello = pipe(
 *   path('/hello'),
 *   get(),
 *   produces(text),
 *   handle((_, { request }) => String(request.header('X-Request-Id'))),
 * )
 * const api = routes({ hello })
 * const service = client(api, { baseUrl: 'http://localhost', fetch: inMemory(api) })
 * const traceHeaders = propagate('X-Request-Id', 'traceparent')
 * const proxy = pipe(
 *   path('/proxy'),
 *   get(),
 *   produces(text),
 *   handle(async (_, context) => {
 *     const result = await service.hello({}, { headers: traceHeaders(context) })()
 *     return E.isRight(result) ? result.right.body : result.left.message
 *   }),
 * )
 * const send = inMemory(routes({ proxy }))
 * const request = new Request('http://localhost/proxy', { headers: { 'X-Request-Id': 'job-17' } })
 *
 * assert.equal(await (await send(request)).text(), 'job-17')
 * ```
 */
export const propagate =
  (
    ...names: ReadonlyArray<string>
  ): ((context: PropagationContext) => Readonly<Record<string, string>>) =>
  ({ request }) =>
    Object.fromEntries(
      names
        .map((name) => [name, request.headerValues(name)] as const)
        .filter(([, values]) => values.length > 0)
        // `Cookie` is not a comma-separated list (RFC 9110, 5.3; RFC 6265, 5.4)
        .map(([name, values]) => [name, values.join(/^cookie$/i.test(name) ? '; ' : ', ')]),
    )

/**
 * Sends a user name and a password, encoded as UTF-8, with every request (RFC 7617).
 *
 * Requests that already have an `Authorization` header are not changed. Throws a `TypeError` if the user name contains
 * a colon, or if the user name or the password contains control characters.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text } from 'espalier'
 * import { basicAuth, client } from 'espalier/client'
 * import { inMemory } from 'espalier/testing'
 *
 * const hello = pipe(
 *   path('/hello'),
 *   get(),
 *   produces(text),
 *   handle((_, { request }) => String(request.header('Authorization'))),
 * )
 * const api = routes({ hello })
 * const service = client(api, {
 *   baseUrl: 'http://localhost',
 *   fetch: inMemory(api),
 *   policies: [basicAuth('ann', 'plum')],
 * })
 * const result = await service.hello()()
 *
 * assert.ok(E.isRight(result))
 * assert.equal(result.right.body, 'Basic YW5uOnBsdW0=')
 * ```
 */
export const basicAuth = (user: string, password: string): Policy =>
  headerPolicy('basic-auth', {
    Authorization: `Basic ${Authorization.formatBasic({ user, password })}`,
  })

/**
 * Sends a bearer token with every request (RFC 6750, 2.1).
 *
 * If `token` is a function, it is called for each request and can renew the token. If it returns `undefined`, for example
 * because the user has not signed in yet, the request is sent without the header. If the function fails or returns an invalid
 * token, the request is not sent and the call fails with `Rejected`. Requests that already have an `Authorization` header are
 * not changed. Throws a `TypeError` if `token` is a string that is not a valid token.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text } from 'espalier'
 * import { bearerToken, client } from 'espalier/client'
 * import { inMemory } from 'espalier/testing'
 *
 * const hello = pipe(
 *   path('/hello'),
 *   get(),
 *   produces(text),
 *   handle((_, { request }) => String(request.header('Authorization'))),
 * )
 * const api = routes({ hello })
 * const service = client(api, {
 *   baseUrl: 'http://localhost',
 *   fetch: inMemory(api),
 *   policies: [bearerToken(async () => 'mF_9.B5f-4.1JqM')],
 * })
 * const result = await service.hello()()
 *
 * assert.ok(E.isRight(result))
 * assert.equal(result.right.body, 'Bearer mF_9.B5f-4.1JqM')
 * ```
 */
export const bearerToken = (
  token: string | (() => string | undefined | Promise<string | undefined>),
): Policy =>
  headerPolicy(
    'bearer-token',
    typeof token === 'string'
      ? bearerHeader(token)
      : async () => {
          const current = await token()
          return () => (current === undefined ? {} : bearerHeader(current))
        },
  )

const bearerHeader = (token: string): { readonly Authorization: string } => {
  if (typeof token !== 'string' || !Authorization.isToken68(token))
    throw new TypeError(
      'invalid bearer token: expected letters, digits and -._~+/ (RFC 6750, 2.1), or undefined from a function if there is no token',
    )
  return { Authorization: `Bearer ${token}` }
}
