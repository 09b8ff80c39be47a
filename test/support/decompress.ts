/** Reads compressed responses incrementally. */
import { StringDecoder } from 'node:string_decoder'
import { setTimeout as wait } from 'node:timers/promises'
import * as zlib from 'node:zlib'
import * as assert from 'uvu/assert'

const decoders: Readonly<Record<string, () => zlib.Gunzip | zlib.BrotliDecompress>> = {
  gzip: () => zlib.createGunzip(),
  deflate: () => zlib.createInflate(),
  br: () => zlib.createBrotliDecompress(),
  ...('createZstdDecompress' in zlib
    ? { zstd: Reflect.get(zlib, 'createZstdDecompress') as () => zlib.Gunzip }
    : {}),
}

/** The content codings that this version of Node.js can decompress. */
export const contentCodings: ReadonlyArray<string> = Object.keys(decoders)

export interface DecompressedBody {
  /** Reads until the received text equals `expected`. Fails if it differs. */
  readonly until: (expected: string) => Promise<void>
  /** Reads until the text matches `pattern`. */
  readonly untilLike: (pattern: RegExp) => Promise<void>
  /** Reads to the end of the response, which must also be the end of the compressed data, and returns the text. */
  readonly rest: () => Promise<string>
  readonly cancel: () => Promise<void>
}

/** Decompresses the body of a response according to its `Content-Encoding`. */
export const decompress = (response: Response): DecompressedBody => {
  const decoder = decoders[response.headers.get('content-encoding') ?? '']?.()
  if (decoder === undefined) throw new Error('the response is not compressed')
  const reader = response.body?.getReader()
  const texts: string[] = []
  // a chunk can end inside a character
  const utf8 = new StringDecoder()
  decoder.on('data', (chunk: Buffer) => texts.push(utf8.write(chunk)))
  /** Reads one chunk. Returns false at the end. */
  const read = async (): Promise<boolean> => {
    const result = await reader?.read()
    if (result?.done !== false) return false
    await new Promise((done) => decoder.write(result.value, done))
    return true
  }
  return {
    until: async (expected) => {
      while (texts.join('') !== expected) {
        assert.ok(expected.startsWith(texts.join('')), texts.join(''))
        assert.ok(await read(), 'unexpected end of the response')
        await wait(1)
      }
    },
    untilLike: async (pattern) => {
      while (!pattern.test(texts.join(''))) {
        assert.ok(await read(), `unexpected end of the response: ${texts.join('')}`)
        await wait(1)
      }
    },
    rest: async () => {
      while (await read());
      await new Promise<void>((resolve, reject) => {
        decoder.on('error', reject)
        decoder.end(resolve)
      })
      return texts.join('')
    },
    cancel: async () => reader?.cancel(),
  }
}
