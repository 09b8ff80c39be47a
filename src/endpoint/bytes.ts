/** Byte representations: whole byte arrays and streams. */
import type { Representation, ByteStream } from './representation.ts'
import { makeRepresentation, makeReceivable } from './representation.ts'

/** `application/octet-stream` as a byte array in memory. `as('image/*')(bytes)` accepts images only. */
export const bytes: Representation<Uint8Array, 'application/octet-stream'> = makeRepresentation(
  'application/octet-stream',
  {
    _tag: 'Bytes',
  },
)

/**
 * `application/octet-stream` in chunks.
 *
 * A handler reads the body while it arrives. More bytes than `fw.http.limits.max-body-size` throw an `HttpError` with
 * status 413 where the stream is read. A response may come from any {@link Source}, and is sent with back-pressure. It
 * is chunked unless the reply sets `Content-Length`; a stream with fewer or more bytes than that destroys the
 * connection.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { body, byteStream, handle, path, post, produces, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * async function* doubled(chunks: AsyncIterable<Uint8Array>) {
 *   for await (const chunk of chunks) yield chunk.map((byte) => 2 * byte)
 * }
 * const double = pipe(
 *   path('/double'),
 *   post(),
 *   body(byteStream),
 *   produces(byteStream),
 *   handle((input) => doubled(input.body)),
 * )
 * const sent = new Request('http://localhost/double', {
 *   method: 'POST',
 *   body: new Uint8Array([1, 2, 3]),
 * })
 * const response = await inMemory(routes({ double }))(sent)
 *
 * assert.deepEqual(new Uint8Array(await response.arrayBuffer()), new Uint8Array([2, 4, 6]))
 * ```
 */
export const byteStream: ByteStream<'application/octet-stream'> = makeReceivable(
  'application/octet-stream',
  { _tag: 'ByteStream' },
)
