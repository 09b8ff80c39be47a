/** A filter for request ids that several services share. */
import { pipe } from 'fp-ts/lib/function.js'
import type { PlainFilter } from '../endpoint/filter.ts'
import { filters } from '../endpoint/filter.ts'
import { priority } from '../endpoint/filter-order.ts'
import { preMatching, rewrite } from '../endpoint/pre-matching.ts'
import { setHeader } from '../endpoint/reply.ts'
import { responseFilter } from '../endpoint/response-filter.ts'
import { priorities } from './priorities.ts'
import { headersOf } from './reply-headers.ts'

export interface RequestIdOptions {
  /** The header with the id, in requests and responses. Default: `X-Request-Id`. */
  readonly header?: string
  /** Whether an id from the client or a proxy is accepted. Default: true. */
  readonly accept?: boolean
}

/** Ids are short, and without characters that have a meaning in logs, URIs or HTML. */
const idPattern = /^[\w-]{1,64}$/

/**
 * Adds the id of each request to its response.
 *
 * An id of the client is accepted if it has 1 to 64 ASCII letters, digits, `_` or `-`; otherwise the id is a new UUID. The
 * context, the log and problem documents have the same id. Their `instance` is `urn:uuid:` with a UUID, and `#` with another id.
 *
 * Apply the filter to the root of the tree. Throws a `TypeError` for an invalid header name.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, requestId, routes, text, withFilter } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const hello = pipe(
 *   path('/hello'),
 *   get(),
 *   produces(text),
 *   handle((_, { request }) => `Hello, ${request.id}`),
 * )
 * const inMemoryApi = inMemory(pipe(routes({ hello }), withFilter(requestId())))
 * const send = (id: string) =>
 *   inMemoryApi(new Request('http://localhost/hello', { headers: { 'X-Request-Id': id } }))
 *
 * assert.equal(await (await send('job-17')).text(), 'Hello, job-17')
 * assert.equal((await send('job-17')).headers.get('X-Request-Id'), 'job-17')
 * assert.match((await send('no id')).headers.get('X-Request-Id') ?? '', /^[\da-f-]{36}$/)
 * ```
 */
export const requestId = ({
  header = 'X-Request-Id',
  accept = true,
}: RequestIdOptions = {}): PlainFilter => {
  headersOf([[header, 'id']])
  const sendId = responseFilter((replied, { request }) => setHeader(header, request.id)(replied))
  const acceptId = preMatching(({ request }) => {
    const id = request.header(header)
    return id !== undefined && idPattern.test(id) ? rewrite({ id }) : undefined
  })
  return pipe(accept ? filters(acceptId, sendId) : sendId, priority(priorities.requestId))
}
