/** Defines decoded responses, the results of calls, and converts them into replies. */
import * as HeaderList from '../http/headers.ts'
import type { ProblemDetails } from './client-error.ts'
import type { ClientResponse } from './exchange.ts'
import type { Reply } from '../endpoint/reply.ts'
import { reply, withHeader } from '../endpoint/reply.ts'
import * as Grammar from '../http/grammar.ts'
import { isBytes } from '../http/platform-value.ts'

/**
 * A decoded response from a service.
 *
 * A decoded response is not a `Reply`. A handler that accidentally returns one therefore does not forward it. To
 * convert a decoded response to a reply, use `forward`.
 */
export interface DecodedResponse<St extends number, A> {
  readonly status: St
  /**
   * Response headers. The object is created when this property is read for the first time.
   *
   * `get` joins the values of a repeated header with `, `, except that `getSetCookie` returns cookies separately.
   */
  readonly headers: Headers
  /**
   * Decoded body, or `undefined` if no body is declared or allowed for the status. For 204, the body is `null` if the
   * declared codec accepts `null` but not `undefined`.
   */
  readonly body: A
  /** URL of the response after any redirects. */
  readonly url: string
}

/** A declared failure: a decoded response with a status that the contract declares with `fails`. */
export interface DecodedFailure<St extends number, A> extends DecodedResponse<St, A> {
  // members of client errors, which exist only at compile time: the `Left` of a call narrows by its `_tag`
  readonly _tag?: undefined
  readonly message?: undefined
  readonly operation?: undefined
  readonly cause?: undefined
  /**
   * Problem document (RFC 9457) in the response body, or `undefined` if the body is not a problem document. Also available if no
   * body is declared for the status, and with members that the declared codec omits.
   */
  readonly problem: ProblemDetails | undefined
}

/** A decoded response with any status and body. */
export interface AnyDecodedResponse extends DecodedResponse<number, unknown> {}

/**
 * Creates a decoded response. An object literal without spread syntax takes a third of the time. The headers are converted when they
 * are first read. Most callers read no headers, and creating `Headers` takes longer than reading a small response.
 */
export const decodedResponse = (
  { status, headers: list, url }: ClientResponse,
  body: unknown,
): AnyDecodedResponse => {
  let headers: Headers | undefined
  return Object.freeze({
    status,
    get headers() {
      return (headers ??= toHeaders(list))
    },
    body,
    url,
  })
}

/** Creates a declared failure. */
export const decodedFailure = (
  { status, headers: list, url }: ClientResponse,
  body: unknown,
  problem: ProblemDetails | undefined,
): DecodedFailure<number, unknown> => {
  let headers: Headers | undefined
  return Object.freeze({
    status,
    get headers() {
      return (headers ??= toHeaders(list))
    },
    body,
    url,
    problem,
  })
}

/** Returns a copy of a decoded response with the values of declared headers. A spread would read `headers`, and create the object. */
export const withHeaderValues = <R extends AnyDecodedResponse>(
  response: R,
  values: Readonly<Record<string, unknown>>,
): R => {
  const header = { value: Object.freeze(values), enumerable: true }
  const descriptors = { ...Object.getOwnPropertyDescriptors(response), header }
  const copy: R = Object.create(Object.prototype, descriptors)
  return Object.freeze(copy)
}

/** Converts a list of headers. Headers that `Headers` does not accept, which only `undiciTransport` can receive, are omitted. */
export const toHeaders = (list: HeaderList.Headers): Headers => {
  const headers = new Headers()
  for (const [name, value] of HeaderList.toPairs(list))
    try {
      headers.append(name, value)
    } catch {
      // an invalid name or value
    }
  return headers
}

/** A response with headers: a decoded response, a client error, or the response that a policy receives. */
export interface WithHeaders {
  readonly headers: Headers | HeaderList.Headers
}

/**
 * Returns a function that reads a header from a response.
 *
 * The header name is case-insensitive. If the header is missing, the function returns `undefined`. The values of a
 * repeated header are joined with `, ` (RFC 9110, 5.3). Policies, whose responses have lists of headers, can also use this
 * function.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { headerOf } from 'espalier/client'
 *
 * const response = { headers: new Headers({ ETag: '"1"' }) }
 *
 * assert.equal(headerOf('etag')(response), '"1"')
 * assert.equal(headerOf('link')(response), undefined)
 * assert.equal(headerOf('etag')({ headers: ['ETag', '"2"'] }), '"2"')
 * ```
 */
