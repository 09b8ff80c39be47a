/** Header fields that a service hands on to those that it calls itself. */
import type { RequestContext } from '../../endpoint/context.ts'

/** The part of a handler's context that is looked at. */
interface Incoming {
  readonly request: Pick<RequestContext, 'headerLines'>
}

/**
 * The fields of these names, in any case, that the request being answered came with; none where it came without. They are
 * for one call, or for the clients that are made for one request. A field that came in several lines is sent in one.
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
 * const greeter = client(api, { baseUrl: 'http://localhost', fetch: inMemory(api) })
 * const handOn = propagate('X-Request-Id', 'traceparent')
 * const proxy = pipe(
 *   path('/proxy'),
 *   get(),
 *   produces(text),
 *   handle(async (_, context) => {
 *     const answer = await greeter.hello({}, { headers: handOn(context) })()
 *     return E.isRight(answer) ? answer.right.body : answer.left.message
 *   }),
 * )
 * const call = inMemory(routes({ proxy }))
 * const request = new Request('http://localhost/proxy', { headers: { 'X-Request-Id': 'job-17' } })
 *
 * assert.equal(await (await call(request)).text(), 'job-17')
 * ```
 */
export const propagate =
  (...names: ReadonlyArray<string>): ((context: Incoming) => Readonly<Record<string, string>>) =>
  ({ request }) =>
    Object.fromEntries(
      names
        .map((name) => [name, request.headerLines(name)] as const)
        .filter(([, lines]) => lines.length > 0)
        // cookies are the one field that is no list (RFC 9110, 5.3; RFC 6265, 5.4)
        .map(([name, lines]) => [name, lines.join(/^cookie$/i.test(name) ? '; ' : ', ')]),
    )
