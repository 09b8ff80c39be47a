/**
 * Content codings: the values of the `Content-Encoding` header.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1
 */

/** Codings that compress. `deflate` is the zlib format (RFC 1950), `zstd` is that of RFC 8878. */
export const contentCodings = ['gzip', 'deflate', 'br', 'zstd'] as const

export type ContentCoding = (typeof contentCodings)[number]

export const isContentCoding = (name: unknown): name is ContentCoding =>
  contentCodings.some((coding) => coding === name)
