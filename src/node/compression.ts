/**
 * Creates compressors and decompressors based on `node:zlib`. The supported content codings are `gzip` and `deflate`
 * (RFC 9110, 8.4.1), `br` (RFC 7932) and, if Node.js supports it, `zstd` (RFC 8878).
 */
import type { Transform } from 'node:stream'
import type { Compression, Compressor, Compressors, Decompressor } from '../interpreter/exchange.ts'
import { noCompressors } from '../interpreter/exchange.ts'
import type { Settings } from '../compiler/settings/settings.ts'
import { pipeline } from 'node:stream/promises'

/**
 * Maximum size, in bytes, of a body that is compressed synchronously. Compressing such a body takes about 0.1 ms. Larger bodies are
 * compressed in the thread pool.
 */
const syncLimit = 8 * 1024

/**
 * The Brotli quality level. Level 4 takes about as long as gzip at level 6. The default level, 11, takes a hundred times as long.
 */
const brotliQuality = 4

type Compress = (bytes: Uint8Array, options: object) => Uint8Array
type CreateStream<S extends Transform = Transform> = (options: object) => S

/**
 * Creates a compressor for each content coding that Node.js supports. Returns an empty map if `fw.http.enable-compression` is
 * `false`.
 */
export const createCompressors = (settings: Settings): Compressors => {
  if (!settings['fw.http.enable-compression']) return noCompressors
  const zlib = process.getBuiltinModule('node:zlib')
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, BROTLI_PARAM_QUALITY } = zlib.constants
  const options = { level: settings['fw.http.compression-level'] }
  const brotliOptions = { params: { [BROTLI_PARAM_QUALITY]: brotliQuality } }
  const zstd: unknown = Reflect.get(zlib, 'zstdCompressSync')
  const createZstd: unknown = Reflect.get(zlib, 'createZstdCompress')
  return new Map([
    ['gzip', compressorOf(zlib.gzipSync, zlib.createGzip, options, Z_SYNC_FLUSH)],
    ['deflate', compressorOf(zlib.deflateSync, zlib.createDeflate, options, Z_SYNC_FLUSH)],
    [
      'br',
      compressorOf(
        zlib.brotliCompressSync,
        zlib.createBrotliCompress,
        brotliOptions,
        BROTLI_OPERATION_FLUSH,
      ),
    ],
    ...(isCompress(zstd) && isCreateStream(createZstd)
      ? [['zstd', compressorOf(zstd, createZstd, {}, zstdFlush)] as const]
      : []),
  ])
}

/** The value of `ZSTD_e_flush` in `zlib.constants`. */
const zstdFlush = 1

/** The type declarations lack the functions for Zstandard, which are available since Node.js 22.15 and 23.8. */
const isCompress = (value: unknown): value is Compress => typeof value === 'function'
const isCreateStream = (value: unknown): value is CreateStream<DecompressionStream> =>
  typeof value === 'function'

/** Creates a compressor. A stream with the option `flush` flushes its output after each input chunk. */
const compressorOf = (
  compress: Compress,
  createStream: CreateStream,
  options: object,
  flush: number,
): Compressor => ({
  compress: (bytes) =>
    bytes.length <= syncLimit
      ? compress(bytes, options)
      : new StreamCompression(createStream(options)).compress(bytes),
  start: () => new StreamCompression(createStream({ ...options, flush })),
})

/** Wraps a `node:zlib` stream. The methods return promises for the compressed output. */
class StreamCompression implements Compression {
  readonly #stream: Transform
  #output: Uint8Array[] = []
  #reject: (error: unknown) => void = () => undefined

  constructor(stream: Transform) {
    this.#stream = stream
    stream.on('data', (chunk: Uint8Array) => this.#output.push(chunk))
    stream.on('error', (error) => this.#reject(error))
  }

  write(chunk: string | Uint8Array): Promise<Uint8Array> {
    return this.#run((resolve) =>
      this.#stream.write(chunk, (error) => {
        if (error) this.#reject(error)
        else resolve(this.#takeOutput())
      }),
    )
  }

  end(): Promise<Uint8Array> {
    return this.#run((resolve) => {
      this.#stream.once('end', () => resolve(this.#takeOutput()))
      this.#stream.end()
    })
  }

  compress(bytes: Uint8Array): Promise<Uint8Array> {
    this.#stream.write(bytes)
    return this.end()
  }

  close(): void {
    this.#stream.destroy()
    this.#reject(new Error('compression aborted'))
  }

  #run(start: (resolve: (output: Uint8Array) => void) => void): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      this.#reject = reject
      start(resolve)
    })
  }

  #takeOutput(): Uint8Array {
    const output = this.#output
    this.#output = []
    const [only] = output
    return output.length === 1 && only !== undefined ? only : Buffer.concat(output)
  }
}

type DecompressionStream = Transform & { readonly bytesWritten: number }

/** Creates a decompressor that pipes its input through a `node:zlib` stream with back-pressure. */
const decompressorOf = (createStream: () => DecompressionStream): Decompressor =>
  async function* (compressed): AsyncGenerator<Uint8Array, undefined> {
    let bytesRead = 0
    let isComplete = false
    async function* counted(): AsyncGenerator<Uint8Array, undefined> {
      for await (const chunk of compressed) {
        bytesRead += chunk.length
        yield chunk
      }
      isComplete = true
    }
    const stream = createStream()
    // the stream also emits errors from the source
    pipeline(counted(), stream).catch(() => undefined)
    yield* stream
    // Node.js silently ignores bytes after the end of the compressed data
    if (!isComplete || stream.bytesWritten < bytesRead)
      throw new Error('unexpected bytes after the end of the compressed data')
  }

/**
 * Maximum size of a decompressed chunk, in bytes. With the Node.js default of 16 KiB, decompression would require four times as
 * many iterations of the event loop.
 */
const chunkSize = 64 * 1024

/**
 * Creates a decompressor for each content coding that Node.js supports. Returns an empty map if `fw.http.enable-decompression` is
 * `false`.
 */
export const createDecompressors = (settings: Settings): ReadonlyMap<string, Decompressor> => {
  if (!settings['fw.http.enable-decompression']) return new Map()
  const zlib = process.getBuiltinModule('node:zlib')
  const createZstd: unknown = Reflect.get(zlib, 'createZstdDecompress')
  const windowLogMax = String(Reflect.get(zlib.constants, 'ZSTD_d_windowLogMax'))
  // the window is limited to 8 MiB (RFC 9659) instead of the Node.js default of 128 MiB
  const zstdOptions = { chunkSize, params: { [windowLogMax]: 23 } }
  return new Map([
    ['gzip', decompressorOf(() => zlib.createGunzip({ chunkSize }))],
    ['deflate', decompressorOf(() => zlib.createInflate({ chunkSize }))],
    ['br', decompressorOf(() => zlib.createBrotliDecompress({ chunkSize }))],
    ...(isCreateStream(createZstd)
      ? [['zstd', decompressorOf(() => createZstd(zstdOptions))] as const]
      : []),
  ])
}
