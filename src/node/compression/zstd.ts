/** Zstandard, which Node has from 22.15 and 23.8 on: until those are the oldest that count, it is looked for. */
import { Transform } from 'node:stream'
import type { Compressing } from './compressing.ts'

/** `ZSTD_e_continue` and `ZSTD_e_flush` of `zlib.constants`. */
const [goOn, flush] = [0, 1]

const find = (name: string): ((...given: ReadonlyArray<unknown>) => unknown) | undefined => {
  const zlib = process.getBuiltinModule('node:zlib')
  const found: unknown = Reflect.get(zlib, name)
  return typeof found === 'function' ? (...given) => Reflect.apply(found, zlib, given) : undefined
}

/** `undefined` where Node has none. */
export const zstd = (): Compressing | undefined => {
  const sync = find('zstdCompressSync')
  const create = find('createZstdCompress')
  return sync === undefined || create === undefined
    ? undefined
    : {
        sync: (octets) => {
          const compressed = sync(octets)
          if (compressed instanceof Uint8Array) return compressed
          throw new TypeError('zlib.zstdCompressSync gave no octets')
        },
        stream: (isFlushed) => {
          const stream = create({ flush: isFlushed ? flush : goOn })
          if (stream instanceof Transform) return stream
          throw new TypeError('zlib.createZstdCompress gave no stream')
        },
      }
}
