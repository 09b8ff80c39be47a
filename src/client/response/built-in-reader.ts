/** Reads buffered response bodies in any format. */
import { isHal } from '../../endpoint/representation.ts'
import type { BodyReadOptions } from '../../body/body-format.ts'
import { bodyFormat } from '../../body/body-formats.ts'
import { charsetsOf } from '../../body/body-plan.ts'
import type { BuiltInFormat, BodyOptions, BodyPlan } from '../../body/body-plan.ts'
import type { JsonSettings } from '../../body/json/json-rules.ts'
import type { ReadBody } from '../../body/decode-body.ts'
import { unreadableBody } from '../../body/decode-body.ts'
import type { Codec } from '../../codec/codec.ts'
import { partialViewCodec } from '../../codec/visibility/unrestricted.ts'
import { decodeText, readText } from '../../body/read-text.ts'
import { readJson } from '../../body/json/json-rules.ts'
import { inUtf8, jsonLimits } from './plain-reader.ts'

const readLimits: Omit<BodyReadOptions, keyof JsonSettings | 'json'> = {
  ...jsonLimits,
  visibility: undefined,
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
): ReadBody => readJson(partialViewCodec(codec), { ...jsonLimits, ...jsonSettings }, { json })

/**
 * Creates a reader for a buffered body. Returns `undefined` if the client does not read the representation as a whole.
 */
export const bodyReader = (plan: BodyPlan, jsonSettings: JsonSettings): ReadBody | undefined => {
  const { format, json } = plan
  if (format._tag === 'Provider') return undefined
  const { reader } = bodyFormat(withPartialViews(format))
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

/** Makes properties optional if a view or a role can hide them. */
const withPartialViews = (format: BuiltInFormat): BuiltInFormat => {
  if (isHal(format)) return { ...format, codec: partialViewCodec(format.codec) }
  switch (format._tag) {
    case 'Json':
    case 'Problem':
    case 'Xml':
    case 'Data':
      return { ...format, codec: partialViewCodec(format.codec) }
    default:
      return format
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
