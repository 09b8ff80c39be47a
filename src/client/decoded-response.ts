/**
 * Answers: what a service said to a call, decoded. They bear nothing of a server's reply, so that a handler which returns one
 * by accident does not answer with it; `forward` makes a reply of one on purpose.
 */
import * as Headers from '../http/headers.ts'

export interface Answer<St extends number, A> {
  readonly status: St
  /** Names and values in turn, as the transport has them: `fetch` gives names in lower case, and in alphabetical order. */
  readonly headers: Headers.Headers
  /** The content; `undefined` where none is declared, or none can be. Of a 204, `null` where that is a value and `undefined` is none. */
  readonly body: A
  /** The URL that answered. */
  readonly url: string
}

export interface AnyAnswer extends Answer<number, unknown> {}

/**
 * The value of a header field, in any case; of several with one name all, joined by `, ` (RFC 9110, 5.3).
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { headerOf } from 'espalier/client'
 *
 * const answer = { status: 200, headers: ['ETag', '"1"'], body: 1, url: 'http://localhost/' }
 *
 * assert.equal(headerOf('etag')(answer), '"1"')
 * assert.equal(headerOf('link')(answer), undefined)
 * ```
 */
export const headerOf =
  (name: string) =>
  ({ headers }: Pick<AnyAnswer, 'headers'>): string | undefined =>
    Headers.combined(headers, name.toLowerCase())
