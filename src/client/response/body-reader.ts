/** Reads the whole body of a response in one of the representations that are declared for its status. */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { ReadOptions } from '../../body/body-format.ts'
import { bodyFormat } from '../../body/body-formats.ts'
import type { BuiltInFormat, BodyPlan, BodyOptions } from '../../body/body-plan.ts'
import type { JsonReadSettings } from '../../body/json/read-json.ts'
import { readJson } from '../../body/json/read-json.ts'
import type { JsonSettings } from '../../body/json/json-rules.ts'
import type { ReadBody } from '../../body/read-body.ts'
import { charsetOf, isUtf8Compatible, unreadableBody } from '../../body/read-body.ts'
import { decodeText } from '../../body/text/read-text.ts'
import type { Codec } from '../../codec/codec.ts'
import { children, unwrap } from '../../codec/structure/codec-structure.ts'
import { partialViewCodec } from '../../codec/visibility/unrestricted.ts'

/** Responses are withOperationLimits only by the size of the body and its depth, because services may return more than they accept. */
const jsonLimits: Omit<JsonReadSettings, keyof JsonSettings> = {
  undeclared: 'drop',
  bounds: { depth: 500, keys: Infinity },
}
const limits: Omit<ReadOptions, keyof JsonSettings | 'json'> = {
  ...jsonLimits,
  visibility: undefined,
  xml: { depth: 500, rejectsUndeclared: false, exceeded: () => undefined },
  form: { fields: Infinity, fieldSize: Infinity },
}

/** Prepares reading JSON in UTF-8. Members that a view or a role may hide can be missing. */
export const jsonReader = (
  codec: Codec,
  { json }: BodyOptions,
  jsonSettings: JsonSettings,
): ReadBody => readJson(partialViewCodec(codec), { ...jsonLimits, ...jsonSettings }, { json })

/** Prepares reading a body; `undefined` for a representation that the client does not read as a whole. */
export const bodyReader = (content: BodyPlan, jsonSettings: JsonSettings): ReadBody | undefined => {
  const { format, json } = content
  if (format._tag === 'Provider') return undefined
  if (format._tag === 'Hal') {
    const read = jsonReader(format.codec, content, jsonSettings)
    if (!isCollection(format.codec)) return inUtf8(read)
    return inUtf8((bytes, mediaType) => read(embeddedElements(bytes, format.collection), mediaType))
  }
  const { reader, charsets } = bodyFormat(withPartialViews(format))
  const read = reader?.({ ...limits, ...jsonSettings, json })
  if (read === undefined) return undefined
  switch (charsets) {
    case 'ascii':
    case 'utf-8':
      return inUtf8(read)
    case 'custom':
      return withoutErrors(read)
    default:
      return read
  }
}

/** Lets members be missing that a view or a role may hide. */
const withPartialViews = (format: BuiltInFormat): BuiltInFormat => {
  switch (format._tag) {
    case 'Json':
    case 'Xml':
    case 'Data':
      return { ...format, codec: partialViewCodec(format.codec) }
    default:
      return format
  }
}

const encoder = new TextEncoder()

/** Converts a body in another supported charset to UTF-8, if the reader supports UTF-8 only. */
const inUtf8 =
  (read: ReadBody): ReadBody =>
  (bytes, mediaType) => {
    const charset = charsetOf(mediaType)
    if (isUtf8Compatible(charset)) return read(bytes, mediaType)
    const text = decodeText(bytes, charset)
    return E.isLeft(text) ? text : read(encoder.encode(text.right), undefined)
  }

/** An error of a read function is a malformed response, also an `HttpError`, which a server would send. */
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

/** Returns the elements of a HAL collection as JSON. Any other document is returned unchanged. */
const embeddedElements = (bytes: Uint8Array, relation: string): Uint8Array => {
  const elements = findElements(bytes, relation)
  return elements === undefined ? bytes : encoder.encode(JSON.stringify(elements))
}

/** Finds the member of `_embedded` for the declared relation, or the only member, because services may use another relation. */
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
