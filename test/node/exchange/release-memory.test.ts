/** Buffers that are released at once, and those that are kept. */
import * as assert from 'uvu/assert'
import { releaseMemory } from '../../../src/node/exchange/release-memory.ts'
import { describe, table } from '../../support/describe.ts'

const least = 16 * 1024

type Row = readonly [name: string, octets: Uint8Array, left: number]

describe('releaseMemory', (test) => {
  table<Row>(
    test,
    [
      ['one octet less than pays', new Uint8Array(least - 1), least - 1],
      ['as many as pay', new Uint8Array(least), 0],
      ['one more', Buffer.from(new ArrayBuffer(least + 1)), 0],
      ['the begin of other octets', new Uint8Array(2 * least).subarray(0, least), least],
      ['the end of other octets', new Uint8Array(2 * least).subarray(least), least],
      ['memory of several threads', new Uint8Array(new SharedArrayBuffer(least)), least],
    ],
    (_, octets, left) => {
      releaseMemory(octets)
      assert.is(octets.length, left)
      releaseMemory(octets)
    },
  )
  test('memory is released without garbage collection', () => {
    const before = process.memoryUsage().arrayBuffers
    for (let i = 0; i < 100; i++) releaseMemory(new Uint8Array(1024 * 1024))
    assert.ok(process.memoryUsage().arrayBuffers - before < 10 * 1024 * 1024)
  })
})
