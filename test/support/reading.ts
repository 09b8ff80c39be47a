/** Reads what comes, up to its end or its failure. */
import type { AnyAnswer, ClientError } from '../../src/client.ts'
import { CallFailed } from '../../src/client.ts'

/** What is read of a stream, which fails at its end if it does. */
export const all = async <A>(values: AsyncIterable<A>): Promise<A[]> => {
  const read: A[] = []
  for await (const value of values) read.push(value)
  return read
}

/** What a stream is read to until it fails, and with what. */
export const failing = async <A>(
  values: AsyncIterable<A>,
): Promise<readonly [A[], ClientError | AnyAnswer]> => {
  const read: A[] = []
  try {
    for await (const value of values) read.push(value)
  } catch (error) {
    if (error instanceof CallFailed) return [read, error.failure]
    throw error
  }
  throw new Error('it has ended')
}

/** Octets as characters of Latin-1. */
export const octets = async (pieces: AsyncIterable<Uint8Array>): Promise<string> => {
  let text = ''
  for await (const piece of pieces) text += Buffer.from(piece).toString('latin1')
  return text
}
