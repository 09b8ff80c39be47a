/** Defines decoded responses, the results of calls. */
import * as Headers from '../http/headers.ts'

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
