/** Calls that do not all come at once. */
import * as E from 'fp-ts/lib/Either.js'
import type { Policy } from '../exchange.ts'
import { aborted, refused } from './failing.ts'
import { policy } from './policy.ts'
import { waitingLine } from './semaphore.ts'
import { watched } from '../stream/observe-body.ts'

export interface ConcurrencyLimitOptions {
  /** So many calls may wait for their turn; 100 unless it is said. */
  readonly queue?: number
}

/**
 * Sends at most `most` requests of a client at a time; the others wait, and are sent in the order in which they came. A call
 * that finds the queue full is `Refused`, one that is aborted leaves the queue. A request runs until the content of its response
 * has been taken or cancelled: who calls again for each piece of a stream needs a place for both. Throws a `RangeError` for
 * numbers out of their range.
 *
 * This is about calls. How many connections there are, how long they are kept, and how they are made (over HTTP/2, TLS, a proxy,
 * a socket of the file system) is said to the `fetch` or transport of a client, as it is to the `fetch` of undici here; all of it
 * stands with {@link undiciTransport}. Around a transport that several clients have, a limit is for all of them together:
 * `transport: concurrencyLimit(20).around(undiciTransport(agent))`.
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
 * const pooled = client(api, {
 *   baseUrl: `http://localhost:${port}`,
 *   fetch: (url, init) => fetch(url, { ...init, dispatcher: agent } as RequestInit),
 *   policies: [concurrencyLimit(20, { queue: 500 })],
 * })
 *
 * assert.ok(E.isRight(await pooled.hello()()))
 * await agent.close()
 * server.close()
 * ```
 */
export const concurrencyLimit = (
  most: number,
  { queue = 100 }: ConcurrencyLimitOptions = {},
): Policy => {
  if (!(most >= 1 && queue >= 0))
    throw new RangeError('a limit is 1 or more, and a queue 0 or more')
  return policy((next) => {
    const line = waitingLine(Math.floor(most), Math.floor(queue))
    return (request) => async () => {
      if (request.signal?.aborted === true) return E.left(aborted(request))
      const entry = line.enter(request.signal)
      if (entry === false)
        return E.left(
          refused(request, {
            policy: 'concurrency-limit',
            why: `${most} requests run and ${queue} wait`,
          }),
        )
      if (entry !== true && (await entry) === 'aborted') return E.left(aborted(request))
      let isReading = false
      try {
        const outcome = await next(request)()
        if (E.isLeft(outcome) || outcome.right.body === null) return outcome
        const { body } = watched(outcome.right.body, { over: line.leave })
        isReading = true
        return E.right({ ...outcome.right, body })
      } finally {
        if (!isReading) line.leave()
      }
    }
  })
}
