/**
 * Boundaries: what delimits the parts of multipart content.
 *
 * @see https://www.rfc-editor.org/rfc/rfc2046#section-5.1.1
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as MediaType from './media-type.ts'

/**
 * A delimiter of parts. What is streamed cannot be searched for it before, so it is a text that nobody can foresee: 128 random
 * bits occur in no content but by a chance of 2^-128 for each of its octets.
 */
export const generate = (): string =>
  `espalier-${[...crypto.getRandomValues(new Uint8Array(16))]
    .map((octet) => octet.toString(16).padStart(2, '0'))
    .join('')}`

/** The one that a media type states: at most 70 characters of a few. */
export const ofMediaType = (stated: MediaType.MediaType | undefined): O.Option<string> =>
  pipe(
    stated === undefined ? O.none : MediaType.parameter(stated, 'boundary'),
    O.filter((boundary) => /^[\w'()+,\-./:=? ]{0,69}[\w'()+,\-./:=?]$/.test(boundary)),
  )
