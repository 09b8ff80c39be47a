/** Files in responses. */
import * as O from 'fp-ts/lib/Option.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { ReceivedFile } from '../../endpoint/file.ts'
import * as ContentDisposition from '../../http/content-disposition.ts'
import * as Headers from '../../http/headers.ts'

/** Combines the bytes of a file with the metadata in the headers. */
export const receivedFile = (
  headers: Headers.Headers,
  bytes: AsyncIterable<Uint8Array>,
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
  [Symbol.asyncIterator]: () => bytes[Symbol.asyncIterator](),
})

/** Returns the `Content-Length`, or `undefined` for a compressed body, which has another length after decoding. */
export const contentLength = (headers: Headers.Headers): number | undefined => {
  const length = Headers.first(headers, 'content-length')
  return length !== undefined &&
    /^\d{1,15}$/.test(length) &&
    Headers.first(headers, 'content-encoding') === undefined
    ? Number(length)
    : undefined
}
