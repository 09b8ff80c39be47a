import * as zlib from 'node:zlib'
import * as assert from 'uvu/assert'
import { defaultSettings } from '../../src/compiler/settings/settings.ts'
import { createCompressors } from '../../src/node/compression.ts'
import { describe } from '../support/describe.ts'

const compressors = createCompressors({ ...defaultSettings, 'fw.http.enable-compression': true })

/** Far above the size up to which bodies are compressed at once. */
const large = Uint8Array.from({ length: 500_000 }, (_, index) => (index * index) % 251)

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '')

describe('createCompressors', (test) => {
  test('returns an empty map if compression is disabled', () =>
    assert.is(createCompressors(defaultSettings).size, 0))
  test('returns the content codings that Node.js supports', () =>
    assert.equal(
      [...compressors.keys()],
      ['gzip', 'deflate', 'br', ...('createZstdCompress' in zlib ? ['zstd'] : [])],
    ))
  for (const [name, compressor] of compressors) {
    test(`${name}: bodies up to 8 KiB are compressed synchronously, larger ones asynchronously`, async () => {
      assert.ok(compressor.compress(new Uint8Array(8192)) instanceof Uint8Array)
      assert.ok((await compressor.compress(new Uint8Array(8193))) instanceof Uint8Array)
      assert.ok(compressor.compress(new Uint8Array(8193)) instanceof Promise)
    })
    test(`${name}: a large body does not block the event loop`, async () => {
      const compression = Promise.resolve(compressor.compress(large)).then(() => 'compressed')
      const nextTurn = new Promise((resolve) => setImmediate(resolve, 'next turn'))
      assert.is(await Promise.race([compression, nextTurn]), 'next turn')
      assert.is(await compression, 'compressed')
    })
    test(`${name}: close rejects a pending write`, async () => {
      const compression = compressor.start?.()
      if (compression === undefined) return assert.unreachable('expected a compressor of streams')
      assert.ok((await compression.write('a')).length > 0)
      const late = compression.write(Buffer.alloc(1_000_000, 'a')).catch(messageOf)
      compression.close()
      assert.is(await late, 'compression aborted')
      assert.match(await compression.write('b').then(String, messageOf), /destroyed/)
      compression.close()
    })
    test(`${name}: a write after the end rejects`, async () => {
      const compression = compressor.start?.()
      if (compression === undefined) return assert.unreachable('expected a compressor of streams')
      assert.ok((await compression.end()).length > 0)
      assert.match(await compression.write('b').then(String, messageOf), /after end|destroyed/)
      compression.close()
    })
  }
})
