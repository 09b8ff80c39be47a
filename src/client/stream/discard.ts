/** Lets go of contents that nobody reads. */
import type { AnyAnswer } from '../decoded-response.ts'

/**
 * Lets go of the content of an answer that comes in pieces: until it is read to its end, left by `break` or `return`, or aborted by
 * the signal of its call, it holds a connection. Of an answer whose content is there already, nothing is done.
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
 * const answer = await service.log()
 * if (answer.headers.includes('X-Nothing-New')) await discard(answer)
 * else for await (const piece of answer.body) assert.ok(piece.length > 0)
 * ```
 */
export const discard = async ({ body }: AnyAnswer): Promise<void> => {
  if (typeof body === 'object' && body !== null && isAsyncIterable(body))
    await body[Symbol.asyncIterator]().return?.()
}

const isAsyncIterable = (body: object): body is AsyncIterable<unknown> =>
  Symbol.asyncIterator in body
