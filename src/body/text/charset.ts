/**
 * The encoding of text that is written. The announced charset is the one that is written: UTF-8, US-ASCII or ISO-8859-1. Any
 * other declared charset is a configuration error; one that a reply sets is an internal error.
 *
 * Bytes and files are sent unchanged, whatever their charset: the application encodes them.
 */
import type { AnyRepresentation } from '../../endpoint/representation.ts'
import { bodyFormat } from '../body-formats.ts'
import { parseDeclaredType } from '../declared-type.ts'
import * as O from 'fp-ts/lib/Option.js'
import * as MediaType from '../../http/media-type.ts'
import type { Charsets } from '../body-format.ts'
import type { BodyPlan } from '../body-plan.ts'
import { memoizeHeader } from '../memoize-header.ts'

/** Encodes text. Throws a `TypeError` for a character that the charset does not have. */
export type Encode = (text: string) => Uint8Array

/** A media type and how values travel under it. */
export type TypedFormat = Pick<BodyPlan, 'mediaType' | 'format'>

/** Returns how text is encoded; `undefined` for UTF-8 and for bytes. Throws a `TypeError` for a charset that is not supported. */
export const encodingOf = (content: TypedFormat): Encode | undefined => {
  const charset = charsetOfMediaType(content.mediaType)
  const { charsets } = bodyFormat(content.format)
  if (charset === undefined || charsets === 'binary') return undefined
  const encode = encoders.get(charset)
  if (encode !== undefined && supports(charsets, charset)) return encode
  const error = new TypeError(remedyFor(content.mediaType, charsets))
  // a function of the application may return bytes, which need no encoding
  if (charsets !== 'custom') throw error
  return () => {
    throw error
  }
}

/** The remedy for a declared charset that cannot be written. */
export const charsetRemedy = (content: TypedFormat): string | undefined => {
  const charset = charsetOfMediaType(content.mediaType)
  const { charsets } = bodyFormat(content.format)
  if (charset === undefined || charsets === 'binary' || charsets === 'custom') return undefined
  return encoders.has(charset) && supports(charsets, charset)
    ? undefined
    : remedyFor(content.mediaType, charsets)
}

/** Encodes text for a `Content-Type` that may name any charset. */
export const encodeFor = (contentType: string, text: string): string | Uint8Array => {
  const encode = encodingFor(contentType)
  return encode === undefined ? text : encode(text)
}

const encodingFor = memoizeHeader((contentType = ''): Encode | undefined => {
  const mediaType = O.toUndefined(MediaType.parse(contentType))
  return mediaType && encodingOf({ mediaType, format: plainText })
})

const plainText: TypedFormat['format'] = { _tag: 'Text', codec: undefined }

/** Returns the charset of a media type in lower case; `undefined` for UTF-8, which is the default. */
export const charsetOfMediaType = (mediaType: MediaType.MediaType): string | undefined => {
  if (mediaType.parameters.length === 0) return undefined
  const charset = O.toUndefined(MediaType.parameter(mediaType, 'charset'))
  return charset === 'utf-8' || charset === 'utf8' ? undefined : charset
}

const remedyFor = (mediaType: MediaType.MediaType, charsets: Charsets): string => {
  const supported =
    charsets === 'utf-8'
      ? 'UTF-8'
      : charsets === 'ascii'
        ? 'UTF-8 or US-ASCII'
        : 'UTF-8, US-ASCII or ISO-8859-1'
  return `${MediaType.format(mediaType)}: the charset must be ${supported}, or the body must be bytes`
}

/** Whether text may be written in a charset other than UTF-8. */
const supports = (charsets: Charsets, charset: string): boolean =>
  charsets === 'ascii' ? ascii.has(charset) : charsets !== 'utf-8'

const encoding =
  (charset: string, has: RegExp): Encode =>
  (text) => {
    if (!has.test(text))
      throw new TypeError(`the text has characters that ${charset} does not have`)
    return Uint8Array.from(text, (character) => character.charCodeAt(0))
  }

const ascii: ReadonlySet<string> = new Set(['us-ascii', 'ascii'])
const usAscii = encoding('US-ASCII', /^[\0-\x7f]*$/)
// without C1 controls: readers by the WHATWG Encoding Standard take ISO-8859-1 for windows-1252
const latin1 = encoding('ISO-8859-1', /^[\0-\x7f\xa0-\xff]*$/)

const encoders: ReadonlyMap<string, Encode> = new Map([
  ['us-ascii', usAscii],
  ['ascii', usAscii],
  ['iso-8859-1', latin1],
  ['iso_8859-1', latin1],
  ['latin1', latin1],
])

/** Checks representations that are written, with the data of their events and the fields of their forms. */
export const charsetErrors = (
  representations: ReadonlyArray<AnyRepresentation>,
): ReadonlyArray<string> => representations.flatMap(remedies)

const remedies = ({ mediaType, format }: AnyRepresentation): ReadonlyArray<string> => {
  const declared = parseDeclaredType(mediaType)
  // readers and writers decide about the media types of entities
  if (declared === undefined || format._tag === 'Entity') return none
  const remedy = charsetRemedy({ mediaType: declared.mediaType, format })
  const { nested } = bodyFormat(format)
  const inside = format._tag === 'EventStream' ? nested.flatMap(eventData) : charsetErrors(nested)
  return remedy === undefined ? inside : [remedy, ...inside]
}

/** Event streams are UTF-8, so their data must be UTF-8, or US-ASCII as a subset. */
const eventData = (data: AnyRepresentation): ReadonlyArray<string> => {
  const declared = parseDeclaredType(data.mediaType)
  const charset = declared === undefined ? undefined : charsetOfMediaType(declared.mediaType)
  return charset === undefined || charset === 'us-ascii'
    ? remedies(data)
    : [`${data.mediaType}: event streams are UTF-8: omit the charset`]
}

const none: ReadonlyArray<never> = []
