/** Parts that are not files: they are small, and stay in memory. */
import * as E from 'fp-ts/lib/Either.js'
import * as Text from '../../../body/text/read-text.ts'
import { ByteCollector } from '../../../http/byte-collector.ts'
import { failureError } from '../../errors/failure-error.ts'
import { attributeByteLimit } from './part-limits.ts'
import type { MemoryReservation } from '../memory-reservation.ts'
import { readError } from '../../errors/unread.ts'
import type { MultipartLimits } from './multipart-limits.ts'
import type { Part } from './parts.ts'

/** The octets of an attribute. Rejects with 413 when they are too many, and with 503 without free body memory. */
export const readAttribute = async (
  part: Part,
  { parsedAttribute }: MultipartLimits,
  reservation: MemoryReservation | undefined,
): Promise<Uint8Array> => {
  const collected = new ByteCollector()
  // copied, because the memory of a piece is free when the next is asked for
  for await (const piece of attributeByteLimit(part, parsedAttribute)) {
    if (reservation?.receive(piece.length) === false) throw readError(reservation.rejected())
    collected.addCopy(piece)
  }
  return collected.take()
}

/**
 * The text of an attribute, in the charset that the part states, otherwise in the assumed one. Throws 415 for a charset that is
 * not known, 400 for octets that are not of it.
 */
export const attributeText = (octets: Uint8Array, { charset }: Part, assumed: string): string => {
  const text = Text.decodeText(octets, charset ?? assumed)
  if (E.isLeft(text)) throw failureError(text.left, '')
  return text.right
}
