import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { ByteCollector } from '../../src/interpreter/byte-collector.ts'
import { describe, law, table } from '../support/describe.ts'

const collected = (chunks: Iterable<Uint8Array>): ByteCollector => {
  const collector = new ByteCollector()
  for (const chunk of chunks) collector.add(chunk)
  return collector
}

function* repeated(count: number, ...sizes: ReadonlyArray<number>): Generator<Uint8Array> {
  for (let index = 0; index < count; index++)
    yield new Uint8Array(sizes[index % sizes.length] ?? 0).fill(index)
}

describe('ByteCollector', (test) => {
  law(
    test,
    'returns the bytes that were added',
    fc.array(
      fc.oneof(
        { weight: 5, arbitrary: fc.uint8Array({ maxLength: 20 }) },
        fc.integer({ min: 0, max: 40_000 }).map((size) => new Uint8Array(size).fill(size)),
      ),
    ),
    (chunks) => {
      const all = Buffer.concat(chunks)
      assert.is(Buffer.compare(collected(chunks).whole(), all), 0)
      assert.is(Buffer.compare(Buffer.concat(collected(chunks).chunks()), all), 0)
      assert.is(collected(chunks).size, all.length)
    },
  )
  test('returns a single chunk unchanged', () => {
    const only = new Uint8Array(10)
    assert.is(collected([only]).whole(), only)
  })
  test('is empty after clear', () => {
    const collector = collected(repeated(10, 1, 2000))
    collector.clear()
    assert.equal([collector.size, collector.whole().length], [0, 0])
    collector.add(Uint8Array.of(1))
    assert.equal([...collector.whole()], [1])
  })
  table<readonly [title: string, sizes: ReadonlyArray<number>, chunksPerKilobyte: number]>(
    test,
    [
      ['chunks of one byte are merged', [1], 0.1],
      ['chunks of 100 bytes are merged', [100], 0.1],
      ['chunks of one byte between large ones are merged', [1, 1024], 2],
      ['large chunks are kept', [20_000], 1],
    ],
    (_, sizes, most) => {
      const collector = collected(repeated(20_000, ...sizes))
      const chunks = collector.chunks()
      assert.ok(chunks.length <= (collector.size / 1024) * most + 10, `${chunks.length} chunks`)
      const memory = chunks.reduce((sum, { buffer }) => sum + buffer.byteLength, 0)
      assert.ok(memory <= collector.size + 32 * 1024, `${memory} bytes`)
    },
  )
})
