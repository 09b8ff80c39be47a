/**
 * Compression by `node:zlib`.
 *
 * @see https://nodejs.org/api/zlib.html
 */
import type { Transform } from 'node:stream'
import type { BrotliOptions, ZlibOptions } from 'node:zlib'
import type {
  Compression,
  Compressor,
  Compressors,
} from '../../interpreter/response/compressors.ts'
import { noCompressors } from '../../interpreter/response/compressors.ts'
import type { Settings } from '../../compiler/settings/settings.ts'
import type { Compressing } from './compressing.ts'
import { zstd } from './zstd.ts'

/** Octets that are compressed at once, in about a tenth of a millisecond; more are left to the threads of the system. */
const small = 8 * 1024

/** Brotli takes 11 unless it is told otherwise, which takes a hundred times longer; at 4 it takes as long as gzip at 6. */
const brotliQuality = 4

/** What Node has, as the settings say; nothing where nothing is compressed. */
export const createCompressors = (settings: Settings): Compressors => {
  if (!settings['fw.http.enable-compression']) return noCompressors
  const level = settings['fw.http.compression-level']
  const zlib = process.getBuiltinModule('node:zlib')
  const { Z_NO_FLUSH, Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, BROTLI_OPERATION_PROCESS } =
    zlib.constants
  const brotli = { [zlib.constants.BROTLI_PARAM_QUALITY]: brotliQuality }
  const coding = zstd()
  const flushing = (isFlushed: boolean): ZlibOptions => ({
    level,
    flush: isFlushed ? Z_SYNC_FLUSH : Z_NO_FLUSH,
  })
  const br = (isFlushed: boolean): BrotliOptions => ({
    params: brotli,
    flush: isFlushed ? BROTLI_OPERATION_FLUSH : BROTLI_OPERATION_PROCESS,
  })
  const others = coding === undefined ? [] : [['zstd', compressor(coding)] as const]
  return new Map([
    [
      'gzip',
      compressor({
        sync: (octets) => zlib.gzipSync(octets, { level }),
        stream: (isFlushed) => zlib.createGzip(flushing(isFlushed)),
      }),
    ],
    [
      'deflate',
      compressor({
        sync: (octets) => zlib.deflateSync(octets, { level }),
        stream: (isFlushed) => zlib.createDeflate(flushing(isFlushed)),
      }),
    ],
    [
      'br',
      compressor({
        sync: (octets) => zlib.brotliCompressSync(octets, { params: brotli }),
        stream: (isFlushed) => zlib.createBrotliCompress(br(isFlushed)),
      }),
    ],
    ...others,
  ])
}

const compressor = ({ sync, stream }: Compressing): Compressor => ({
  whole: (octets) =>
    octets.length <= small ? sync(octets) : new Streaming(stream(false)).whole(octets),
  begin: () => new Streaming(stream(true)),
})

/** A stream of `zlib`, asked for what it gives. */
class Streaming implements Compression {
  readonly #stream: Transform
  #octets: Uint8Array[] = []
  #reject: (error: unknown) => void = () => undefined

  constructor(stream: Transform) {
    this.#stream = stream
    stream.on('data', (octets: Uint8Array) => this.#octets.push(octets))
    stream.on('error', (error) => this.#reject(error))
  }

  write(piece: string | Uint8Array): Promise<Uint8Array> {
    return this.#asked((resolve) =>
      this.#stream.write(piece, (error) => {
        if (error) this.#reject(error)
        else resolve(this.#taken())
      }),
    )
  }

  end(): Promise<Uint8Array> {
    return this.#asked((resolve) => {
      this.#stream.once('end', () => resolve(this.#taken()))
      this.#stream.end()
    })
  }

  whole(octets: Uint8Array): Promise<Uint8Array> {
    this.#stream.write(octets)
    return this.end()
  }

  close(): void {
    this.#stream.destroy()
    this.#reject(new Error('the compression was given up'))
  }

  #asked(ask: (resolve: (octets: Uint8Array) => void) => void): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      this.#reject = reject
      ask(resolve)
    })
  }

  #taken(): Uint8Array {
    const octets = this.#octets
    this.#octets = []
    const [only] = octets
    return octets.length === 1 && only !== undefined ? only : Buffer.concat(octets)
  }
}
