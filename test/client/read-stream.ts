/** Reads streams of responses, to their end or until they fail. */
import type { AnyDecodedResponse, ClientError } from '../../src/client.ts'
import { CallFailed } from '../../src/client.ts'

/** Reads all values of a stream. Rejects if the stream fails. */
export const readAll = async <A>(values: AsyncIterable<A>): Promise<A[]> => {
  const read: A[] = []
  for await (const value of values) read.push(value)
  return read
}

/** Reads a stream that must fail. Returns the values before the failure, and the failure. */
export const readUntilFailure = async <A>(
  values: AsyncIterable<A>,
): Promise<readonly [A[], ClientError | AnyDecodedResponse]> => {
  const read: A[] = []
  try {
    for await (const value of values) read.push(value)
  } catch (error) {
    if (error instanceof CallFailed) return [read, error.failure]
    throw error
  }
  throw new Error('expected a failure')
}

/** Reads bytes as characters of ISO-8859-1. */
export const readLatin1 = async (chunks: AsyncIterable<Uint8Array>): Promise<string> => {
  let text = ''
  for await (const chunk of chunks) text += Buffer.from(chunk).toString('latin1')
  return text
}
