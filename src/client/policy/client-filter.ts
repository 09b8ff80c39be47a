/** Filters of a client, and responses that they create. */
import * as E from 'fp-ts/lib/Either.js'
import * as Headers from '../../http/headers.ts'
import type { ClientRequest, ClientResponse, Passage, Policy } from '../exchange.ts'
import { abortable } from './abortable.ts'
import type { FieldsToSend } from './headers.ts'
import { setHeaders } from './headers.ts'
import type { Outcome, Returned } from './policy.ts'
import { createPolicy, discardOutcome, discardReplaced, toOutcome } from './policy.ts'

export interface ClientFilterOptions {
  /** Filters with lower values see the request earlier and the response later. Default: 5000, as for all policies. */
  readonly priority?: number
}

/**
 * Creates a policy from a function that receives each request and a function that sends it, and returns the response.
 *
 * A filter can change the request, respond without sending it, send it more than once, and inspect or change the response. An
 * exception becomes a `Defect`. If `request.strayed` is set, the request goes to another origin than that of the call: do not
 * add credentials to it.
 *
 * When the filter completes, unused responses are discarded: those whose body is neither returned nor being read. Until then they
 * occupy their connections, so cancel the body of a response before you send the request again.
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
 *   const outcome = await send(request)()
 *   if (E.isLeft(outcome) || outcome.right.status !== 401) return outcome
 *   await outcome.right.body?.cancel()
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
      const responses: Outcome[] = []
      const send: Passage = (changed) => async () => {
        const outcome = await next(changed)()
        if (E.isRight(outcome)) responses.push(outcome)
        return outcome
      }
      const discardAll = (outcome?: Outcome): void => {
        responses.forEach(discardOutcome)
        if (outcome !== undefined) discardOutcome(outcome)
      }
      try {
        const result = toOutcome(filter(request, send))
        const outcome = E.flatten(await abortable(request, result, discardAll))
        for (const response of responses) discardReplaced(response, outcome)
        return outcome
      } catch (error) {
        discardAll()
        throw error
      }
    },
    priority,
  )

export interface ClientResponseOptions {
  /** Default: 200. */
  readonly status?: number
  readonly headers?: FieldsToSend
  /** The response body; a string is encoded as UTF-8. Set `Content-Type` in `headers`. Default: no body. */
  readonly content?: string | Uint8Array
}

/**
 * Creates a response to a request without sending it, for filters, fallbacks and tests.
 * Throws a `TypeError` for an invalid header.
 */
export const clientResponse = (
  { url }: Pick<ClientRequest, 'url'>,
  { status = 200, headers = {}, content }: ClientResponseOptions = {},
): ClientResponse =>
  Object.freeze({
    status,
    headers: setHeaders(Headers.empty, headers),
    url,
    body: content === undefined ? null : streamOf(content),
  })

const streamOf = (content: string | Uint8Array): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => {
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
      if (bytes.length > 0) controller.enqueue(bytes)
      controller.close()
    },
  })
