/**
 * The `Authorization` header: an authentication scheme and its credentials.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-11.6.2
 */

/**
 * Returns the credentials of a header value that uses `scheme`, compared case-insensitively. Returns `undefined` if the
 * header is missing or uses another scheme, and an empty string if nothing follows the scheme.
 *
 * ```text
 * credentials = auth-scheme [ 1*SP ( token68 / #auth-param ) ]
 * ```
 */
export const credentials = (header: string | undefined, scheme: string): string | undefined => {
  if (header === undefined) return undefined
  const end = header.indexOf(' ')
  const ownScheme = end < 0 ? header : header.slice(0, end)
  if (ownScheme.toLowerCase() !== scheme.toLowerCase()) return undefined
  return end < 0 ? '' : header.slice(end).replace(/^ +/, '')
}

/** Whether a text is a token68, the form of most credentials. Bearer tokens have the same form (RFC 6750, 2.1). */
export const isToken68 = (text: string): boolean => /^[A-Za-z0-9\-._~+/]+=*$/.test(text)
