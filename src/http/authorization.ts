/**
 * The `Authorization` field: a scheme, and what it calls credentials.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-11.6.2
 */

/**
 * The credentials that a field has for a scheme, which is compared without regard to case; `undefined` when it has another
 * scheme, or is missing, and empty when nothing stands behind the scheme.
 *
 * ```text
 * credentials = auth-scheme [ 1*SP ( token68 / #auth-param ) ]
 * ```
 */
export const credentials = (header: string | undefined, scheme: string): string | undefined => {
  if (header === undefined) return undefined
  const end = header.indexOf(' ')
  const named = end < 0 ? header : header.slice(0, end)
  if (named.toLowerCase() !== scheme.toLowerCase()) return undefined
  return end < 0 ? '' : header.slice(end).replace(/^ +/, '')
}

/** Whether the text is a token68, the form of most credentials; that of Bearer tokens is the same (RFC 6750, 2.1). */
export const isToken68 = (text: string): boolean => /^[A-Za-z0-9\-._~+/]+=*$/.test(text)
