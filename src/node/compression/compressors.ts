/**
 * Compression with `node:zlib`.
 *
 * @see https://nodejs.org/api/zlib.html
 */
import { Transform } from 'node:stream'
import type { BrotliOptions, ZlibOptions } from 'node:zlib'
import type {
  Compression,
  Compressor,
  Compressors,
} from '../../interpreter/response/compressors.ts'
import { noCompressors } from '../../interpreter/response/compressors.ts'
import type { Settings } from '../../compiler/settings/settings.ts'

/** Bytes up to which a body is compressed synchronously, in about 0.1 ms. Larger bodies are compressed on the thread pool. */
const syncLimit = 8 * 1024

/** The default quality of Brotli is 11, which takes a hundred times longer. At 4, it takes as long as gzip at 6. */
const brotliQuality = 4

/** The functions of `node:zlib` for one content coding. */
interface Coding {
  readonly sync: (bytes: Uint8Array) => Uint8Array
  /** Creates a stream. If `isFlushed`, the output of each chunk contains all of its input. */
  readonly stream: (isFlushed: boolean) => Transform
}

/** Creates the compressors that Node.js supports; none if compression is disabled. */
export const createCompressors = (settings: Settings): Compressors => {
  if (!settings['fw.http.enable-compression']) return noCompressors
  const level = settings['fw.http.compression-level']
  const zlib = process.getBuiltinModule('node:zlib')
  const { Z_NO_FLUSH, Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, BROTLI_OPERATION_PROCESS } =
    zlib.constants
  const brotli = { [zlib.constants.BROTLI_PARAM_QUALITY]: brotliQuality }
  const zstd = zstdCoding()
  const zlibOptions = (isFlushed: boolean): ZlibOptions => ({
    level,
    flush: isFlushed ? Z_SYNC_FLUSH : Z_NO_FLUSH,
  })
  const brotliOptions = (isFlushed: boolean): BrotliOptions => ({
    params: brotli,
    flush: isFlushed ? BROTLI_OPERATION_FLUSH : BROTLI_OPERATION_PROCESS,
  })
  const optional = zstd === undefined ? [] : [['zstd', compressorOf(zstd)] as const]
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
    ...optional,
  ])
}

const compressorOf = ({ sync, stream }: Coding): Compressor => ({
  compress: (bytes) =>
    bytes.length <= syncLimit ? sync(bytes) : new StreamCompression(stream(false)).whole(bytes),
  start: () => new StreamCompression(stream(true)),
})

/** Reads the output of a `zlib` stream by promises. */
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

  whole(bytes: Uint8Array): Promise<Uint8Array> {
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

/** `ZSTD_e_continue` and `ZSTD_e_flush` of `zlib.constants`. */
const [zstdContinue, zstdFlush] = [0, 1]

/** Zstandard, supported since Node.js 22.15 and 23.8; `undefined` in earlier versions. */
const zstdCoding = (): Coding | undefined => {
  const sync = zlibFunction('zstdCompressSync')
  const create = zlibFunction('createZstdCompress')
  return sync === undefined || create === undefined
    ? undefined
    : {
        sync: (bytes) => {
          const compressed = sync(bytes)
          if (compressed instanceof Uint8Array) return compressed
          throw new TypeError('expected zlib.zstdCompressSync to return a Uint8Array')
        },
        stream: (isFlushed) => {
          const stream = create({ flush: isFlushed ? zstdFlush : zstdContinue })
          if (stream instanceof Transform) return stream
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
