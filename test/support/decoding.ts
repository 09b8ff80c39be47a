/** Clients that read compressed streams as they come. */
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

/** Those that this Node has. */
export const codings: ReadonlyArray<string> = Object.keys(decoders)

export interface Decoded {
  /** Reads on until exactly this text has come, and no further. */
  readonly until: (expected: string) => Promise<void>
  /** Reads on until the text is like this. */
  readonly untilLike: (pattern: RegExp) => Promise<void>
  /** Reads to the end, which has to be one of the coding too, and gives the whole text. */
  readonly rest: () => Promise<string>
  readonly cancel: () => Promise<void>
}

/** What can be read of a response, decoded by what its coding says. */
export const decoded = (response: Response): Decoded => {
  const decoder = decoders[response.headers.get('content-encoding') ?? '']?.()
  if (decoder === undefined) throw new Error('the response is not coded')
  const reader = response.body?.getReader()
  const texts: string[] = []
  decoder.on('data', (octets: Buffer) => texts.push(octets.toString()))
  /** Whether there was more. */
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
        assert.ok(await read(), 'it is at its end')
        await wait(1)
      }
    },
    untilLike: async (pattern) => {
      while (!pattern.test(texts.join(''))) {
        assert.ok(await read(), `it ended: ${texts.join('')}`)
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
