/** Reads the response bodies that every client can read: JSON, text and bytes. */
import * as E from 'fp-ts/lib/Either.js'
import type { BodyOptions, BodyPlan } from '../../body/body-plan.ts'
import { omitInvalidMembers } from '../../endpoint/problem.ts'
import type { JsonReadSettings, JsonSettings, TransformJson } from '../../body/json/json-rules.ts'
import { readJson } from '../../body/json/json-rules.ts'
import type { DecodedBody, ReadBody } from '../../body/read-body.ts'
import { charsetOf, unreadableBody } from '../../body/read-body.ts'
import { decodeText, readText } from '../../body/read-text.ts'
import type { Codec } from '../../codec/codec.ts'
import { partialViewCodec } from '../../codec/visibility/unrestricted.ts'
import { isUtf8Compatible } from '../../http/charset-label.ts'
import { isError, isPromise } from '../../http/platform-value.ts'

/**
 * Limits for JSON in responses. Only the nesting depth is limited here, because `maxBodySize` limits the size. Other
 * limits apply only to requests, because services can return more data than they accept.
 */
export const jsonLimits: Omit<JsonReadSettings, keyof JsonSettings> = {
  undeclared: 'drop',
  bounds: { depth: 500, keys: Infinity },
}
/** Creates a reader for JSON in UTF-8. Properties that a view or a role can hide are optional. */
export const jsonReader = (
  codec: Codec,
  { json }: BodyOptions,
  jsonSettings: JsonSettings,
  transform?: TransformJson,
): ReadBody =>
  readJson(partialViewCodec(codec), { ...jsonLimits, ...jsonSettings }, { json }, transform)

/** Creates a reader for JSON, text or bytes. Returns `undefined` for other representations. */
export const plainReader = (plan: BodyPlan, jsonSettings: JsonSettings): ReadBody | undefined => {
  const { format } = plan
  switch (format._tag) {
    case 'Json':
      return inUtf8(jsonReader(format.codec, plan, jsonSettings))
    case 'Problem':
      return inUtf8(jsonReader(format.codec, plan, jsonSettings, omitInvalidMembers))
    case 'RawJson':
      return inUtf8(readText(undefined))
    case 'Text':
      return readText(format.codec)
    case 'Bytes':
      return E.right
    default:
      return undefined
  }
}

const encoder = new TextEncoder()

/** Wraps a reader that supports only UTF-8. Bodies in other supported charsets are first converted to UTF-8. */
export const inUtf8 =
  (read: ReadBody): ReadBody =>
  (bytes, mediaType) => {
    const charset = charsetOf(mediaType)
    if (isUtf8Compatible(charset)) return read(bytes, mediaType)
    const text = decodeText(bytes, charset)
    return E.isLeft(text) ? text : read(encoder.encode(text.right), undefined)
  }

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
