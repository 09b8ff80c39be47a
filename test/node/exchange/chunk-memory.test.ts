/** Early garbage collections of the chunks of streamed bodies. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import * as assert from 'uvu/assert'
import { describe, table } from '../../support/describe.ts'

const file = new URL('../../../src/node/exchange/chunk-memory.js', import.meta.url).href

/** Runs statements in a new process, whose heap is small, and returns the number of minor collections that they cause. */
const minorCollections = async (statements: string): Promise<number> => {
  const program = `
    import { PerformanceObserver, constants } from 'node:perf_hooks'
    import { setTimeout as wait } from 'node:timers/promises'
    const { ChunkMemory } = await import(${JSON.stringify(file)})
    let count = 0
    const isMinor = ({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MINOR
    new PerformanceObserver((list) => {
      count += list.getEntries().filter(isMinor).length
    }).observe({ entryTypes: ['gc'] })
    const memory = new ChunkMemory()
    const MiB = 1024 * 1024
    const add = (size) => {
      for (let i = 0; i < size; i++) memory.add(MiB)
    }
    const startMajor = async () => {
      // an object that was used in this turn is not released
      await wait(10)
      gc()
      await wait(50)
      count = 0
    }
    ${statements}
    await wait(50)
    console.log(count)
  `
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--expose-gc',
    '--input-type=module',
    '--eval',
    program,
  ])
  return Number(stdout)
}

describe('ChunkMemory', (test) => {
  table(
    test,
    [
      ['starts no collection before V8 has started a major one', 'add(48)', 0],
      ['starts no collection below 12 MiB', 'await startMajor(); add(11)', 0],
      ['starts a collection at 12 MiB', 'await startMajor(); add(12)', 1],
      ['starts a collection every 12 MiB', 'await startMajor(); add(36)', 3],
      [
        'does not count released chunks',
        'await startMajor(); for (let i = 0; i < 48; i++) { add(1); memory.release(MiB) }',
        0,
      ],
      [
        'starts 64 collections after a major one',
        'await startMajor(); for (let i = 0; i < 66; i++) add(12)',
        64,
      ],
    ] as const,
    async (_, statements, expected) => {
      assert.is(await minorCollections(statements), expected)
    },
  )
})
