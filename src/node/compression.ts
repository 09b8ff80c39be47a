/**
 * Creates compressors and decompressors based on `node:zlib`. The supported content codings are `gzip` and `deflate`
 * (RFC 9110, 8.4.1), `br` (RFC 7932) and, if Node.js supports it, `zstd` (RFC 8878).
 */
import type { Transform } from 'node:stream'
import type { BrotliOptions, ZlibOptions } from 'node:zlib'
import type { Compression, Compressor, Compressors, Decompressor } from '../interpreter/exchange.ts'
import { noCompressors } from '../interpreter/exchange.ts'
import type { Settings } from '../compiler/settings/settings.ts'
import { pipeline } from 'node:stream/promises'
import { isBytes, isObject } from '../http/platform-value.ts'

/**
 * Maximum size, in bytes, of a body that is compressed synchronously. Compressing such a body takes about 0.1 ms. Larger bodies are
 * compressed in the thread pool.
 */
const syncLimit = 8 * 1024

/**
 * The Brotli quality level. Level 4 takes about as long as gzip at level 6. The default level, 11, takes a hundred times as long.
 */
const brotliQuality = 4

/** The `node:zlib` functions for one content coding. */
interface Coding {
  readonly sync: (bytes: Uint8Array) => Uint8Array
  /** Creates a compression stream. If `isFlushed` is `true`, the stream flushes its output after each input chunk. */
  readonly stream: (isFlushed: boolean) => Transform
}

/**
 * Creates a compressor for each content coding that Node.js supports. Returns an empty map if `fw.http.enable-compression` is
 * `false`.
 */
export const createCompressors = (settings: Settings): Compressors => {
  if (!settings['fw.http.enable-compression']) return noCompressors
  const level = settings['fw.http.compression-level']
  const zlib = process.getBuiltinModule('node:zlib')
  const { Z_NO_FLUSH, Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, BROTLI_OPERATION_PROCESS } =
    zlib.constants
  const brotli = { [zlib.constants.BROTLI_PARAM_QUALITY]: brotliQuality }
  const zstd = zstdCompression()
  const zlibOptions = (isFlushed: boolean): ZlibOptions => ({
    level,
    flush: isFlushed ? Z_SYNC_FLUSH : Z_NO_FLUSH,
  })
  const brotliOptions = (isFlushed: boolean): BrotliOptions => ({
    params: brotli,
    flush: isFlushed ? BROTLI_OPERATION_FLUSH : BROTLI_OPERATION_PROCESS,
  })
  const zstdEntries = zstd === undefined ? [] : [['zstd', compressorOf(zstd)] as const]
  return new Map([
    [
      'gzip',
      compressorOf({
        sync: (bytes) => zlib.gzipSync(bytes, { level }),
        stream: (isFlushed) => zlib.createGzip(zlibOptions(isFlushed)),
      }),
    ],
    [
      'deflate',
      compressorOf({
        sync: (bytes) => zlib.deflateSync(bytes, { level }),
        stream: (isFlushed) => zlib.createDeflate(zlibOptions(isFlushed)),
      }),
    ],
    [
      'br',
      compressorOf({
        sync: (bytes) => zlib.brotliCompressSync(bytes, { params: brotli }),
        stream: (isFlushed) => zlib.createBrotliCompress(brotliOptions(isFlushed)),
      }),
    ],
    ...zstdEntries,
  ])
}

const compressorOf = ({ sync, stream }: Coding): Compressor => ({
  compress: (bytes) =>
    bytes.length <= syncLimit ? sync(bytes) : new StreamCompression(stream(false)).compress(bytes),
  start: () => new StreamCompression(stream(true)),
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

/** The values of `ZSTD_e_continue` and `ZSTD_e_flush` in `zlib.constants`. */
const [zstdContinue, zstdFlush] = [0, 1]

/**
 * Returns the `node:zlib` functions for Zstandard. Returns `undefined` if Node.js lacks these functions. They are available since
 * Node.js 22.15 and 23.8.
 */
const zstdCompression = (): Coding | undefined => {
  const sync = zlibFunction('zstdCompressSync')
  const create = zlibFunction('createZstdCompress')
  return sync === undefined || create === undefined
    ? undefined
    : {
        sync: (bytes) => {
          const compressed = sync(bytes)
          if (isBytes(compressed)) return compressed
          throw new TypeError('expected zlib.zstdCompressSync to return a Uint8Array')
        },
        stream: (isFlushed) => {
          const stream = create({ flush: isFlushed ? zstdFlush : zstdContinue })
          if (isStream(stream)) return stream
          throw new TypeError('expected zlib.createZstdCompress to return a stream')
        },
      }
}

const zlibFunction = (
  name: string,
): ((...parameters: ReadonlyArray<unknown>) => unknown) | undefined => {
  const zlib = process.getBuiltinModule('node:zlib')
  const value: unknown = Reflect.get(zlib, name)
  return typeof value === 'function'
    ? (...parameters) => Reflect.apply(value, zlib, parameters)
    : undefined
}

/** `zlib` returns an object of any type here, because the type declarations lack these functions. */
const isStream = (value: unknown): value is Transform =>
  isObject(value) && 'pipe' in value && 'write' in value

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

const isFactory = (value: unknown): value is (options: object) => DecompressionStream =>
  typeof value === 'function'

/**
 * Returns the map entry for the Zstandard decompressor, or an empty array if Node.js does not support Zstandard. The decompression
 * window is limited to 8 MiB (RFC 9659) instead of the Node.js default of 128 MiB.
 */
const zstdDecompressors = (
  zlib: object,
  constants: object,
): ReadonlyArray<readonly [string, Decompressor]> => {
  const createStream: unknown = Reflect.get(zlib, 'createZstdDecompress')
  const windowLogMax: unknown = Reflect.get(constants, 'ZSTD_d_windowLogMax')
  if (!isFactory(createStream) || typeof windowLogMax !== 'number') return []
  return [
    ['zstd', decompressorOf(() => createStream({ chunkSize, params: { [windowLogMax]: 23 } }))],
  ]
}

/**
 * Maximum size of a decompressed chunk, in bytes. With the Node.js default of 16 KiB, decompression would require four times as
 * many iterations of the event loop.
 */
const chunkSize = 64 * 1024

const allDecompressors = (): ReadonlyMap<string, Decompressor> => {
  const zlib = process.getBuiltinModule('node:zlib')
  return new Map([
    ['gzip', decompressorOf(() => zlib.createGunzip({ chunkSize }))],
    ['deflate', decompressorOf(() => zlib.createInflate({ chunkSize }))],
    ['br', decompressorOf(() => zlib.createBrotliDecompress({ chunkSize }))],
    ...zstdDecompressors(zlib, zlib.constants),
  ])
}

const noDecompressors: ReadonlyMap<string, Decompressor> = new Map()

/**
 * Creates a decompressor for each content coding that Node.js supports. Returns an empty map if `fw.http.enable-decompression` is
 * `false`.
 */
export const createDecompressors = (settings: Settings): ReadonlyMap<string, Decompressor> =>
  settings['fw.http.enable-decompression'] ? allDecompressors() : noDecompressors
