/**
 * Content codings: how the octets of a representation are transformed on their way, said by `Content-Encoding`.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1
 */

/** Those that compress. `deflate` is the zlib format of RFC 1950, `zstd` that of RFC 8878. */
export const contentCodings = ['gzip', 'deflate', 'br', 'zstd'] as const

export type ContentCoding = (typeof contentCodings)[number]

export const isContentCoding = (name: unknown): name is ContentCoding =>
  contentCodings.some((coding) => coding === name)
