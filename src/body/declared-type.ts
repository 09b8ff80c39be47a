/** Parses the declared media types of representations. */
import * as O from 'fp-ts/lib/Option.js'
import * as MediaType from '../http/media-type.ts'
import * as Quality from '../http/quality.ts'
import { memoizeHeader } from './memoize-header.ts'

export interface DeclaredType {
  /** Without the weight. */
  readonly mediaType: MediaType.MediaType
  /** The weight of the server, declared by the parameter `qs`, which is not part of the media type. */
  readonly quality: Quality.Quality
  /** The value of `Content-Type`. */
  readonly contentType: string
}

/**
 * Parses a declared media type or range. Returns `undefined` if it is invalid. An asterisk must be the whole subtype: no
 * message has the type `application/*+json`. Memoized, because a tree has few media types, each of them many times.
 */
export const parseDeclaredType: (written: string) => DeclaredType | undefined = memoizeHeader(
  (written = '') => {
    const parsed = MediaType.parse(written)
    if (O.isNone(parsed) || /.\*|\*./.test(parsed.value.subtype)) return undefined
    const qs = O.toUndefined(MediaType.parameter(parsed.value, 'qs'))
    const quality = qs === undefined ? O.some(Quality.mostPreferred) : Quality.parse(qs)
    if (O.isNone(quality)) return undefined
    const mediaType = unweighted(parsed.value)
    return {
      mediaType,
      quality: quality.value,
      contentType: contentTypeOf(
        qs === undefined ? written : MediaType.format(mediaType),
        mediaType,
      ),
    }
  },
)

const unweighted = (mediaType: MediaType.MediaType): MediaType.MediaType => ({
  ...mediaType,
  parameters: mediaType.parameters.filter(([name]) => name !== 'qs'),
})

/** Adds `charset=UTF-8` to text types. JSON (RFC 8259, 11) and event streams have no other encoding and need no parameter. */
export const contentTypeOf = (written: string, mediaType: MediaType.MediaType): string =>
  mediaType.type === 'text' &&
  mediaType.subtype !== 'event-stream' &&
  O.isNone(MediaType.parameter(mediaType, 'charset'))
    ? `${written};charset=UTF-8`
    : written
