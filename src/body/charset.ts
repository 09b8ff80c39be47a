/**
 * Parses the media types declared by representations, and encodes text in their charset: UTF-8, US-ASCII or ISO-8859-1. Declaring any
 * other charset is a configuration error. Setting any other charset on a reply causes an internal error.
 *
 * Bytes and files can have any charset and are sent unchanged, because the application encodes them.
 */
import type { AnyRepresentation } from '../endpoint/representation.ts'
import { charsetsOf, nestedIn } from './body-plan.ts'
import { memoizeHeader } from '../http/headers.ts'
import * as O from 'fp-ts/lib/Option.js'
import * as MediaType from '../http/media-type.ts'
import type { Charsets, BodyPlan } from './body-plan.ts'
import * as Headers from '../http/headers.ts'
import * as Quality from '../http/quality.ts'

/** Encodes text. Throws a `TypeError` if the charset cannot represent a character. */
export type Encode = (text: string) => Uint8Array

/** A body format and its media type. */
export type TypedFormat = Pick<BodyPlan, 'mediaType' | 'format'>

/**
 * Returns a function that encodes text in the declared charset. Returns `undefined` if the charset is UTF-8 or the body is
 * binary.
 *
 * Throws a `TypeError` if the charset is not supported. For a body that is written by application code, the returned function
 * throws this error instead.
 */
export const encodingOf = ({ mediaType, format }: TypedFormat): Encode | undefined => {
  const charset = charsetOfMediaType(mediaType)
  const charsets = charsetsOf(format)
  if (charset === undefined || charsets === 'binary') return undefined
  const encode = encoders.get(charset)
  if (encode !== undefined && supports(charsets, charset)) return encode
  const error = new TypeError(remedyFor(mediaType, charsets))
  // an application function may return bytes, which need no encoding
  if (charsets !== 'custom') throw error
  return () => {
    throw error
  }
}

/**
 * Returns a phrase that describes how to fix an unsupported charset. Returns `undefined` if the declared charset is supported or
 * if the application can provide bodies in this format as bytes.
 */
const charsetRemedy = ({ mediaType, format }: TypedFormat): string | undefined => {
  const charset = charsetOfMediaType(mediaType)
  const charsets = charsetsOf(format)
  if (charset === undefined || charsets === 'binary' || charsets === 'custom') return undefined
  return encoders.has(charset) && supports(charsets, charset)
    ? undefined
    : remedyFor(mediaType, charsets)
}

/** Encodes text in the charset declared by a `Content-Type` header. Throws a `TypeError` if the charset is not supported. */
export const encodeFor = (contentType: string, text: string): string | Uint8Array => {
  const encode = encodingFor(contentType)
  return encode === undefined ? text : encode(text)
}

const encodingFor = memoizeHeader((contentType = ''): Encode | undefined => {
  const mediaType = O.toUndefined(MediaType.parse(contentType))
  return mediaType && encodingOf({ mediaType, format: plainText })
})

const plainText: TypedFormat['format'] = { _tag: 'Text', codec: undefined }

/** Returns the name of the charset declared by a media type. Returns `undefined` for UTF-8, which is the default. */
export const charsetOfMediaType = (mediaType: MediaType.MediaType): string | undefined => {
  if (mediaType.parameters.length === 0) return undefined
  const charset = O.getOrElse(() => 'utf-8')(MediaType.parameter(mediaType, 'charset'))
  const name = charsetName(charset)
  return name === 'utf-8' ? undefined : name
}

const remedyFor = (mediaType: MediaType.MediaType, charsets: Charsets): string => {
  const supported =
    charsets === 'utf-8'
      ? 'UTF-8'
      : charsets === 'ascii'
        ? 'UTF-8 or US-ASCII'
        : 'UTF-8, US-ASCII or ISO-8859-1'
  return `unsupported charset in ${MediaType.format(mediaType)}: use ${supported}, or declare the body as bytes`
}

/** Whether `charsets` includes `charset`, which must be US-ASCII or ISO-8859-1. */
const supports = (charsets: Charsets, charset: string): boolean =>
  charsets === 'ascii' ? charset === 'us-ascii' : charsets !== 'utf-8'

