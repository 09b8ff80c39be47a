import { getHeapStatistics } from 'node:v8'
import * as assert from 'uvu/assert'
import { defaultSettings } from '../../src/compiler/settings/settings.ts'
import { createBodyMemory, resolveBufferedSize } from '../../src/node/body-memory.ts'
import { describe, table } from '../support/describe.ts'
import { recorder } from '../support/recorder.ts'

describe('fw.http.limits.max-buffered-size', (test) => {
  table(
    test,
    [
      ['a number of bytes', 4096, 4096],
      ['no byte at all', 0, 0],
      ['a part of the heap limit', { percent: 25 }, 250],
      ['a part is rounded down', { percent: 33 }, 330],
      ['unbounded', undefined, Infinity],
    ] as const,
    (_, size, bytes) =>
      assert.is(
        resolveBufferedSize(size, () => 1000),
        bytes,
      ),
  )
  test('is a quarter of the heap limit by default', () => {
    const { limit } = createBodyMemory(defaultSettings, recorder().logger)
    assert.is(limit, Math.floor(getHeapStatistics().heap_size_limit / 4))
  })
  test('the first rejection is logged, and the next one after a minute without any', () => {
    const { logger, lines } = recorder()
    let now = 0
    const memory = createBodyMemory(
      { ...defaultSettings, 'fw.http.limits.max-buffered-size': 100 },
      logger,
      () => now,
    )
    memory.add(90)
    for (const time of [0, 1000, 59_000, 118_000, 178_001]) {
      now = time
      memory.reject()
    }
    assert.equal(
      lines.map(({ level, members }) => [level, members]),
      [
        ['warn', { buffered: 90, limit: 100 }],
        ['warn', { buffered: 90, limit: 100 }],
      ],
    )
  })
})
