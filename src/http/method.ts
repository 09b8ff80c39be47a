/**
 * Properties of request methods.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-9.2
 * @see https://www.rfc-editor.org/rfc/rfc10008#section-2
 */

/** The safe methods, which change nothing. */
export const safeMethods: ReadonlyArray<string> = ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY']

/** Whether the response to a method represents the target resource, or, for QUERY, the result of the query. */
export const isRead = (method: string | undefined): boolean =>
  method === 'GET' || method === 'HEAD' || method === 'QUERY'

/** Whether a method supports range requests (RFC 9110, 14.2; RFC 10008, 2.8). */
export const acceptsRanges = (method: string | undefined): boolean =>
  method === 'GET' || method === 'QUERY'

/** The idempotent methods: several equal requests have the same effect as one. */
export const idempotentMethods: ReadonlyArray<string> = [...safeMethods, 'PUT', 'DELETE']

/**
 * The methods defined in RFC 9110, 9.3, PATCH (RFC 5789) and QUERY (RFC 10008). Other registered methods are those of extensions, such as WebDAV.
 */
export const standardMethods: ReadonlyArray<string> = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'CONNECT',
  'OPTIONS',
  'TRACE',
  'PATCH',
  'QUERY',
]
