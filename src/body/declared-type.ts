/** Parses the media types declared by representations. */
import * as O from 'fp-ts/lib/Option.js'
import * as Headers from '../http/headers.ts'
import * as MediaType from '../http/media-type.ts'
import * as Quality from '../http/quality.ts'

/** A media type or media range declared by a representation. */
export interface DeclaredType {
  /** The media type without the `qs` parameter. */
  readonly mediaType: MediaType.MediaType
  /** The weight that the server declares for the media type with the `qs` parameter. Default: the highest weight. */
  readonly quality: Quality.Quality
  /** The value of the `Content-Type` header. */
  readonly contentType: string
}

/**
 * Parses a declared media type or media range. Returns `undefined` if the string is invalid.
 *
 * A subtype that contains an asterisk must be `*`. For example, `application/*+json` is invalid. Results are memoized, because a
 * route tree contains only a few different media types.
 */
export const parseDeclaredType: (text: string) => DeclaredType | undefined = Headers.memoizeHeader(
  (text = '') => {
    const parsed = MediaType.parse(text)
    if (O.isNone(parsed) || /.\*|\*./.test(parsed.value.subtype)) return undefined
    const qs = O.toUndefined(MediaType.parameter(parsed.value, 'qs'))
    const quality = qs === undefined ? O.some(Quality.mostPreferred) : Quality.parse(qs)
    if (O.isNone(quality)) return undefined
    const mediaType = withoutWeight(parsed.value)
    return {
      mediaType,
      quality: quality.value,
      contentType: contentTypeOf(qs === undefined ? text : MediaType.format(mediaType), mediaType),
    }
  },
)

const withoutWeight = (mediaType: MediaType.MediaType): MediaType.MediaType => ({
  ...mediaType,
  parameters: mediaType.parameters.filter(([name]) => name !== 'qs'),
})

/**
 * Returns the `Content-Type` header for a media type. Adds `charset=UTF-8` to `text` types without a charset, except for event
 * streams.
 *
 * Event streams and JSON (RFC 8259, 11) need no `charset` parameter, because they are always encoded in UTF-8.
 */
export const contentTypeOf = (text: string, mediaType: MediaType.MediaType): string =>
  mediaType.type === 'text' &&
  mediaType.subtype !== 'event-stream' &&
  O.isNone(MediaType.parameter(mediaType, 'charset'))
    ? `${text};charset=UTF-8`
    : text
