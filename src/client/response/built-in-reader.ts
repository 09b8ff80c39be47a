/** Reads buffered response bodies in any format. */
import type { BodyReadOptions } from '../../body/body-format.ts'
import { bodyFormat } from '../../body/body-formats.ts'
import type { BodyOptions, BodyPlan } from '../../body/body-plan.ts'
import { charsetsOf, partialRules } from '../../body/body-plan.ts'
import type { JsonSettings } from '../../body/json/json-rules.ts'
import type { ReadBody } from '../../body/decode-body.ts'
import { unreadableBody } from '../../body/decode-body.ts'
import type { Codec } from '../../codec/codec.ts'
import { decodeText, readText } from '../../body/read-text.ts'
import { readJson } from '../../body/json/json-rules.ts'
import { inUtf8, jsonLimits } from './plain-reader.ts'

const readLimits: Omit<BodyReadOptions, keyof JsonSettings | 'json'> = {
  ...jsonLimits,
  // properties that a view or a role can hide are optional
  visibility: partialRules,
  keepsLinks: true,
  xml: { depth: 500, rejectsUndeclared: false, sizeFailure: () => undefined },
  form: { fields: Infinity, fieldsName: '', fieldSize: Infinity, fieldSizeName: '' },
}

const allText = () => ({ decodeText, readText })

/** Creates a reader for JSON in UTF-8. Properties that a view or a role can hide are optional. */
export const jsonReader = (
  codec: Codec,
  { json }: BodyOptions,
  jsonSettings: JsonSettings,
): ReadBody =>
  readJson(codec, { ...jsonLimits, ...jsonSettings }, { json, visibility: partialRules })

/**
 * Creates a reader for a buffered body. Returns `undefined` if the client does not read the representation as a whole.
 */
export const bodyReader = (plan: BodyPlan, jsonSettings: JsonSettings): ReadBody | undefined => {
  const { format, json } = plan
  if (format._tag === 'Provider') return undefined
  const { reader } = bodyFormat(format)
  const read = reader?.({ ...readLimits, ...jsonSettings, json })
  if (read === undefined) return undefined
  switch (charsetsOf(format)) {
    case 'ascii':
    case 'utf-8':
      return inUtf8(read, allText)
    case 'custom':
      return withoutErrors(read)
    default:
      return read
  }
}

/**
 * Converts exceptions thrown by a custom read function to failures. This includes `HttpError`, which has a special
 * meaning only on a server.
 */
const withoutErrors =
  (read: ReadBody): ReadBody =>
  (bytes, mediaType) => {
    try {
      return read(bytes, mediaType)
    } catch (error) {
      return unreadableBody('the body cannot be read', error)
    }
  }
