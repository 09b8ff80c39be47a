/** Reads a text piece by piece, in the charset that the response states. */
import type * as MediaType from '../../http/media-type.ts'
import { decoding } from '../../body/text/text-decoder.ts'
import { charsetOf, failureOf, unsupported } from '../../body/read-body.ts'
import type { Errors } from './response-stream.ts'

export async function* texts(
  octets: AsyncIterable<Uint8Array>,
  stated: MediaType.MediaType | undefined,
  { unread }: Errors,
): AsyncGenerator<string, undefined> {
  const decode = decoding(charsetOf(stated))
  if (decode === undefined) throw unread(unsupported)
  const decoded = (piece?: Uint8Array): string => {
    try {
      return decode(piece)
    } catch {
      throw unread(failureOf('the text is not of its charset'))
    }
  }
  for await (const piece of octets) {
    const text = decoded(piece)
    if (text !== '') yield text
  }
  const last = decoded()
  if (last !== '') yield last
}
