/** A file that is received: its octets, and what the response says of it. */
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { ReceivedFile } from '../../endpoint/file.ts'
import * as ContentDisposition from '../../http/content-disposition.ts'
import * as Headers from '../../http/headers.ts'

export const receivedFile = (
  headers: Headers.Headers,
  octets: AsyncIterable<Uint8Array>,
  size: number | undefined,
): ReceivedFile => ({
  contentType: Headers.first(headers, 'content-type') ?? 'application/octet-stream',
  size,
  fileName: pipe(
    O.fromNullable(Headers.first(headers, 'content-disposition')),
    O.chain(ContentDisposition.parse),
    O.map(({ fileName }) => fileName),
    O.toUndefined,
  ),
  [Symbol.asyncIterator]: () => octets[Symbol.asyncIterator](),
})

/** How many octets a response says that it has; what was coded has others. */
export const sizeOf = (headers: Headers.Headers): number | undefined => {
  const length = Headers.first(headers, 'content-length')
  return length !== undefined &&
    /^\d{1,15}$/.test(length) &&
    Headers.first(headers, 'content-encoding') === undefined
    ? Number(length)
    : undefined
}
