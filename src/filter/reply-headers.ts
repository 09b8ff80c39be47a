/** Functions that change the headers of replies, and the filters `timing` and `requestId`. */
import { checkOptions } from '../endpoint/internal/combinator.ts'
import type { AnyReply } from '../endpoint/reply.ts'
import * as Headers from '../http/headers.ts'
import { pipe } from 'fp-ts/lib/function.js'
import type { PlainFilter } from '../endpoint/filter.ts'
import { filters, responseFilter } from '../endpoint/filter.ts'
import { priority, withOrder } from '../endpoint/filter-order.ts'
import { preMatching, rewrite } from '../endpoint/request-filter.ts'
import { withHeader, setHeader } from '../endpoint/reply.ts'
import { priorities } from './authentication.ts'

/**
 * Creates a list of headers. Entries without a value are omitted. Throws a `TypeError` for an invalid name or value.
 */
export const headersOf = (
  entries: ReadonlyArray<readonly [name: string, value: string | undefined]>,
): Headers.Headers =>
  entries.reduce(
    (headers, [name, value]) =>
      value === undefined ? headers : Headers.append(headers, name, value),
    Headers.empty,
  )

/** Returns a reply with additional headers. The headers are not validated. */
export const withHeaders = (reply: AnyReply, headers: Headers.Headers): AnyReply =>
  headers.length === 0
    ? reply
    : Object.freeze({ ...reply, headers: Object.freeze([...reply.headers, ...headers]) })

/** Returns a copy of a reply without the `name` header, or the reply itself if it does not have this header. */
export const withoutHeader = (reply: AnyReply, name: string): AnyReply =>
  Headers.first(reply.headers, name.toLowerCase()) === undefined
    ? reply
    : Object.freeze({ ...reply, headers: Object.freeze(Headers.without(reply.headers, name)) })

/** Adds headers to a copy of a reply, except headers that the reply already has. The headers are not validated. */
export const withMissingHeaders = (reply: AnyReply, headers: Headers.Headers): AnyReply =>
  withHeaders(
    reply,
    reply.headers.length === 0
      ? headers
      : headers.filter((_, index) => {
          const name = headers[index - (index % 2)] ?? ''
          return Headers.first(reply.headers, name.toLowerCase()) === undefined
        }),
  )

/**
 * Creates a filter that adds the `Server-Timing` header with the duration of the request, in milliseconds. Browsers
 * show this duration in their developer tools.
 *
 * The measurement starts when the request head has arrived and ends when the reply is complete, before the reply is
 * encoded and sent. Apply the filter to the root of the tree. Durations can reveal how a handler works. Therefore, use
 * the filter only for services with trusted clients.
 *
 * @see https://www.w3.org/TR/server-timing/
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, text, timing, withFilter } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * const hello = pipe(
 *   path('/hello'),
 *   get(),
 *   produces(text),
 *   handle(() => 'Hello'),
 * )
 * const send = inMemory(pipe(routes({ hello }), withFilter(timing())))
 * const { headers } = await send(new Request('http://localhost/hello'))
 *
 * assert.match(headers.get('Server-Timing') ?? '', /^total;dur=\d+(\.\d+)?$/)
 * ```
 */
export const timing = (): PlainFilter =>
  pipe(
    responseFilter((replied, { elapsed }) =>
      withHeader('Server-Timing', `total;dur=${elapsed().toFixed(2)}`)(replied),
    ),
    priority(priorities.timing),
    withOrder(() => ({ name: 'timing' })),
  )

/** Options for {@link requestId}. */
export interface RequestIdOptions {
  /** Name of the header that contains the id, in requests and in responses. Default: `X-Request-Id`. */
  readonly header?: string
  /** Whether an id sent by the client or a proxy is accepted. Default: `true`. */
  readonly accept?: boolean
}

/**
 * Matches an acceptable request id. Such an id is short and contains no characters that have a special meaning in logs,
 * URIs or HTML.
 */
const idPattern = /^[\w-]{1,64}$/

/**
 * Creates a filter that adds the request id to each response.
 *
 * An id sent by the client is accepted if it consists of 1 to 64 ASCII letters, digits, `_` or `-`. Otherwise, the id
 * is a new UUID. The same id appears in the context, the log and problem documents. In a problem document, `instance`
 * is `urn:uuid:` followed by the id if the id is a UUID, and otherwise `#` followed by the id.
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
export const requestId = (options: RequestIdOptions = {}): PlainFilter => {
  const { header = 'X-Request-Id', accept = true } = checkOptions(
    'requestId',
    ['header', 'accept'],
    options,
  )
  headersOf([[header, 'id']])
  const sendId = responseFilter((replied, { request }) => setHeader(header, request.id)(replied))
  const acceptId = preMatching(({ request }) => {
    const id = request.header(header)
    return id !== undefined && idPattern.test(id) ? rewrite({ id }) : undefined
  })
  return pipe(
    accept ? filters(acceptId, sendId) : sendId,
    priority(priorities.requestId),
    withOrder(() => ({ name: 'requestId' })),
  )
}