export const headerOf =
  (name: string) =>
  ({ headers }: WithHeaders): string | undefined =>
    isList(headers)
      ? HeaderList.combined(headers, name.toLowerCase())
      : (headers.get(name) ?? undefined)

const isList = (headers: WithHeaders['headers']): headers is HeaderList.Headers =>
  Array.isArray(headers)

/**
 * Discards the body of a response if the body is a stream. Has no effect on other responses and on client errors.
 *
 * A streamed body occupies a connection until it has been read completely or the signal of the call is aborted. Ending
 * the iteration with `break` or `return` also frees the connection.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { get, handle, path, produces, routes, textStream } from 'espalier'
 * import { discard, promiseClient } from 'espalier/client'
 * import { inMemory } from 'espalier/testing'
 *
 * const log = pipe(
 *   path('/log'),
 *   get(),
 *   produces(textStream),
 *   handle(() => ['one', 'two']),
 * )
 * const api = routes({ log })
 * const service = promiseClient(api, { baseUrl: 'http://localhost', fetch: inMemory(api) })
 *
 * const response = await service.log()
 * if (response.headers.has('X-Log-Unchanged')) await discard(response)
 * else for await (const chunk of response.body) assert.ok(chunk.length > 0)
 * ```
 */
export const discard = async ({ body }: { readonly body?: unknown }): Promise<void> => {
  if (typeof body === 'object' && body !== null && isAsyncIterable(body))
    await body[Symbol.asyncIterator]().return?.()
}

const isAsyncIterable = (body: object): body is AsyncIterable<unknown> =>
  Symbol.asyncIterator in body

/** Options for `forward`. */
export interface ForwardOptions {
  /**
   * Whether to forward `Set-Cookie` headers. Cookies set by the other service then become cookies of this service.
   * Default: `false`.
   */
  readonly cookies?: boolean
}

/**
 * Creates a reply with the status, body and headers of a response.
 *
 * As with any other reply, its status must be declared, and its body is encoded with the declared representation. The
 * response itself is not a reply and cannot be forwarded by accident.
 *
 * The following headers are dropped:
 *
 * - headers that apply only to the connection (RFC 9110, 7.6.1)
 * - headers that describe the encoded body, such as `Content-Length` and `Content-Encoding`
 * - `Date`, which the server sets
 * - `Set-Cookie`, by default
 *
 * The reply has the media type of the produced representation. Only a `Uint8Array` body keeps its original
 * `Content-Type`. For other bodies, a strong `ETag` becomes weak, because the body is encoded again (RFC 9110, 8.8.1).
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { forward } from 'espalier/client'
 *
 * const response = {
 *   status: 201,
 *   headers: new Headers({ Connection: 'x-hop', 'X-Hop': '1', Location: '/books/1' }),
 *   body: 'created',
 *   url: 'http://localhost/books',
 * } as const
 *
 * assert.deepEqual(forward(response).headers, ['location', '/books/1'])
 * assert.equal(forward(response).entity, 'created')
 * ```
 */
export const forward = <St extends number, A>(
  { status, headers, body }: DecodedResponse<St, A>,
  { cookies = false }: ForwardOptions = {},
): Reply<St, A> => {
  const isBinary = isBytes(body)
  const named = Grammar.splitList(headers.get('connection') ?? '')
  const dropped = new Set([
    ...named.map((name) => name.toLowerCase()),
    ...connectionHeaders,
    ...encodingHeaders,
  ])
  if (!cookies) dropped.add('set-cookie')
  if (!isBinary) dropped.add('content-type')
  let forwarded = reply<St, A>(status, body)
  for (const [name, value] of headers) {
    if (dropped.has(name) || !Grammar.isHeaderValue(value)) continue
    const isStrong = name === 'etag' && !isBinary && value.startsWith('"')
    forwarded = withHeader(name, isStrong ? `W/${value}` : value)(forwarded)
  }
  return forwarded
}

/** Headers that apply to a single connection (RFC 9110, 7.6.1), and `Date`, which the server sets. */
const connectionHeaders = [
  'connection',
  'proxy-connection',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'proxy-authenticate',
  'proxy-authentication-info',
  'date',
]

/** Headers that describe the encoded body. They are dropped because the body is encoded again. */
const encodingHeaders = [
  'content-length',
  'content-encoding',
  'content-digest',
  'content-range',
  'accept-ranges',
]
