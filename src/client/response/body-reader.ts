/** Reads the whole content of a response, in one of the representations that were declared for its status. */
import * as E from 'fp-ts/lib/Either.js'
import type { Codec } from '../../codec/codec.ts'
import { seen } from '../../codec/visibility/unrestricted.ts'
import type { ContentPlan, Said } from '../../body/content-plan.ts'
import type { Usual } from '../../body/json/json-rules.ts'
import type { JsonReading } from '../../body/json/read-json.ts'
import { readJson } from '../../body/json/read-json.ts'
import { readText, textOf } from '../../body/text/read-text.ts'
import { readXml } from '../../body/xml/read-xml.ts'
import type { ReadContent } from '../../body/read-body.ts'
import { charsetOf, isWithinUtf8, unreadable } from '../../body/read-body.ts'
import * as Form from '../../http/form.ts'
import { collectionOf } from './hal-collection.ts'

/** A service may answer with more than it would take: sizes are bounded by the octets of the content alone. */
const jsonRules: Omit<JsonReading, keyof Usual> = {
  undeclared: 'drop',
  bounds: { depth: 500, keys: Infinity },
}
const xmlRules = {
  depth: 500,
  refuses: false,
  exceeded: (): undefined => undefined,
}

/** Prepares reading JSON in UTF-8. Members that are restricted may be missing. */
export const jsonReader = (codec: Codec, said: Said, usual: Usual): ReadContent =>
  readJson(seen(codec), { ...jsonRules, ...usual }, withoutView(said))

/** Prepares reading; `undefined` for a representation that a client does not read as a whole. */
export const contentReader = (content: ContentPlan, usual: Usual): ReadContent | undefined => {
  const { format } = content
  switch (format._tag) {
    case 'Json':
      return inUtf8(jsonReader(format.codec, content, usual))
    case 'Hal': {
      const read = jsonReader(format.codec, content, usual)
      const collection = collectionOf(format)
      if (collection === undefined) return inUtf8(read)
      return inUtf8((octets, stated) => read(collection(octets), stated))
    }
    case 'Xml':
      return inUtf8(readXml({ ...format, codec: seen(format.codec) }, { ...xmlRules, ...usual }))
    case 'RawJson':
      return readText(undefined)
    case 'Text':
      return readText(format.codec)
    case 'Bytes':
      return (octets) => E.right(octets)
    case 'FormMap':
      return (octets, stated) => {
        const text = textOf(octets, charsetOf(stated))
        if (E.isLeft(text)) return text
        const values = Form.groupByName(Form.split(text.right))
        return values === undefined
          ? unreadable('it has a malformed percent-escape')
          : E.right(values)
      }
    case 'Custom': {
      const { read } = format
      return read === undefined ? undefined : readCustom(read)
    }
    default:
      return undefined
  }
}

/** What a view leaves out may be missing, and that is all that a reader has to know of it. */
const withoutView = ({ json }: Said): Said => ({ json })

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

const readCustom =
  (read: (octets: Uint8Array) => unknown): ReadContent =>
  (octets) => {
    try {
      return E.right(read(octets))
    } catch (error) {
      return unreadable('it cannot be read', error)
    }
  }