const encoding =
  (charset: string, supported: RegExp): Encode =>
  (text) => {
    if (!supported.test(text))
      throw new TypeError(`the text contains characters that cannot be encoded in ${charset}`)
    return Uint8Array.from(text, (character) => character.charCodeAt(0))
  }

const encoders: ReadonlyMap<string, Encode> = new Map([
  ['us-ascii', encoding('US-ASCII', /^[\0-\x7f]*$/)],
  // C1 controls are excluded, because the WHATWG Encoding Standard decodes ISO-8859-1 as windows-1252
  ['iso-8859-1', encoding('ISO-8859-1', /^[\0-\x7f\xa0-\xff]*$/)],
])

/**
 * Returns phrases that describe how to fix charsets that are not supported for sending. Nested event data and form parts are
 * also checked.
 */
export const charsetErrors = (
  representations: ReadonlyArray<AnyRepresentation>,
): ReadonlyArray<string> => representations.flatMap(remediesOf)

const remediesOf = ({ mediaType, format }: AnyRepresentation): ReadonlyArray<string> => {
  const declared = parseDeclaredType(mediaType)
  // readers and writers determine the media types of entities
  if (declared === undefined || format._tag === 'Entity') return none
  const remedy = charsetRemedy({ mediaType: declared.mediaType, format })
  const nested = nestedIn(format)
  const nestedRemedies =
    format._tag === 'EventStream' ? nested.flatMap(eventDataRemedies) : charsetErrors(nested)
  return remedy === undefined ? nestedRemedies : [remedy, ...nestedRemedies]
}

/**
 * Returns phrases that describe how to fix unsupported charsets in event data. Event streams are encoded in UTF-8. The charset of
 * event data must therefore be UTF-8 or its subset US-ASCII.
 */
const eventDataRemedies = (data: AnyRepresentation): ReadonlyArray<string> => {
  const declared = parseDeclaredType(data.mediaType)
  const charset = declared === undefined ? undefined : charsetOfMediaType(declared.mediaType)
  return charset === undefined || charset === 'us-ascii'
    ? remediesOf(data)
    : [`${data.mediaType}: event streams are always encoded in UTF-8, so omit the charset`]
}

const none: ReadonlyArray<never> = []

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

/**
 * The charsets by name, with their other labels in the Encoding Standard. All labels are in lower case. Only the charsets that the package
 * itself reads or writes are listed. All other charsets are left to `TextDecoder`.
 *
 * The Encoding Standard has one decoder for US-ASCII, ISO-8859-1 and windows-1252. They are distinct here, because text must not
 * be encoded in characters that its announced charset does not have.
 *
 * @see https://encoding.spec.whatwg.org/#names-and-labels
 */
const labels: Readonly<Record<string, ReadonlyArray<string>>> = {
  'utf-8': ['utf8', 'unicode-1-1-utf-8', 'unicode11utf8', 'unicode20utf8', 'x-unicode20utf8'],
  'us-ascii': ['ascii', 'ansi_x3.4-1968'],
  // prettier-ignore
  'iso-8859-1': [
    'cp819', 'csisolatin1', 'ibm819', 'iso-ir-100', 'iso8859-1', 'iso88591', 'iso_8859-1', 'iso_8859-1:1987', 'l1', 'latin1',
  ],
}

const names: ReadonlyMap<string, string> = new Map(
  Object.entries(labels).flatMap(([name, others]) => others.map((label) => [label, name] as const)),
)

/**
 * Returns the name of the charset with the given label: `utf-8`, `us-ascii` or `iso-8859-1`. Any other label is returned in lower
 * case.
 */
export const charsetName = (label: string): string => {
  const lowerCaseLabel = label.toLowerCase()
  return names.get(lowerCaseLabel) ?? lowerCaseLabel
}

/** Whether text in the charset with the given label can be decoded as UTF-8. */
export const isUtf8Compatible = (label: string): boolean => {
  const name = charsetName(label)
  return name === 'utf-8' || name === 'us-ascii'
}
