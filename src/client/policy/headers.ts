/** Policies and functions that add headers to requests. */
import * as E from 'fp-ts/lib/Either.js'
import type { RequestContext } from '../../endpoint/context.ts'
import * as Headers from '../../http/headers.ts'
import type { ClientRequest, Policy } from '../exchange.ts'
import { policyRejection } from '../error-factories.ts'
import { abortable } from './abortable.ts'
import { createPolicy } from './policy.ts'

/** Header values by case-insensitive name. A list is sent as several headers; `undefined` is not sent. */
export type FieldsToSend = Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** Headers, or a synchronous or asynchronous function that returns them for each request. */
export type HeadersFactory =
  | FieldsToSend
  | ((request: ClientRequest) => FieldsToSend | Promise<FieldsToSend>)

/**
 * Adds headers to every request, unless the request already has headers of the same names.
 *
 * If the function throws or returns invalid headers, the request is not sent and the call fails with `Refused`, whose `cause` is the
 * exception. Requests that a redirect sends to another origin are not changed.
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

/** Creates a policy that adds headers. `name` identifies it in `Refused`. */
export const headerPolicy = (name: string, factory: HeadersFactory): Policy =>
  createPolicy((next) => (request) => async () => {
    if (request.strayed === true) return next(request)()
    let changed: ClientRequest
    try {
      const added =
        typeof factory === 'function'
          ? await abortable(request, Promise.resolve(factory(request)))
          : E.right(factory)
      if (E.isLeft(added)) return added
      changed = {
        ...request,
        headers: setHeaders(request.headers, missingFrom(request, added.right)),
      }
    } catch (cause) {
      const reason = `policy ${name} failed to create its headers`
      return E.left(policyRejection(request, { policy: name, reason, cause }))
    }
    return next(changed)()
  })

/** Returns the headers whose names the request does not have. */
const missingFrom = (request: ClientRequest, added: FieldsToSend): FieldsToSend =>
  Object.fromEntries(
    Object.entries(added).filter(
      ([name]) => Headers.first(request.headers, name.toLowerCase()) === undefined,
    ),
  )

/** Returns `initial` with `changes`, which replace headers of the same names. Throws a `TypeError` for an invalid header. */
export const setHeaders = (initial: Headers.Headers, changes: FieldsToSend): Headers.Headers =>
  Object.entries(changes).reduce((all, [name, value]) => {
    if (value === undefined) return all
    const values = typeof value === 'string' ? [value] : value
    return values.reduce(
      (merged, item) => Headers.append(merged, name, item),
      Headers.without(all, name),
    )
  }, initial)

/** The part of a handler's context that `propagate` reads. */
interface PropagationContext {
  readonly request: Pick<RequestContext, 'headerLines'>
}

/**
 * Returns a function that copies headers of the request being handled, for the `headers` option of a call or a client.
 *
 * Names are case-insensitive. Headers that the request does not have are omitted. Several headers of the same name are
 * combined into one.
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
        .map((name) => [name, request.headerLines(name)] as const)
        .filter(([, values]) => values.length > 0)
        // `Cookie` is not a comma-separated list (RFC 9110, 5.3; RFC 6265, 5.4)
        .map(([name, values]) => [name, values.join(/^cookie$/i.test(name) ? '; ' : ', ')]),
    )
