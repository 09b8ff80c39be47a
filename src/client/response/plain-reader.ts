/** Reads the response bodies that every client can read: JSON, text and bytes. */
import * as E from 'fp-ts/lib/Either.js'
import type { BodyPlan } from '../../body/body-plan.ts'
import type { JsonReadSettings, JsonSettings } from '../../body/json/json-rules.ts'
import type {
  DecodedBody,
  ReadBody,
  ReadResult,
  DecodeText,
  TransformJson,
} from '../../body/decode-body.ts'
import {
  charsetOf,
  unreadableBody,
  decodeUtf8,
  jsonReader,
  plainParser,
  textReader,
} from '../../body/decode-body.ts'
import type { Codec } from '../../codec/codec.ts'
import { compileCodec } from '../../codec/compiled/compiled-codec.ts'
import { partialViewOf } from '../../codec/visibility/visibility.ts'
import { omitInvalidMembers } from '../../endpoint/problem.ts'
import { charsetName, isUtf8Compatible } from '../../body/charset.ts'
import { isError, isPromise } from '../../http/platform-value.ts'

/**
 * Limits for JSON in responses. Only the nesting depth is limited here, because `maxBodySize` limits the size. Other
 * limits apply only to requests, because services can return more data than they accept.
 */
export const jsonLimits: Omit<JsonReadSettings, keyof JsonSettings> = {
  undeclared: 'drop',
  bounds: { depth: 500, keys: Infinity },
}
/** The functions that read text in charsets other than UTF-8. */
export interface TextSupport {
  readonly readText: (codec: Codec | undefined) => ReadBody
  readonly decodeText: DecodeText
}

/** Returns the functions that read text in charsets other than UTF-8, or a promise for them. */
export type LoadText = () => TextSupport | Promise<TextSupport>

/**
 * Creates a reader for JSON, text or bytes. Returns `undefined` for other representations. The functions for other charsets are loaded
 * with the first body that needs them.
 */
export const plainReader = (
  { format }: BodyPlan,
  jsonSettings: JsonSettings,
  load: LoadText,
): ReadBody | undefined => {
  switch (format._tag) {
    case 'Json':
      return inUtf8(plainJson(format.codec, jsonSettings), load)
    case 'Problem':
      return inUtf8(plainJson(format.codec, jsonSettings, omitInvalidMembers), load)
    case 'RawJson':
      return inUtf8(textReader(undefined, decodeUtf8), load)
    case 'Text':
      return inAnyCharset(format.codec, load)
    case 'Bytes':
      return E.right
    default:
      return undefined
  }
}

const plainJson = (
  codec: Codec,
  { backEnd }: JsonSettings,
  transform?: TransformJson,
): ReadBody => {
  const compiled = compileCodec(codec, jsonLimits.undeclared, backEnd, partialViewOf(codec))
  return jsonReader(compiled, plainParser(compiled, jsonLimits.bounds), transform)
}

const inAnyCharset = (codec: Codec | undefined, load: LoadText): ReadBody => {
  const readUtf8 = textReader(codec, decodeUtf8)
  return (bytes, mediaType) =>
    charsetName(charsetOf(mediaType)) === 'utf-8'
      ? readUtf8(bytes, mediaType)
      : whenAvailable(load(), ({ readText }) => readText(codec)(bytes, mediaType))
}

const encoder = new TextEncoder()

/** Wraps a reader that supports only UTF-8. Bodies in other supported charsets are first converted to UTF-8. */
export const inUtf8 =
  (read: ReadBody, load: LoadText): ReadBody =>
  (bytes, mediaType) => {
    const charset = charsetOf(mediaType)
    if (isUtf8Compatible(charset)) return read(bytes, mediaType)
    return whenAvailable(load(), ({ decodeText }) => {
      const text = decodeText(bytes, charset)
      return E.isLeft(text) ? text : read(encoder.encode(text.right), undefined)
    })
  }

const whenAvailable = (
  support: TextSupport | Promise<TextSupport>,
  read: (support: TextSupport) => ReadResult,
): ReadResult => (isPromise(support) ? support.then(read) : read(support))

/** Converts exceptions thrown by custom codecs to failures. */
export const catchErrors = (read: ReadBody | undefined): ReadBody | undefined =>
  read === undefined
    ? undefined
    : (data, mediaType) => {
        try {
          const result = read(data, mediaType)
          return isPromise(result) ? result.catch(failed) : result
        } catch (error) {
          return failed(error)
        }
      }

const failed = (error: unknown): DecodedBody => unreadableBody(messageOf(error), error)

/** Returns the message of an error of a reader. */
export const messageOf = (error: unknown): string =>
  isError(error) ? error.message : 'the body cannot be read'
