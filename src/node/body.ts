/**
 * Takes the content of a request off the connection: octets are counted as they come, so that a limit holds whatever
 * `Content-Length` said.
 */
import type { IncomingMessage } from 'node:http'
import type { Failure } from '../http/failure.ts'

const nothing = new Uint8Array(0)

/** The failure of a content with more octets than the limit. */
export const tooLarge = (limit: number): Failure => ({
  _tag: 'ContentTooLarge',
  detail: `The content has more than ${limit} octets (fw.http.limits.max-body-size).`,
})

/**
 * Reads everything. `then` is called once, and not at all when the client goes away before the end. Content that comes in
 * one piece is handed over as it is.
 */
export const take = (
  request: IncomingMessage,
  limit: number,
  then: (content: Uint8Array | Failure) => void,
): void => {
  const pieces: Buffer[] = []
  let octets = 0
  const piece = (chunk: Buffer): void => {
    octets += chunk.length
    if (octets <= limit) {
      pieces.push(chunk)
      return
    }
    finish()
    then(tooLarge(limit))
  }
  const end = (): void => {
    finish()
    const [only] = pieces
    then(only === undefined ? nothing : pieces.length === 1 ? only : Buffer.concat(pieces, octets))
  }
  const finish = (): void => {
    request.off('data', piece)
    request.off('end', end)
  }
  request.on('data', piece)
  request.on('end', end)
}
