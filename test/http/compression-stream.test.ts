import * as assert from 'uvu/assert'
import { transformChunks } from '../../src/http/compression-stream.ts'
import { describe } from '../support/describe.ts'

const open = (iterator: Partial<AsyncIterator<Uint8Array>>): AsyncIterable<Uint8Array> => ({
  [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined), ...iterator }),
})

const read = async (chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const received: Uint8Array[] = []
  for await (const chunk of chunks) received.push(chunk)
  return new Uint8Array(Buffer.concat(received))
}

describe('transformChunks', (test) => {
  test('compressed chunks are decompressed to the original bytes', async () => {
    const chunks = ['a'.repeat(100_000), '', 'b'].map((text) => new TextEncoder().encode(text))
    const compressed = transformChunks(
      open({
        next: async () => {
          const value = chunks.shift()
          return value === undefined ? { done: true, value } : { done: false, value }
        },
      }),
      new CompressionStream('gzip'),
    )
    const result = await read(transformChunks(compressed, new DecompressionStream('gzip')))
    assert.is(new TextDecoder().decode(result), `${'a'.repeat(100_000)}b`)
  })
  test('an error of the source ends the iteration', async () => {
    const failure = new Error('lost')
    const chunks = open({ next: () => Promise.reject(failure) })
    try {
      await read(transformChunks(chunks, new CompressionStream('gzip')))
      assert.unreachable()
    } catch (error) {
      assert.is(error, failure)
    }
  })
  test('closing the generator closes a source that waits for a chunk', async () => {
    let isClosed = false
    let isFirst = true
    const chunks = open({
      next: () => {
        const value = crypto.getRandomValues(new Uint8Array(60_000))
        const next = isFirst ? { done: false, value } : new Promise<never>(() => undefined)
        isFirst = false
        return Promise.resolve(next)
      },
      return: async () => {
        isClosed = true
        return { done: true, value: undefined }
      },
    })
    for await (const chunk of transformChunks(chunks, new CompressionStream('gzip')))
      if (chunk.length > 0) break
    assert.ok(isClosed)
  })
})
