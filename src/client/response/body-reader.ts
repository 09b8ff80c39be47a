/** Reads buffered response bodies in any format. */
import { isHal } from '../../endpoint/representation.ts'
import * as t from 'io-ts'
import type { BodyReadOptions } from '../../body/body-format.ts'
import { bodyFormat } from '../../body/body-formats.ts'
import { charsetsOf } from '../../body/body-plan.ts'
import type { BuiltInFormat, BodyOptions, BodyPlan } from '../../body/body-plan.ts'
import type { JsonSettings } from '../../body/json/json-rules.ts'
import type { ReadBody } from '../../body/read-body.ts'
import { unreadableBody } from '../../body/read-body.ts'
import type { Codec } from '../../codec/codec.ts'
import { children, unwrap } from '../../codec/structure/codec-structure.ts'
import { partialViewCodec } from '../../codec/visibility/unrestricted.ts'
import { decodeText, readText } from '../../body/read-text.ts'
import { readJson } from '../../body/json/json-rules.ts'
import { inUtf8, jsonLimits, plainReader } from './plain-reader.ts'

const readLimits: Omit<BodyReadOptions, keyof JsonSettings | 'json'> = {
  ...jsonLimits,
  visibility: undefined,
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
  if (format._tag === 'Json') return inUtf8(jsonReader(format.codec, plan, jsonSettings), allText)
  if (format._tag !== 'Problem') {
    const plain = plainReader(plan, jsonSettings, allText)
    if (plain !== undefined) return plain
  }
  if (isHal(format)) {
    const read = jsonReader(format.codec, plan, jsonSettings)
    if (!isCollection(format.codec)) return inUtf8(read, allText)
    return inUtf8(
      (bytes, mediaType) => read(embeddedElements(bytes, format.collection), mediaType),
      allText,
    )
  }
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
  switch (format._tag) {
    case 'Problem':
    case 'Xml':
    case 'Data':
      return { ...format, codec: partialViewCodec(format.codec) }
    default:
      return format
  }
}

const encoder = new TextEncoder()

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

const collectionTags = new Set(['ArrayType', 'ReadonlyArrayType', 'SetType'])

const isCollection = (codec: Codec): boolean => {
  const inner = unwrap(codec)
  const candidates = inner._tag === 'UnionType' ? children(inner).map(unwrap) : [inner]
  return candidates.some(({ _tag }) => collectionTags.has(_tag ?? ''))
}

const decoder = new TextDecoder()

/** Returns the elements of a HAL collection as JSON. Returns any other document unchanged. */
const embeddedElements = (bytes: Uint8Array, relation: string): Uint8Array => {
  const elements = findElements(bytes, relation)
  return elements === undefined ? bytes : encoder.encode(JSON.stringify(elements))
}

/**
 * Returns the member of `_embedded` that is named after the declared relation. If there is no such member, returns the
 * only member, because services can use a different relation. Returns an empty list for a HAL document without
 * `_embedded`.
 */
const findElements = (bytes: Uint8Array, relation: string): unknown => {
  try {
    const document: unknown = JSON.parse(decoder.decode(bytes))
    if (!t.UnknownRecord.is(document)) return undefined
    const { _embedded: embedded } = document
    if (!t.UnknownRecord.is(embedded)) return '_links' in document ? [] : undefined
    const declared = Object.hasOwn(embedded, relation) ? embedded[relation] : undefined
    if (declared !== undefined) return declared
    const [only, ...others] = Object.values(embedded)
    return others.length === 0 ? only : undefined
  } catch {
    return undefined
  }
}
