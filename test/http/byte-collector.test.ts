import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { ByteCollector } from '../../src/http/byte-collector.ts'
import { describe, law } from '../support/describe.ts'

const anyChunk = fc.oneof(
  fc.uint8Array({ maxLength: 3 }),
  fc.uint8Array({ minLength: 1000, maxLength: 1100, size: 'max' }),
)

const usedMemory = (): number => {
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

describe('ByteCollector', (test) => {
  law(
    test,
    'take returns all bytes in order and resets the collector',
    fc.array(fc.array(anyChunk, { maxLength: 40, size: 'max' }), { maxLength: 3 }),
    (bodies) => {
      const collector = new ByteCollector()
      for (const chunks of bodies) {
        for (const chunk of chunks) collector.add(chunk)
        const expected = Buffer.concat(chunks)
        assert.is(collector.length, expected.length)
        assert.equal(Buffer.from(collector.take()), expected)
      }
    },
  )

  law(
    test,
    'addCopy keeps the bytes of a chunk that changes afterwards',
    fc.array(anyChunk, { maxLength: 40, size: 'max' }),
    (chunks) => {
      const collector = new ByteCollector()
      for (const chunk of chunks) {
        const reused = Buffer.from(chunk)
        collector.addCopy(reused)
        reused.fill(0)
      }
      assert.equal(Buffer.from(collector.take()), Buffer.concat(chunks))
    },
  )

  test('take returns a single chunk without copying it', () => {
    const chunk = Uint8Array.of(1, 2)
    const collector = new ByteCollector()
    collector.add(chunk)
    assert.is(collector.take(), chunk)
  })

  test('adding chunks does not change bytes that take returned', () => {
    const collector = new ByteCollector()
    for (let n = 0; n < 100; n++) collector.add(Uint8Array.of(n))
    const first = collector.take()
    for (let n = 0; n < 100; n++) collector.add(Uint8Array.of(255))
    assert.is(first[50], 50)
  })

  test('one-byte chunks take less than ten times their size', () => {
    const size = 500_000
    const collector = new ByteCollector()
    const chunk = Uint8Array.of(1)
    const before = usedMemory()
    for (let n = 0; n < size; n++) collector.addCopy(chunk)
    assert.ok(usedMemory() - before < 10 * size)
    assert.is(collector.take().length, size)
  })
})
