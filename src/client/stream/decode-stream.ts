/** Decodes response bodies incrementally: text, and JSON element by element. */
import * as E from 'fp-ts/lib/Either.js'
import type { ReadBody } from '../../body/read-body.ts'
import {
  charsetOf,
  malformedBody,
  unsupportedCharsetFailure,
  withinPart,
} from '../../body/read-body.ts'
import { chunkDecoder } from '../../body/text/read-text.ts'
import type { ElementSplitter, ElementError } from '../../codec/json/json-elements.ts'
import type * as MediaType from '../../http/media-type.ts'
import type { ReadErrors } from './response-stream.ts'

/** Decodes text in the charset of the media type. Empty chunks are omitted. */
export async function* decodeText(
  bytes: AsyncIterable<Uint8Array>,
  mediaType: MediaType.MediaType | undefined,
  { invalid }: ReadErrors,
): AsyncGenerator<string, undefined> {
  const decoder = chunkDecoder(charsetOf(mediaType))
  if (decoder === undefined) throw invalid(unsupportedCharsetFailure)
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder(chunk)
    } catch {
      throw invalid(malformedBody('malformed text'))
    }
  }
  for await (const chunk of bytes) {
    const text = decode(chunk)
    if (text !== '') yield text
  }
  const rest = decode()
  if (rest !== '') yield rest
}

/** Splits JSON into elements and decodes each as soon as it is complete. */
export async function* decodeJsonElements(
  bytes: AsyncIterable<Uint8Array>,
  createSplitter: (toError: (failure: ElementError) => Error) => ElementSplitter,
  decode: ReadBody,
  { invalid, tooLarge }: ReadErrors,
): AsyncGenerator<unknown, undefined> {
  const splitter = createSplitter((failure) =>
    failure._tag === 'TooLong' ? tooLarge() : invalid(malformedBody(failure.detail)),
  )
  let index = 0
  const decodeElement = (element: Uint8Array): unknown => {
    const value = decode(element, undefined)
    if (E.isLeft(value)) throw invalid(withinPart(String(index), value.left))
    index++
    return value.right
  }
  for await (const chunk of bytes)
    for (const element of splitter.take(chunk)) yield decodeElement(element)
  for (const element of splitter.end()) yield decodeElement(element)
}
