/**
 * Generates boundaries for multipart bodies, and parses the headers of parts. Unlike HTTP headers, these MIME headers can be
 * folded and can contain UTF-8.
 *
 * @see https://www.rfc-editor.org/rfc/rfc2046#section-5.1
 * @see https://www.rfc-editor.org/rfc/rfc7578#section-5.1
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as MediaType from './media-type.ts'
import * as Grammar from './grammar.ts'
import * as ContentDisposition from './content-disposition.ts'
import * as Headers from './headers.ts'

/**
 * Generates a boundary with 128 random bits.
 *
 * A streamed body cannot be searched for the boundary in advance. The probability that the boundary occurs by chance is 2^-128
 * for each byte of the body.
 */
export const generateBoundary = (): string =>
  `espalier-${[...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')}`

/**
 * Returns the `boundary` parameter of a media type. Returns `none` if the boundary is missing or too long, or if it contains
 * invalid characters.
 */
export const boundaryOf = (mediaType: MediaType.MediaType | undefined): O.Option<string> =>
  pipe(
    mediaType === undefined ? O.none : MediaType.parameter(mediaType, 'boundary'),
    O.filter((boundary) => /^[\w'()+,\-./:=? ]{0,69}[\w'()+,\-./:=?]$/.test(boundary)),
  )

/**
 * Parses the header section of a part, without the empty line at its end. Returns `none` if a header is malformed. Sections that are
 * not valid UTF-8, such as those with file names in ISO-8859-1, are decoded with `charset`.
 */
export const parse = (section: Uint8Array, charset = 'utf-8'): O.Option<Headers.Headers> => {
  const text = decode(section, utf8) ?? decodeWith(section, charset)
  if (text === undefined) return O.none
  const lines = text === '' ? [] : text.replaceAll(/\r\n[\t ]+/g, ' ').split('\r\n')
  const headers: string[] = []
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0))
    const value = Grammar.trim(line.slice(colon + 1))
    if (!Grammar.isToken(name) || !/^[\t \x21-\x7e\u0080-\uffff]*$/.test(value)) return O.none
    headers.push(name, value)
  }
  return O.some(headers)
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const decode = (bytes: Uint8Array, decoder: typeof utf8): string | undefined => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

const decodeWith = (bytes: Uint8Array, charset: string): string | undefined =>
  charset === 'utf-8' ? undefined : decode(bytes, new TextDecoder(charset, { fatal: true }))

export interface PartHead {
  readonly name: string
  readonly fileName: string | undefined
  /** The parsed `Content-Type` header, or `undefined` if the header is missing or malformed. */
  readonly mediaType: MediaType.MediaType | undefined
  readonly contentType: string | undefined
  readonly charset: string | undefined
  readonly headers: Headers.Headers
}

/** Interprets the headers of a form part. Returns `none` if the part has no name or has multiple `Content-Disposition` headers. */
export const parsePartHead = (headers: Headers.Headers): O.Option<PartHead> => {
  const [disposition, ...others] = Headers.all(headers, 'content-disposition')
  const names = disposition === undefined ? O.none : ContentDisposition.parseFormData(disposition)
  if (O.isNone(names) || others.length > 0) return O.none
  const contentType = Headers.first(headers, 'content-type')
  const mediaType =
    contentType === undefined ? undefined : O.toUndefined(MediaType.parse(contentType))
  const charset =
    mediaType === undefined ? undefined : O.toUndefined(MediaType.parameter(mediaType, 'charset'))
  return O.some({ ...names.value, mediaType, contentType, charset, headers })
}
