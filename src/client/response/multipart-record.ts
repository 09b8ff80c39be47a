/** Reads a multipart response into a record of its declared fields. The body is buffered and limited by `maxContentLength`. */
import * as E from 'fp-ts/lib/Either.js'
import { compileCodec } from '../../codec/generated/compiled-codec.ts'
import type { Codec } from '../../codec/codec.ts'
import { parameterShape } from '../../codec/parameter/parameter-shape.ts'
import type { BodyPlan, BodyOptions } from '../../body/body-plan.ts'
import { bodyPlans } from '../../body/create-body-plans.ts'
import type { JsonSettings } from '../../body/json/json-rules.ts'
import { decodeText } from '../../body/text/read-text.ts'
import { charsetOf, decodeBody, withinPart } from '../../body/read-body.ts'
import type { OutputField } from '../../endpoint/representation.ts'
import { ByteCollector } from '../../http/byte-collector.ts'
import type { RequestFailure } from '../../http/failure.ts'
import { bodyReader } from './body-reader.ts'
import { receivedFile } from '../stream/received-file.ts'
import type { Part } from './multipart-parser.ts'

type Result = E.Either<RequestFailure, unknown>

/** A part and its body. */
interface BufferedPart {
  readonly part: Part
  readonly bytes: Uint8Array
}

interface Field {
  readonly name: string
  readonly read: (parts: ReadonlyArray<BufferedPart>) => Result
}

export type ReadRecord = (
  parts: AsyncIterable<Part>,
  limit: number,
  tooLarge: () => Error,
) => Promise<Result>

/** Prepares reading; `Left` contains the media types of fields that a client does not read. */
export const recordReader = (
  fields: ReadonlyArray<OutputField>,
  said: BodyOptions,
  jsonSettings: JsonSettings,
): E.Either<ReadonlyArray<string>, ReadRecord> => {
  const readers: Field[] = []
  const unreadable: string[] = []
  for (const field of fields) {
    const [content] = bodyPlans([field.representation], [], said)
    const read =
      content === undefined ? undefined : fieldReader(content, field.isRepeated, jsonSettings)
    if (read === undefined) unreadable.push(field.representation.mediaType)
    else readers.push({ name: field.name, read })
  }
  if (unreadable.length > 0) return E.left(unreadable)
  return E.right(async (parts, limit, tooLarge) => {
    const found = new Map<string, BufferedPart[]>(readers.map(({ name }) => [name, []]))
    let remaining = limit
    for await (const part of parts) {
      const collector = new ByteCollector()
      for await (const chunk of part.content) {
        if (collector.length + chunk.length > remaining) throw tooLarge()
        collector.add(chunk)
      }
      remaining -= collector.length
      found.get(part.name)?.push({ part, bytes: collector.take() })
    }
    const record: Record<string, unknown> = {}
    for (const { name, read } of readers) {
      const value = read(found.get(name) ?? [])
      if (E.isLeft(value)) return E.left(withinPart(name, value.left))
      // not an assignment, which would set the prototype for a field named `__proto__`
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
  content: BodyPlan,
  isRepeated: boolean,
  jsonSettings: JsonSettings,
): Field['read'] | undefined => {
  if (content.format._tag === 'Text' && content.format.codec !== undefined)
    return textReader(content.format.codec, isRepeated, jsonSettings)
  const read = partReader(content, jsonSettings)
  if (read === undefined) return undefined
  return isRepeated
    ? (parts) => combine(parts.map(read))
    : ([first]) => (first === undefined ? E.right(undefined) : read(first))
}

const partReader = (
  content: BodyPlan,
  jsonSettings: JsonSettings,
): ((one: BufferedPart) => Result) | undefined => {
  switch (content.format._tag) {
    case 'File':
      return ({ part: { headers }, bytes }) =>
        E.right(receivedFile(headers, once(bytes), bytes.length))
    case 'ByteStream':
      return ({ bytes }) => E.right(once(bytes))
    case 'TextStream':
      return (one) => E.map((all: string) => once(all))(textIn(one))
    default: {
      const read = bodyReader(content, jsonSettings)
      return read === undefined ? undefined : ({ part, bytes }) => read(bytes, part.mediaType)
    }
  }
}

const textIn = ({ part, bytes }: BufferedPart): E.Either<RequestFailure, string> =>
  decodeText(bytes, charsetOf(part.mediaType))

/** A stream of one chunk, or of none if it is empty. */
const once = <A extends { readonly length: number }>(chunk: A): AsyncIterable<A> => ({
  async *[Symbol.asyncIterator]() {
    if (chunk.length > 0) yield chunk
  },
})

/** Reads text parts. A codec of several values reads one part per value. */
const textReader = (
  codec: Codec,
  isRepeated: boolean,
  { backEnd }: JsonSettings,
): Field['read'] => {
  const { isCollection, convert, keepsEmpty } = parameterShape(codec)
  const compiledCodec = compileCodec(codec, 'drop', backEnd)
  const liftText = (part: BufferedPart): Result =>
    E.map((text: string): unknown => (text === '' && !keepsEmpty ? undefined : convert(text)))(
      textIn(part),
    )
  const one = (part: BufferedPart): Result =>
    E.chain((value) => decodeBody(compiledCodec, value))(liftText(part))
  if (isRepeated) return (parts) => combine(parts.map(one))
  if (isCollection)
    return (parts) =>
      E.chain((values) => decodeBody(compiledCodec, values))(combine(parts.map(liftText)))
  return ([first]) => (first === undefined ? E.right(undefined) : one(first))
}

const combine = (results: ReadonlyArray<Result>): Result => {
  const values: unknown[] = []
  for (const [index, result] of results.entries()) {
    if (E.isLeft(result)) return E.left(withinPart(String(index), result.left))
    values.push(result.right)
  }
  return E.right(values)
}
