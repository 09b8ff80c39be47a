/** Reads a form into a record of its declared fields: as a whole, in memory, under the limit of whole contents. */
import * as E from 'fp-ts/lib/Either.js'
import { compileCodec } from '../../codec/generated/compiled-codec.ts'
import type { Codec } from '../../codec/codec.ts'
import { parameterShape } from '../../codec/parameter/parameter-shape.ts'
import type { ContentPlan, Said } from '../../body/content-plan.ts'
import { contentsOf } from '../../body/contents.ts'
import type { Usual } from '../../body/json/json-rules.ts'
import { textOf } from '../../body/text/read-text.ts'
import { charsetOf, decoded, within } from '../../body/read-body.ts'
import type { OutputField } from '../../endpoint/representation.ts'
import { ByteCollector } from '../../http/byte-collector.ts'
import type { RequestFailure } from '../../http/failure.ts'
import { contentReader } from './body-reader.ts'
import { receivedFile } from '../stream/received-file.ts'
import type { Part } from './multipart-parser.ts'

type Result = E.Either<RequestFailure, unknown>

/** A part whose octets are there. */
interface Gathered {
  readonly part: Part
  readonly octets: Uint8Array
}

interface Field {
  readonly name: string
  readonly read: (parts: ReadonlyArray<Gathered>) => Result
}

export type ReadRecord = (
  parts: AsyncIterable<Part>,
  limit: number,
  tooLarge: () => Error,
) => Promise<Result>

/** Prepares reading; `Left` with the media types of fields that a client does not read. */
export const recordReader = (
  fields: ReadonlyArray<OutputField>,
  said: Said,
  usual: Usual,
): E.Either<ReadonlyArray<string>, ReadRecord> => {
  const readers: Field[] = []
  const unread: string[] = []
  for (const field of fields) {
    const [content] = contentsOf([field.representation], [], said)
    const read = content === undefined ? undefined : fieldReader(content, field.isRepeated, usual)
    if (read === undefined) unread.push(field.representation.mediaType)
    else readers.push({ name: field.name, read })
  }
  if (unread.length > 0) return E.left(unread)
  return E.right(async (parts, limit, tooLarge) => {
    const found = new Map<string, Gathered[]>(readers.map(({ name }) => [name, []]))
    let left = limit
    for await (const part of parts) {
      const pieces = new ByteCollector()
      for await (const piece of part.content) {
        if (pieces.length + piece.length > left) throw tooLarge()
        pieces.add(piece)
      }
      left -= pieces.length
      found.get(part.name)?.push({ part, octets: pieces.take() })
    }
    const record: Record<string, unknown> = {}
    for (const { name, read } of readers) {
      const value = read(found.get(name) ?? [])
      if (E.isLeft(value)) return E.left(within(name, value.left))
      // a name that comes from the contract, and not from the content
      Object.defineProperty(record, name, {
        value: value.right,
        enumerable: true,
        configurable: true,
        writable: true,
      })
    }
    return E.right(record)
  })
}

const fieldReader = (
  content: ContentPlan,
  isRepeated: boolean,
  usual: Usual,
): Field['read'] | undefined => {
  if (content.format._tag === 'Text' && content.format.codec !== undefined)
    return textsReader(content.format.codec, isRepeated, usual)
  const read = partReader(content, usual)
  if (read === undefined) return undefined
  return isRepeated
    ? (parts) => all(parts.map(read))
    : ([first]) => (first === undefined ? E.right(undefined) : read(first))
}

const partReader = (
  content: ContentPlan,
  usual: Usual,
): ((one: Gathered) => Result) | undefined => {
  switch (content.format._tag) {
    case 'File':
      return ({ part: { headers }, octets }) =>
        E.right(receivedFile(headers, once(octets), octets.length))
    case 'ByteStream':
      return ({ octets }) => E.right(once(octets))
    case 'TextStream':
      return (one) => E.map((all: string) => once(all))(textIn(one))
    default: {
      const read = contentReader(content, usual)
      return read === undefined ? undefined : ({ part, octets }) => read(octets, part.mediaType)
    }
  }
}

const textIn = ({ part, octets }: Gathered): E.Either<RequestFailure, string> =>
  textOf(octets, charsetOf(part.mediaType))

/** Something that is there, as what comes. */
const once = <A extends { readonly length: number }>(piece: A): AsyncIterable<A> => ({
  async *[Symbol.asyncIterator]() {
    if (piece.length > 0) yield piece
  },
})

/** A codec of several values has a part for each. */
const textsReader = (codec: Codec, isRepeated: boolean, { backEnd }: Usual): Field['read'] => {
  const { isCollection, convert, keepsEmpty } = parameterShape(codec)
  const exact = compileCodec(codec, 'drop', backEnd)
  const given = (part: Gathered): Result =>
    E.map((text: string): unknown => (text === '' && !keepsEmpty ? undefined : convert(text)))(
      textIn(part),
    )
  const one = (part: Gathered): Result => E.chain((value) => decoded(exact, value))(given(part))
  if (isRepeated) return (parts) => all(parts.map(one))
  if (isCollection)
    return (parts) => E.chain((values) => decoded(exact, values))(all(parts.map(given)))
  return ([first]) => (first === undefined ? E.right(undefined) : one(first))
}

const all = (results: ReadonlyArray<Result>): Result => {
  const values: unknown[] = []
  for (const [index, result] of results.entries()) {
    if (E.isLeft(result)) return E.left(within(String(index), result.left))
    values.push(result.right)
  }
  return E.right(values)
}
