/**
 * Compressors and decompressors based on the Compression Streams standard. The supported content codings are `gzip` and `deflate`
 * (RFC 9110, 8.4.1).
 *
 * A `CompressionStream` cannot be flushed. Therefore, bodies that are sent in chunks are not compressed.
 *
 * @see https://compression.spec.whatwg.org
 */
import type { Settings } from '../compiler/settings/settings.ts'
import { ByteCollector } from '../http/byte-collector.ts'
import type { Decompressor, Compressor, Compressors } from '../interpreter/exchange.ts'
import { noCompressors } from '../interpreter/exchange.ts'

/** The part of `CompressionStream` and `DecompressionStream` that is used. */
interface ByteTransform {
  readonly readable: ReadableStream<Uint8Array>
  readonly writable: WritableStream<Uint8Array>
}

/** The content codings. They are also names of formats in the standard. */
const codings = ['gzip', 'deflate'] as const

/**
 * Creates a compressor for each content coding that the runtime supports. Returns an empty map if the runtime has no
 * `CompressionStream`, or if `fw.http.enable-compression` is `false`.
 */
export const createCompressors = (settings: Settings): Compressors =>
  settings['fw.http.enable-compression'] && typeof CompressionStream === 'function'
    ? new Map(codings.map((coding) => [coding, compressorOf(coding)] as const))
    : noCompressors

/**
 * Creates a decompressor for each content coding that the runtime supports. Returns an empty map if the runtime has no
 * `DecompressionStream`, or if `fw.http.enable-decompression` is `false`.
 */
export const createDecompressors = (settings: Settings): ReadonlyMap<string, Decompressor> =>
  settings['fw.http.enable-decompression'] && typeof DecompressionStream === 'function'
    ? new Map(
        codings.map(
          (coding) =>
            [coding, (chunks) => transformed(chunks, new DecompressionStream(coding))] as const,
        ),
      )
    : new Map()

const compressorOf = (coding: (typeof codings)[number]): Compressor => ({
  compress: async (bytes) => {
    const compressed = new ByteCollector()
    for await (const chunk of transformed([bytes], new CompressionStream(coding)))
      compressed.add(chunk)
    return compressed.take()
  },
})

/** Yields the output of a transform stream. Chunks are requested only when the stream accepts them. */
async function* transformed(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  { readable, writable }: ByteTransform,
): AsyncGenerator<Uint8Array, undefined> {
  const reader = readable.getReader()
  // an error of the source or of the stream also fails the next read
  const written = writeAll(chunks, writable).catch((error: unknown) => ({ error }))
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
  }
}

const writeAll = async (
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  writable: WritableStream<Uint8Array>,
): Promise<undefined> => {
  const writer = writable.getWriter()
  try {
    for await (const chunk of chunks) {
      await writer.ready
      await writer.write(chunk)
    }
    await writer.close()
  } catch (error) {
    await writer.abort(error).catch(() => undefined)
    throw error
  }
}
