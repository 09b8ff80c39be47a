/** Defines client filters and fallbacks, and creates responses without sending requests. */
import * as E from 'fp-ts/lib/Either.js'
import * as Headers from '../../http/headers.ts'
import type { ClientRequest, ClientResponse, Passage, Policy } from '../exchange.ts'
import {
  abortable,
  createPolicy,
  discardResponse,
  discardReplaced,
  resolveReturned,
} from './policy.ts'
import type { HeadersToSend } from './headers.ts'
import { setHeaders } from './headers.ts'
import type { SendResult, Returned } from './policy.ts'

/** Options for `clientFilter`. */
export interface ClientFilterOptions {
  /**
   * Position among the policies. A filter with a lower value receives requests earlier and responses later. Default:
   * 5000, which is also the default for other policies.
   */
  readonly priority?: number
}

/**
 * Creates a policy from a filter function.
 *
 * The function receives each request and a function that sends it, and returns the response. A filter can change the
 * request, respond without sending it, send it more than once, and inspect or change the response. If the filter throws
 * an exception, the call fails with a `Defect`.
 *
 * If `request.crossOrigin` is set, the request is the result of a redirect to another origin. Do not add credentials to
 * such a request.
 *
 * When the filter completes, responses are discarded if their bodies are neither returned nor being read. Until then,
 * unused responses occupy their connections. Cancel the body of a response before sending the request again.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text, Unauthorized } from 'espalier'
 * import { bearerToken, client, clientFilter } from 'espalier/client'
 * import { inMemory } from 'espalier/testing'
 *
 * const hello = pipe(
 *   path('/hello'),
 *   get(),
 *   produces(text),
 *   handle((_, { request }) => {
 *     if (request.header('Authorization') !== 'Bearer new') throw new Unauthorized('Bearer')
 *     return 'Hello'
 *   }),
 * )
 * let token = 'old'
 * const renewToken = clientFilter(async (request, send) => {
 *   const response = await send(request)()
 *   if (E.isLeft(response) || response.right.status !== 401) return response
 *   await response.right.body?.cancel()
 *   token = 'new'
 *   return send(request)()
 * })
 * const api = routes({ hello })
 * const service = client(api, {
 *   baseUrl: 'http://localhost',
 *   fetch: inMemory(api),
 *   policies: [renewToken, bearerToken(() => token)],
 * })
 * const result = await service.hello()()
 *
 * assert.ok(E.isRight(result))
 * assert.equal(result.right.body, 'Hello')
 * ```
 */
export const clientFilter = (
  filter: (request: ClientRequest, send: Passage) => Returned,
  { priority }: ClientFilterOptions = {},
): Policy =>
  createPolicy(
    (next) => (request) => async () => {
      const responses: SendResult[] = []
      const send: Passage = (changed) => async () => {
        const result = await next(changed)()
        if (E.isRight(result)) responses.push(result)
        return result
      }
      const discardAll = (result?: SendResult): void => {
        responses.forEach(discardResponse)
        if (result !== undefined) discardResponse(result)
      }
      try {
        const returned = resolveReturned(filter(request, send))
        const result = E.flatten(await abortable(request, returned, discardAll))
        for (const response of responses) discardReplaced(response, result)
        return result
      } catch (error) {
        discardAll()
        throw error
      }
    },
    priority,
  )

/** Options for `clientResponse`. */
export interface ClientResponseOptions {
  /** Status code. Default: 200. */
  readonly status?: number
  readonly headers?: HeadersToSend
  /** Response body. A string is encoded as UTF-8. Set `Content-Type` in `headers`. Default: no body. */
  readonly content?: string | Uint8Array
}

/**
 * Creates a response without sending the request. Use this function in filters, fallbacks and tests. Throws a
 * `TypeError` if a header is invalid.
 */
export const clientResponse = (
  { url }: Pick<ClientRequest, 'url'>,
  { status = 200, headers = {}, content }: ClientResponseOptions = {},
): ClientResponse =>
  Object.freeze({
    status,
    headers: setHeaders(Headers.empty, headers),
    url,
    body: content === undefined ? null : toStream(content),
  })

const toStream = (content: string | Uint8Array): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => {
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
      if (bytes.length > 0) controller.enqueue(bytes)
      controller.close()
    },
  })

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
