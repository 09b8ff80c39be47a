/** The content codings that Node can take off: those of RFC 9110, 8.4.1, and `br` and, where it is there, `zstd`. */
import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Decoder } from '../../interpreter/request-body/decoder.ts'
import type { Settings } from '../../compiler/settings/settings.ts'

type Unzip = Transform & { readonly bytesWritten: number }

/** The octets that come out of a stream of `node:zlib`. It takes no more in than is asked of it. */
const through = (make: () => Unzip): Decoder =>
  async function* (coded): AsyncGenerator<Uint8Array, undefined> {
    let given = 0
    let isWhole = false
    async function* counted(): AsyncGenerator<Uint8Array, undefined> {
      for await (const piece of coded) {
        given += piece.length
        yield piece
      }
      isWhole = true
    }
    const stream = make()
    // what fails there fails the stream too
    pipeline(counted(), stream).catch(() => undefined)
    yield* stream
    // Node drops what stands behind the end in silence
    if (!isWhole || stream.bytesWritten < given) throw new Error('octets behind the end')
  }

const isFactory = (value: unknown): value is (options: object) => Unzip =>
  typeof value === 'function'

/** From Node 22.15 on. A window may have 8 MiB (RFC 9659), where Node would take 128. */
const zstd = (zlib: object, constants: object): ReadonlyArray<readonly [string, Decoder]> => {
  const make: unknown = Reflect.get(zlib, 'createZstdDecompress')
  const windowLogMax: unknown = Reflect.get(constants, 'ZSTD_d_windowLogMax')
  if (!isFactory(make) || typeof windowLogMax !== 'number') return []
  return [['zstd', through(() => make({ chunkSize, params: { [windowLogMax]: 23 } }))]]
}

/** Octets that come out in one piece; with the 16 KiB that Node has, four times as many turns are made. */
const chunkSize = 64 * 1024

const all = (): ReadonlyMap<string, Decoder> => {
  const zlib = process.getBuiltinModule('node:zlib')
  return new Map([
    ['gzip', through(() => zlib.createGunzip({ chunkSize }))],
    ['deflate', through(() => zlib.createInflate({ chunkSize }))],
    ['br', through(() => zlib.createBrotliDecompress({ chunkSize }))],
    ...zstd(zlib, zlib.constants),
  ])
}

const none: ReadonlyMap<string, Decoder> = new Map()

/** The decoders that the settings allow. */
export const createDecompressors = (settings: Settings): ReadonlyMap<string, Decoder> =>
  settings['fw.http.enable-decompression'] ? all() : none
