/** Decodes response bodies incrementally: text, and JSON element by element. */
import * as E from 'fp-ts/lib/Either.js'
import type { ReadContent } from '../../body/read-body.ts'
import { charsetOf, failureOf, unsupported, within } from '../../body/read-body.ts'
import { decoding } from '../../body/text/text-decoder.ts'
import type { ElementSplitter, ElementError } from '../../codec/json/json-elements.ts'
import type * as MediaType from '../../http/media-type.ts'
import type { ReadErrors } from './response-stream.ts'

/** Decodes text in the charset of the media type. Empty chunks are omitted. */
export async function* decodeText(
  bytes: AsyncIterable<Uint8Array>,
  mediaType: MediaType.MediaType | undefined,
  { invalid }: ReadErrors,
): AsyncGenerator<string, undefined> {
  const decoder = decoding(charsetOf(mediaType))
  if (decoder === undefined) throw invalid(unsupported)
  const decode = (chunk?: Uint8Array): string => {
    try {
      return decoder(chunk)
    } catch {
      throw invalid(failureOf('malformed text'))
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
  decode: ReadContent,
  { invalid, tooLarge }: ReadErrors,
): AsyncGenerator<unknown, undefined> {
  const splitter = createSplitter((failure) =>
    failure._tag === 'TooLong' ? tooLarge() : invalid(failureOf(failure.detail)),
  )
  let index = 0
  const decodeElement = (element: Uint8Array): unknown => {
    const value = decode(element, undefined)
    if (E.isLeft(value)) throw invalid(within(String(index), value.left))
    index++
    return value.right
  }
  for await (const chunk of bytes)
    for (const element of splitter.take(chunk)) yield decodeElement(element)
  for (const element of splitter.end()) yield decodeElement(element)
}
