/** Reads bodies that are not buffered. */
import type { BodyPlan } from '../../body/body-plan.ts'
import { multipartFormReader } from './multipart/multipart-form.ts'
import { multipartInputReader } from './multipart/multipart-input.ts'
import { multipartStreamReader } from './multipart/multipart-stream.ts'
import type { Plan } from '../../compiler/plan.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { ReadStream } from './read-stream.ts'
import { readToFile } from './read-to-file.ts'
import type { DecodeChunk } from '../../body/text/read-text.ts'
import { chunkDecoder } from '../../body/text/read-text.ts'
import { charsetOf, unsupportedCharset } from '../../body/read-body.ts'
import { readError } from '../errors/failure-error.ts'
import * as E from 'fp-ts/lib/Either.js'
import * as Failures from '../../http/failure.ts'

/** Returns the stream reader of a body; `undefined` if the body is buffered. */
export const streamReader = (
  content: BodyPlan,
  plan: Plan,
  settings: Settings,
): ReadStream | undefined => {
  switch (content.format._tag) {
    case 'ByteStream':
      return (chunks) => (_, then) => then(E.right(chunks))
    case 'TextStream':
      return readTextStream
    case 'FileBody':
      return readToFile(content, settings)
    case 'MultipartForm':
      return multipartFormReader(plan, settings)
    case 'MultipartInput':
      return multipartInputReader(settings)
    case 'MultipartStream':
      return multipartStreamReader(settings)
    default:
      return undefined
  }
}

/** Decodes a text stream. An unknown charset is rejected with 415; malformed bytes are an error while the stream is read. */
export const readTextStream: ReadStream = (chunks, stated) => (_, then) => {
  const decode = chunkDecoder(charsetOf(stated))
  then(decode === undefined ? unsupportedCharset : E.right(decodedText(chunks, decode)))
}

async function* decodedText(
  chunks: AsyncIterable<Uint8Array>,
  decode: DecodeChunk,
): AsyncGenerator<string, undefined> {
  for await (const chunk of chunks) {
    const text = decodeChunk(decode, chunk)
    if (text !== '') yield text
  }
  const rest = decodeChunk(decode, undefined)
  if (rest !== '') yield rest
}

const decodeChunk = (decode: DecodeChunk, chunk: Uint8Array | undefined): string => {
  try {
    return decode(chunk)
  } catch {
    throw readError(malformed)
  }
}

const malformed = Failures.ofErrors('InvalidInput', [
  { in: 'body', pointer: '#', detail: 'malformed text: invalid bytes for its charset' },
])
