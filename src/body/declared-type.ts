/** Parses the media types that representations declare, and memoizes functions that take a header value. */
import * as O from 'fp-ts/lib/Option.js'
import * as MediaType from '../http/media-type.ts'
import * as Quality from '../http/quality.ts'

/** Maximum number of memoized header values. When the cache is full, it is cleared. */
const maxEntries = 256
/** Maximum length of a memoized header value. */
const maxLength = 512

/** Memoizes a pure function of a header value, with a bounded cache. */
export const memoizeHeader = <B>(
  f: (text: string | undefined) => B,
): ((text: string | undefined) => B) => {
  const cache = new Map<string | undefined, CacheEntry<B>>()
  let latest: CacheEntry<B> | undefined
  return (text) => {
    // V8 has not hashed a string from a request yet: comparing 140 characters takes 10 ns, and a lookup takes 170 ns
    if (latest !== undefined && latest.text === text) return latest.result
    const cached = cache.get(text)
    if (cached !== undefined) return (latest = cached).result
    const result = f(text)
    if (text !== undefined && text.length > maxLength) return result
    if (cache.size >= maxEntries) cache.clear()
    latest = { text, result }
    cache.set(text, latest)
    return result
  }
}

interface CacheEntry<B> {
  readonly text: string | undefined
  readonly result: B
}

/** A media type or range that a representation declares. */
export interface DeclaredType {
  /** The media type without the parameter `qs`. */
  readonly mediaType: MediaType.MediaType
  /** The weight that the server assigns to the media type. The parameter `qs` declares this weight. */
  readonly quality: Quality.Quality
  /** The value that is sent in the `Content-Type` header. */
  readonly contentType: string
}

/**
 * Parses a declared media type or range. Returns `undefined` if the string is invalid. An asterisk must be the whole subtype, so
 * `application/*+json` is invalid. Results are memoized, because a route tree repeats a few media types.
 */
export const parseDeclaredType: (text: string) => DeclaredType | undefined = memoizeHeader(
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
 * Adds `charset=UTF-8` to text types that have no charset. JSON (RFC 8259, 11) and event streams are always UTF-8 and need no
 * parameter.
 */
export const contentTypeOf = (text: string, mediaType: MediaType.MediaType): string =>
  mediaType.type === 'text' &&
  mediaType.subtype !== 'event-stream' &&
  O.isNone(MediaType.parameter(mediaType, 'charset'))
    ? `${text};charset=UTF-8`
    : text
