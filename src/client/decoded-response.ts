/** Defines decoded responses, the results of calls. */
import * as Headers from '../http/headers.ts'
import type { ProblemDetails } from './client-error.ts'

/**
 * A decoded response from a service.
 *
 * A decoded response is not a `Reply`. A handler that accidentally returns one therefore does not forward it. To
 * convert a decoded response to a reply, use `forward`.
 */
export interface DecodedResponse<St extends number, A> {
  readonly status: St
  /**
   * Alternating header names and values, as provided by the transport. With `fetch`, names are in lowercase and sorted
   * alphabetically.
   */
  readonly headers: Headers.Headers
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

/**
 * Returns a function that reads a header from a response.
 *
 * The header name is case-insensitive. If the header is missing, the function returns `undefined`. The values of a
 * repeated header are joined with `, ` (RFC 9110, 5.3).
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { headerOf } from 'espalier/client'
 *
 * const response = { status: 200, headers: ['ETag', '"1"'], body: 1, url: 'http://localhost/' }
 *
 * assert.equal(headerOf('etag')(response), '"1"')
 * assert.equal(headerOf('link')(response), undefined)
 * ```
 */
export const headerOf =
  (name: string) =>
  ({ headers }: Pick<AnyDecodedResponse, 'headers'>): string | undefined =>
    Headers.combined(headers, name.toLowerCase())
