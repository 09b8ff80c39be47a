/**
 * Boundaries: the delimiters of parts in a multipart body.
 *
 * @see https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as MediaType from './media-type.ts'

/**
 * Generates a boundary with 128 random bits.
 *
 * A streamed body cannot be searched for the boundary beforehand. At each byte, the boundary occurs by chance with a
 * probability of 2^-128.
 */
export const generate = (): string =>
  `espalier-${[...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')}`

/** Returns the `boundary` parameter of a media type. Returns `none` if it is missing, too long, or has invalid characters. */
export const ofMediaType = (mediaType: MediaType.MediaType | undefined): O.Option<string> =>
  pipe(
    mediaType === undefined ? O.none : MediaType.parameter(mediaType, 'boundary'),
    O.filter((boundary) => /^[\w'()+,\-./:=? ]{0,69}[\w'()+,\-./:=?]$/.test(boundary)),
  )
