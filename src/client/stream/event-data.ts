/** Reads the data of events: by a codec, as what `dataText` writes, or as a representation says. */
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { isSingleValue } from '../../codec/structure/single-value.ts'
import type { Said } from '../../body/content-plan.ts'
import { contentsOf } from '../../body/contents.ts'
import type { Usual } from '../../body/json/json-rules.ts'
import { readText } from '../../body/text/read-text.ts'
import type { ReadContent } from '../../body/read-body.ts'
import type { EventData } from '../../endpoint/representation.ts'
import type { RequestFailure } from '../../http/failure.ts'
import * as MediaType from '../../http/media-type.ts'
import { contentReader, jsonReader } from '../response/body-reader.ts'

export type ReadData = (text: string) => E.Either<RequestFailure, unknown>

const encoder = new TextEncoder()

/** The data of an event is a text, also where it is empty. */
const plainText = O.toUndefined(MediaType.parse('text/plain'))

/** Prepares reading; `undefined` for data that a client does not read. */
export const eventData = (data: EventData, said: Said, usual: Usual): ReadData | undefined => {
  const read =
    data._tag === 'Codec' ? byCodec(data, said, usual) : byRepresentation(data, said, usual)
  return read === undefined ? undefined : (text) => read(encoder.encode(text), plainText)
}

const byRepresentation = (
  data: Exclude<EventData, { readonly _tag: 'Codec' }>,
  said: Said,
  usual: Usual,
): ReadContent | undefined => {
  const [content] = contentsOf([data], [], said)
  return content === undefined ? undefined : contentReader(content, usual)
}

/** Of a codec whose structure says nothing, the text itself is tried first: what it writes as a text it reads as one. */
const byCodec = (
  { codec }: Extract<EventData, { readonly _tag: 'Codec' }>,
  said: Said,
  usual: Usual,
): ReadContent => {
  const json = jsonReader(codec, said, usual)
  const text = readText(codec)
  if (isSingleValue(codec)) return text
  if (codec._tag !== undefined) return json
  return (octets, stated) => {
    const read = text(octets, stated)
    return E.isRight(read) ? read : json(octets, stated)
  }
}
