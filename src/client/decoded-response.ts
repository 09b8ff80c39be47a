/** Defines decoded responses, which are the results of calls. */
import * as Headers from '../http/headers.ts'

/**
 * A decoded response from a service.
 *
 * A decoded response is not a `Reply`, so a handler that returns one by accident does not forward it. To convert a
 * decoded response to a reply, use `forward`.
 */
export interface DecodedResponse<St extends number, A> {
  readonly status: St
  /**
   * Alternating header names and values, as the transport provides them. With `fetch`, the names are in lower case and
   * in alphabetical order.
   */
  readonly headers: Headers.Headers
  /**
   * The decoded body, or `undefined` if the status declares or allows no body. For 204, the body is `null` if the
   * declared codec accepts `null` but not `undefined`.
   */
  readonly body: A
  /** The URL of the response, after any redirects. */
  readonly url: string
}

/** A decoded response with any status and body. */
export interface AnyDecodedResponse extends DecodedResponse<number, unknown> {}

/**
 * Returns a function that gets the value of a header from a response, or `undefined` if the header is missing. The name
 * is case-insensitive. If the header occurs more than once, the values are joined by `, ` (RFC 9110, 5.3).
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
