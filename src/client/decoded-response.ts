/** Decoded responses: the results of calls. */
import * as Headers from '../http/headers.ts'

/**
 * A decoded response of a service. It is not a `Reply`, so a handler that returns one by accident does not forward it;
 * `forward` converts it.
 */
export interface Answer<St extends number, A> {
  readonly status: St
  /** Alternating names and values, as the transport provides them. `fetch` gives names in lower case and in alphabetical order. */
  readonly headers: Headers.Headers
  /**
   * The decoded body; `undefined` if the status declares or allows none. For 204, it is `null` if the declared codec
   * accepts `null` but not `undefined`.
   */
  readonly body: A
  /** The URL of the response, after redirects. */
  readonly url: string
}

export interface AnyAnswer extends Answer<number, unknown> {}

/**
 * Returns the value of a header; the name is case-insensitive. Several values are joined by `, ` (RFC 9110, 5.3).
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
  ({ headers }: Pick<AnyAnswer, 'headers'>): string | undefined =>
    Headers.combined(headers, name.toLowerCase())
