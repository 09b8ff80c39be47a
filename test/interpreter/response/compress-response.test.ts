import * as assert from 'uvu/assert'
import { compressChunks } from '../../../src/interpreter/response/compress-response.ts'
import type { Compression, ChunkSource } from '../../../src/interpreter/exchange.ts'
import { describe } from '../../support/describe.ts'

/** Creates chunk sources and a compression that record their events. */
const recording = () => {
  const events: string[] = []
  const chunks = (...values: ReadonlyArray<string | Error>): ChunkSource => {
    const remaining = [...values]
    return {
      length: 7,
      next: async () => {
        const value = remaining.shift()
        if (value instanceof Error) throw value
        events.push(`next ${value}`)
        return value === undefined ? { done: true, value } : { done: false, value }
      },
      close: () => void events.push('source closed'),
    }
  }
  const start = (): Compression => {
    events.push('started')
    return {
      // a compressor may buffer small chunks
      write: async (chunk) => Buffer.from(chunk === 'buffered' ? '' : `<${String(chunk)}>`),
      end: async () => Buffer.from('</>'),
      close: () => void events.push('compression closed'),
    }
  }
  return { events, chunks, start }
}

const textOf = async (chunks: ChunkSource): Promise<string | undefined> => {
  const { done, value } = await chunks.next()
  return done === true ? undefined : Buffer.from(value).toString()
}

describe('compressChunks', (test) => {
  test('requests chunks on demand', async () => {
    const { events, chunks, start } = recording()
    const compressed = compressChunks(chunks('a', 'buffered', 'b'), start)
    assert.is(compressed.length, undefined)
    assert.equal(events, [])
    assert.is(await textOf(compressed), '<a>')
    assert.equal(events, ['next a', 'started'])
    assert.is(await textOf(compressed), '<b>')
    assert.is(await textOf(compressed), '</>')
    assert.is(await textOf(compressed), undefined)
    assert.is(await textOf(compressed), undefined)
    compressed.close()
    assert.equal(events, [
      'next a',
      'started',
      'next buffered',
      'next b',
      'next undefined',
      'source closed',
      'compression closed',
    ])
  })
  test('starts no compression if no chunk is read', () => {
    const { events, chunks, start } = recording()
    compressChunks(chunks('a'), start).close()
    assert.equal(events, ['source closed'])
  })
  test('rejects with the error of its source', async () => {
    const { events, chunks, start } = recording()
    const compressed = compressChunks(chunks('a', new Error('broken')), start)
    assert.is(await textOf(compressed), '<a>')
    const error = await textOf(compressed).catch((reason: unknown) => reason)
    assert.ok(error instanceof Error && error.message === 'broken')
    compressed.close()
    assert.equal(events.slice(2), ['source closed', 'compression closed'])
  })
  test('starts no compression if it is closed during a read', async () => {
    const { events, chunks, start } = recording()
    const compressed = compressChunks(chunks('a'), start)
    const next = textOf(compressed)
    compressed.close()
    assert.is(await next, undefined)
    assert.equal(events, ['next a', 'source closed'])
  })
})
