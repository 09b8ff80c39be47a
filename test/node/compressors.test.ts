import { createHook } from 'node:async_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import * as zlib from 'node:zlib'
import * as assert from 'uvu/assert'
import { defaults } from '../../src/interpreter/settings.ts'
import { compressorsOf } from '../../src/node/compressors.ts'
import { describe } from '../support/describe.ts'

const compressors = compressorsOf({ ...defaults, 'fw.http.enable-compression': true })

describe('compressorsOf', (test) => {
  test('has nothing where nothing is compressed', () => assert.is(compressorsOf(defaults).size, 0))
  test('has what Node has', () =>
    assert.equal(
      [...compressors.keys()],
      ['gzip', 'deflate', 'br', ...('createZstdCompress' in zlib ? ['zstd'] : [])],
    ))
  for (const [name, compressor] of compressors) {
    test(`${name}: what is small is there at once, what is large later`, async () => {
      assert.ok(compressor.whole(new Uint8Array(8192)) instanceof Uint8Array)
      assert.ok((await compressor.whole(new Uint8Array(8193))) instanceof Uint8Array)
      assert.ok(compressor.whole(new Uint8Array(8193)) instanceof Promise)
    })
    test(`${name}: what is large does not hold up the event loop`, async () => {
      const octets = Buffer.from(
        Array.from({ length: 4_000_000 }, (_, index) => (index * index) % 251),
      )
      let turns = 0
      const turn = setInterval(() => turns++, 1)
      await compressor.whole(octets)
      clearInterval(turn)
      assert.ok(turns > 1, `${turns} turns of the event loop`)
    })
    test(`${name}: what is given up is given back`, async () => {
      const open = new Set<number>()
      const hook = createHook({
        init: (id, type) => {
          if (/zlib|brotli|zstd/i.test(type)) open.add(id)
        },
        destroy: (id) => void open.delete(id),
      }).enable()
      try {
        const compression = compressor.begin()
        await compression.write('a')
        const { size } = open
        const late = compression.write(Buffer.alloc(1_000_000, 'a')).then(
          () => 'done',
          () => 'given up',
        )
        compression.close()
        assert.is(await late, 'given up')
        compression.close()
        const ended = compressor.begin()
        await ended.write('a')
        await ended.end()
        await wait(50)
        assert.ok(size > 0)
        assert.is(open.size, 0)
      } finally {
        hook.disable()
      }
    })
  }
})
