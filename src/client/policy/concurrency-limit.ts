/** Limits the number of concurrent requests of a client. */
import * as E from 'fp-ts/lib/Either.js'
import type { Policy } from '../exchange.ts'
import { aborted, policyRejection } from '../error-factories.ts'
import { observeBody } from '../stream/observe-body.ts'
import { createPolicy } from './policy.ts'
import { createSemaphore } from './semaphore.ts'

export interface ConcurrencyLimitOptions {
  /** Maximum number of queued requests. Default: 100. */
  readonly queue?: number
}

/**
 * Sends at most `limit` requests of a client at a time and queues the others in FIFO order.
 *
 * A request occupies its slot until the response body is read or cancelled. A call for each chunk of a streamed response therefore
 * needs a second slot. Requests are rejected with `Refused` while the queue is full; aborted requests leave the queue.
 * Throws a `RangeError` for an invalid number.
 *
 * This policy limits requests. Connections are configured in the `fetch` function or the transport of the client, such as the
 * `dispatcher` of undici in the example; see {@link undiciTransport}. To share one limit between several clients, wrap their
 * transport: `transport: concurrencyLimit(20).around(undiciTransport(agent))`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { once } from 'node:events'
 * import { createServer } from 'node:http'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, path, produces, routes, text } from 'espalier'
 * import { client, concurrencyLimit } from 'espalier/client'
 * import type { RequestInit } from 'undici'
 * import { Agent, fetch } from 'undici'
 *
 * const server = createServer((_, response) => response.end('Hello')).listen(0)
 * await once(server, 'listening')
 * const address = server.address()
 * const port = typeof address === 'object' ? address?.port : undefined
 *
 * const agent = new Agent({ connections: 50, keepAliveTimeout: 60_000 })
 * const api = routes({ hello: pipe(path('/hello'), get(), produces(text)) })
 * const service = client(api, {
 *   baseUrl: `http://localhost:${port}`,
 *   fetch: (url, init) => fetch(url, { ...init, dispatcher: agent } as RequestInit),
 *   policies: [concurrencyLimit(20, { queue: 500 })],
 * })
 *
 * assert.ok(E.isRight(await service.hello()()))
 * await agent.close()
 * server.close()
 * ```
 */
export const concurrencyLimit = (
  limit: number,
  { queue = 100 }: ConcurrencyLimitOptions = {},
): Policy => {
  if (!(limit >= 1)) throw new RangeError(`concurrencyLimit.limit must be at least 1, got ${limit}`)
  if (!(queue >= 0)) throw new RangeError(`concurrencyLimit.queue must be at least 0, got ${queue}`)
  const reason = `concurrency limit of ${limit} and queue limit of ${queue} reached`
  return createPolicy((next) => {
    const semaphore = createSemaphore(Math.floor(limit), Math.floor(queue))
    return (request) => async () => {
      if (request.signal?.aborted === true) return E.left(aborted(request))
      const permit = semaphore.acquire(request.signal)
      if (permit === false)
        return E.left(policyRejection(request, { policy: 'concurrency-limit', reason }))
      if (permit !== true && (await permit) === 'aborted') return E.left(aborted(request))
      let hasBody = false
      try {
        const outcome = await next(request)()
        if (E.isLeft(outcome) || outcome.right.body === null) return outcome
        const { body } = observeBody(outcome.right.body, { onEnd: semaphore.release })
        hasBody = true
        return E.right({ ...outcome.right, body })
      } finally {
        if (!hasBody) semaphore.release()
      }
    }
  })
}
