/** Takes a text piece by piece, in the charset that the request states. */
import * as E from 'fp-ts/lib/Either.js'
import * as Failures from '../../http/failure.ts'
import type { DecodeChunk } from '../../body/text/text-decoder.ts'
import { chunkDecoder } from '../../body/text/text-decoder.ts'
import { charsetOf, unsupportedCharset } from '../../body/read-body.ts'
import type { ReadStream } from './take.ts'
import { readError } from '../errors/unread.ts'

/** A charset that is not known refuses the request; what is wrong with the octets shows where they are read. */
export const readTextStream: ReadStream = (pieces, stated) => (_, then) => {
  const decode = chunkDecoder(charsetOf(stated))
  then(decode === undefined ? unsupportedCharset : E.right(texts(pieces, decode)))
}

async function* texts(
  pieces: AsyncIterable<Uint8Array>,
  decode: DecodeChunk,
): AsyncGenerator<string, undefined> {
  for await (const piece of pieces) {
    const text = decoded(decode, piece)
    if (text !== '') yield text
  }
  const last = decoded(decode, undefined)
  if (last !== '') yield last
}

const decoded = (decode: DecodeChunk, piece: Uint8Array | undefined): string => {
  try {
    return decode(piece)
  } catch {
    throw readError(malformed)
  }
}

const malformed = Failures.ofErrors('InvalidInput', [
  { in: 'body', pointer: '#', detail: 'the text is not of its charset' },
])
