/** Decompression with `node:zlib`: the content codings of RFC 9110, 8.4.1, `br`, and `zstd` if Node.js supports it. */
import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Decompressor } from '../../interpreter/platform.ts'
import type { Settings } from '../../compiler/settings/settings.ts'

type DecompressionStream = Transform & { readonly bytesWritten: number }

/** Returns a decoder that pipes its input through a stream of `node:zlib`, with back-pressure. */
const through = (createStream: () => DecompressionStream): Decompressor =>
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
    // an error of the source is also emitted by the stream
    pipeline(counted(), stream).catch(() => undefined)
    yield* stream
    // Node.js silently ignores bytes after the end of the compressed data
    if (!isComplete || stream.bytesWritten < bytesRead)
      throw new Error('unexpected bytes after the end of the compressed data')
  }

const isFactory = (value: unknown): value is (options: object) => DecompressionStream =>
  typeof value === 'function'

/** Zstandard, supported since Node.js 22.15. The window is limited to 8 MiB (RFC 9659); the default of Node.js is 128 MiB. */
const zstd = (zlib: object, constants: object): ReadonlyArray<readonly [string, Decompressor]> => {
  const createStream: unknown = Reflect.get(zlib, 'createZstdDecompress')
  const windowLogMax: unknown = Reflect.get(constants, 'ZSTD_d_windowLogMax')
  if (!isFactory(createStream) || typeof windowLogMax !== 'number') return []
  return [['zstd', through(() => createStream({ chunkSize, params: { [windowLogMax]: 23 } }))]]
}

/** Bytes of an output chunk. The default of 16 KiB takes four times as many turns of the event loop. */
const chunkSize = 64 * 1024

const allDecompressors = (): ReadonlyMap<string, Decompressor> => {
  const zlib = process.getBuiltinModule('node:zlib')
  return new Map([
    ['gzip', through(() => zlib.createGunzip({ chunkSize }))],
    ['deflate', through(() => zlib.createInflate({ chunkSize }))],
    ['br', through(() => zlib.createBrotliDecompress({ chunkSize }))],
    ...zstd(zlib, zlib.constants),
  ])
}

const none: ReadonlyMap<string, Decompressor> = new Map()

/** Creates the decompressors that Node.js supports; none if decompression is disabled. */
export const createDecompressors = (settings: Settings): ReadonlyMap<string, Decompressor> =>
  settings['fw.http.enable-decompression'] ? allDecompressors() : none
