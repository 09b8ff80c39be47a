/** Provides fallback responses for failed requests. */
import * as E from 'fp-ts/lib/Either.js'
import type { ClientRequest, Policy } from '../exchange.ts'
import {
  abortable,
  createPolicy,
  discardResponse,
  discardReplaced,
  resolveReturned,
} from './policy.ts'
import type { SendResult, Returned } from './policy.ts'

/**
 * Calls `recover` when a request fails, and uses the returned value instead of the failure.
 *
 * A request fails if it results in a status of 500 or above, or in an error other than `Aborted`. `recover` can return
 * a response (see {@link clientResponse}), an error, or the result of a request to another service. If `recover`
 * returns `undefined`, the failure is kept. The body of a replaced response is discarded unless the new response uses
 * the same body.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { get, json, path, produces, routes } from 'espalier'
 * import { client, clientResponse, fallback } from 'espalier/client'
 *
 * const tips = pipe(path('/tips'), get(), produces(json(t.array(t.string))))
 * const service = client(routes({ tips }), {
 *   baseUrl: 'http://localhost',
 *   fetch: () => Promise.reject(new Error('connection lost')),
 *   policies: [
 *     fallback((_, request) =>
 *       clientResponse(request, { headers: { 'Content-Type': 'application/json' }, content: '[]' }),
 *     ),
 *   ],
 * })
 * const result = await service.tips()()
 *
 * assert.ok(E.isRight(result))
 * assert.deepEqual(result.right.body, [])
 * ```
 */
export const fallback = (
  recover: (failure: SendResult, request: ClientRequest) => Returned<undefined>,
): Policy =>
  createPolicy((next) => (request) => async () => {
    const result = await next(request)()
    if (!isFailure(result)) return result
    try {
      const returned = await abortable(
        request,
        resolveReturned<undefined>(recover(result, request)),
        (late) => late !== undefined && discardResponse(late),
      )
      const replacement = E.isLeft(returned) ? returned : returned.right
      if (replacement === undefined) return result
      discardReplaced(result, replacement)
      return replacement
    } catch (error) {
      discardResponse(result)
      throw error
    }
  })

const isFailure = (result: SendResult): boolean =>
  E.isLeft(result) ? result.left._tag !== 'Aborted' : result.right.status >= 500
