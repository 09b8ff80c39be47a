/** Defines decoded responses, the results of calls. */
import * as HeaderList from '../http/headers.ts'
import type { ProblemDetails } from './client-error.ts'
import type { ClientResponse } from './exchange.ts'

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
  /**
   * Problem document (RFC 9457) in the response body, or `undefined` if the body is not a problem document. Also available if no
   * body is declared for the status, and with members that the declared codec omits.
   */
  readonly problem: ProblemDetails | undefined
}

/** A decoded response with any status and body. */
export interface AnyDecodedResponse extends DecodedResponse<number, unknown> {}

/** Creates a decoded response. */
export const decodedResponse = (
  { status, headers: list, url }: ClientResponse,
  body: unknown,
): AnyDecodedResponse => {
  const headersOf = lazyHeaders(list)
  return Object.freeze({
    status,
    get headers() {
      return headersOf()
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
  const headersOf = lazyHeaders(list)
  return Object.freeze({
    status,
    get headers() {
      return headersOf()
    },
    body,
    url,
    problem,
  })
}

/**
 * Returns a function that converts a list of headers on the first call, and then returns the same object. Most callers read no
 * headers, and creating `Headers` takes longer than reading a small response.
 */
export const lazyHeaders = (list: HeaderList.Headers): (() => Headers) => {
  let headers: Headers | undefined
  return () => (headers ??= toHeaders(list))
}

/** Converts a list of headers. Headers that `Headers` does not accept, which only `undiciTransport` can receive, are omitted. */
const toHeaders = (list: HeaderList.Headers): Headers => {
  const headers = new Headers()
  for (let index = 0; index < list.length; index += 2)
    try {
      headers.append(list[index] ?? '', list[index + 1] ?? '')
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
