/** Ids of requests, for a log of several services. */
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
  /** The field that says the id, in requests and in responses; `X-Request-Id` by default. */
  readonly header?: string
  /** Whether the client, or the proxy before the service, may say the id; by default it may. */
  readonly accept?: boolean
}

/** What an id may be: short, and nothing that means something in a log, a URI or a page. */
const form = /^[\w-]{1,64}$/

/**
 * Sends the id of each request back, and takes that of the client if it is at most 64 letters of ASCII, digits, `_` and `-`;
 * otherwise the id is a UUID of the service's own. It is the id in the context, in the log and in problem documents, whose
 * `instance` is `urn:uuid:` with a UUID and `#` with any other id. It has to stand around the whole tree. Throws a `TypeError`
 * for the name of a header field that is none.
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
 * const call = inMemory(pipe(routes({ hello }), withFilter(requestId())))
 * const ask = (id: string) =>
 *   call(new Request('http://localhost/hello', { headers: { 'X-Request-Id': id } }))
 *
 * assert.equal(await (await ask('job-17')).text(), 'Hello, job-17')
 * assert.equal((await ask('job-17')).headers.get('X-Request-Id'), 'job-17')
 * assert.match((await ask('no id')).headers.get('X-Request-Id') ?? '', /^[\da-f-]{36}$/)
 * ```
 */
export const requestId = ({
  header = 'X-Request-Id',
  accept = true,
}: RequestIdOptions = {}): PlainFilter => {
  headersOf([[header, 'id']])
  const answering = responseFilter((answered, { request }) =>
    setHeader(header, request.id)(answered),
  )
  const accepting = preMatching(({ request }) => {
    const id = request.header(header)
    return id !== undefined && form.test(id) ? rewrite({ id }) : undefined
  })
  return pipe(accept ? filters(accepting, answering) : answering, priority(priorities.requestId))
}
