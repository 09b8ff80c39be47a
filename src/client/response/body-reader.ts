/** Reads the whole body of a response in one of the representations that are declared for its status. */
import * as E from 'fp-ts/lib/Either.js'
import type { ReadOptions } from '../../body/body-format.ts'
import { bodyFormat } from '../../body/body-formats.ts'
import type { BuiltInFormat, ContentPlan, Said } from '../../body/content-plan.ts'
import type { JsonReading } from '../../body/json/read-json.ts'
import { readJson } from '../../body/json/read-json.ts'
import type { Usual } from '../../body/json/json-rules.ts'
import type { ReadContent } from '../../body/read-body.ts'
import { charsetOf, isWithinUtf8, unreadable } from '../../body/read-body.ts'
import { textOf } from '../../body/text/read-text.ts'
import type { Codec } from '../../codec/codec.ts'
import { partialViewCodec } from '../../codec/visibility/unrestricted.ts'
import { collectionOf } from './hal-collection.ts'

/** Services may return more than they accept: only the size of the body limits a response. */
const jsonLimits: Omit<JsonReading, keyof Usual> = {
  undeclared: 'drop',
  bounds: { depth: 500, keys: Infinity },
}
const limits: Omit<ReadOptions, keyof Usual | 'json'> = {
  ...jsonLimits,
  projecting: undefined,
  xml: { depth: 500, rejectsUndeclared: false, exceeded: () => undefined },
  form: { fields: Infinity, fieldSize: Infinity },
}

/** Prepares reading JSON in UTF-8. Members that are restricted may be missing. */
export const jsonReader = (codec: Codec, { json }: Said, usual: Usual): ReadContent =>
  readJson(partialViewCodec(codec), { ...jsonLimits, ...usual }, { json })

/** Prepares reading a body; `undefined` for a representation that the client does not read as a whole. */
export const contentReader = (content: ContentPlan, usual: Usual): ReadContent | undefined => {
  const { format, json } = content
  if (format._tag === 'Provider') return undefined
  if (format._tag === 'Hal') {
    const read = jsonReader(format.codec, content, usual)
    const collection = collectionOf(format)
    if (collection === undefined) return inUtf8(read)
    return inUtf8((octets, stated) => read(collection(octets), stated))
  }
  const { reader, charsets } = bodyFormat(withPartialViews(format))
  const read = reader?.({ ...limits, ...usual, json })
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

/** What is only read in UTF-8 and comes in another charset that is known. */
const inUtf8 =
  (read: ReadContent): ReadContent =>
  (octets, stated) => {
    const charset = charsetOf(stated)
    if (isWithinUtf8(charset)) return read(octets, stated)
    const text = textOf(octets, charset)
    return E.isLeft(text) ? text : read(encoder.encode(text.right), undefined)
  }

/** An error of a read function is a malformed response, also an `HttpError`, which a server would send. */
const withoutErrors =
  (read: ReadContent): ReadContent =>
  (bytes, stated) => {
    try {
      return read(bytes, stated)
    } catch (error) {
      return unreadable('it cannot be read', error)
    }
  }
