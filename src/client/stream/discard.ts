/** Discards streamed response bodies. */
import type { AnyAnswer } from '../decoded-response.ts'

/**
 * Discards the body of a response if it is a stream. Other responses are not affected.
 *
 * A streamed body occupies a connection until one of these events: it is read completely, its iteration ends by `break` or
 * `return`, or the signal of the call aborts.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, textStream } from 'espalier'
 * import { client, discard, promising } from 'espalier/client'
 * import { inMemory } from 'espalier/testing'
 *
 * const log = pipe(
 *   path('/log'),
 *   get(),
 *   produces(textStream),
 *   handle(() => ['one', 'two']),
 * )
 * const api = routes({ log })
 * const service = promising(client(api, { baseUrl: 'http://localhost', fetch: inMemory(api) }))
 *
 * const response = await service.log()
 * if (response.headers.includes('X-Log-Unchanged')) await discard(response)
 * else for await (const chunk of response.body) assert.ok(chunk.length > 0)
 * ```
 */
export const discard = async ({ body }: AnyAnswer): Promise<void> => {
  if (typeof body === 'object' && body !== null && isAsyncIterable(body))
    await body[Symbol.asyncIterator]().return?.()
}

const isAsyncIterable = (body: object): body is AsyncIterable<unknown> =>
  Symbol.asyncIterator in body
