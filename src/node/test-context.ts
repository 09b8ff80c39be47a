/** A context for unit tests: handlers are called with it as they are, without a tree and without a request. */
import type { Context, EndpointInfo, RequestContext } from '../endpoint/context.ts'
import * as Headers from '../http/headers.ts'

/** What a test wants to be different. */
export interface TestContext {
  readonly request?: Partial<RequestContext>
  readonly endpoint?: Partial<EndpointInfo>
}

/**
 * A context in which nothing was sent but what is given: `GET /` without fields, a signal that never aborts.
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
export const testContext = ({ request = {}, endpoint = {} }: TestContext = {}): Context => {
  const { headers = [] } = request
  return {
    request: {
      method: 'GET',
      path: '/',
      query: undefined,
      headers,
      header: (name) => Headers.combined(headers, name.toLowerCase()),
      id: '00000000-0000-0000-0000-000000000000',
      signal: new AbortController().signal,
      ...request,
    },
    endpoint: { name: 'test', method: 'GET', template: '/', ...endpoint },
  }
}
