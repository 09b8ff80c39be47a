/**
 * Compresses and decompresses bodies in chunks with the Compression Streams standard.
 *
 * @see https://compression.spec.whatwg.org
 */

/** The part of `CompressionStream` and `DecompressionStream` that is used. */
interface ByteTransform {
  readonly readable: ReadableStream<Uint8Array>
  readonly writable: WritableStream<Uint8Array>
}

/**
 * Yields the output of a transform stream. Closing the generator closes the source.
 *
 * The next chunk is read only after the stream has accepted the previous chunk. `pipeThrough` is not used here, because
 * some streams measure their queue in chunks instead of bytes. With such a stream, `pipeThrough` could read thousands
 * of chunks in advance.
 */
export async function* transformChunks(
  chunks: AsyncIterable<Uint8Array>,
  { readable, writable }: ByteTransform,
): AsyncGenerator<Uint8Array, undefined> {
  const source = chunks[Symbol.asyncIterator]()
  const reader = readable.getReader()
  // an error of the source or of the stream also ends the next read
  const written = writeAll(source, writable).catch((error: unknown) => ({ error }))
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      yield value
    }
    const failure = await written
    if (failure !== undefined) throw failure.error
  } finally {
    reader.cancel().catch(() => undefined)
    // not awaited: the source may be waiting for a chunk that never arrives
    source.return?.().catch(() => undefined)
  }
}

const writeAll = async (
  source: AsyncIterator<Uint8Array>,
  writable: WritableStream<Uint8Array>,
): Promise<undefined> => {
  const writer = writable.getWriter()
  try {
    for (;;) {
      const { done, value } = await source.next()
      if (done === true) break
      await writer.write(value)
    }
    await writer.close()
  } catch (error) {
    await writer.abort(error).catch(() => undefined)
    throw error
  }
}
