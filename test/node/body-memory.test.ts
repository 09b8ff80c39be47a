import { getHeapStatistics } from 'node:v8'
import * as assert from 'uvu/assert'
import { defaultSettings } from '../../src/compiler/settings/settings.ts'
import { createBodyMemory, resolveBufferedSize } from '../../src/node/body-memory.ts'
import { describe, table } from '../support/describe.ts'
import { createRecorder } from '../support/recorder.ts'

describe('fw.http.limits.max-buffered-size', (test) => {
  table(
    test,
    [
      ['a number of bytes', 4096, 4096],
      ['zero bytes', 0, 0],
      ['a percentage of the heap limit', { percent: 25 }, 250],
      ['a percentage, rounded down', { percent: 33 }, 330],
      ['unbounded', undefined, Infinity],
    ] as const,
    (_, size, bytes) =>
      assert.is(
        resolveBufferedSize(size, () => 1000),
        bytes,
      ),
  )
  test('the default is a quarter of the heap limit', () => {
    const { limit } = createBodyMemory(defaultSettings, createRecorder().logger)
    assert.is(limit, Math.floor(getHeapStatistics().heap_size_limit / 4))
  })
  test('a rejection is logged if none occurred in the previous minute', () => {
    const { logger, lines } = createRecorder()
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
