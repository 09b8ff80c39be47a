/** Byte representations. */
import type { Representation, ByteStream } from './representation.ts'
import { makeRepresentation, makeReceivable } from './representation.ts'

/** `application/octet-stream`: the octets, untouched and in memory. `as('image/*')(bytes)` takes those of any image. */
export const bytes: Representation<Uint8Array, 'application/octet-stream'> = makeRepresentation(
  'application/octet-stream',
  {
    _tag: 'Bytes',
  },
)

/**
 * `application/octet-stream` in pieces, of any size and number. A handler reads a body of it while it comes; what is more than
 * `fw.http.limits.max-body-size` octets shows where that is read, as an `HttpError` for 413. What is
 * produced is sent as fast as the client takes it: a generator, a `Readable` of Node, a `ReadableStream`, any source. It is
 * chunked, unless the reply says its `Content-Length`: a stream that has fewer octets, or more, is cut.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { body, byteStream, handle, path, post, produces, routes } from 'espalier'
 * import { inMemory } from 'espalier/testing'
 *
 * async function* doubled(pieces: AsyncIterable<Uint8Array>) {
 *   for await (const piece of pieces) yield piece.map((octet) => 2 * octet)
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
