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
    await wait(50)
    const before = count
    ${statements}
    await wait(50)
    console.log(count - before)
  `
  const { stdout } = await promisify(execFile)(process.execPath, [
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
      ['starts no collection below 16 MiB', 'for (let i = 0; i < 15; i++) memory.add(MiB)', 0],
      ['starts a collection at 16 MiB', 'for (let i = 0; i < 16; i++) memory.add(MiB)', 1],
      ['starts a collection every 16 MiB', 'for (let i = 0; i < 48; i++) memory.add(MiB)', 3],
      [
        'does not count released chunks',
        'for (let i = 0; i < 48; i++) { memory.add(MiB); memory.release(MiB) }',
        0,
      ],
    ] as const,
    async (_, statements, expected) => {
      assert.is(await minorCollections(statements), expected)
    },
  )
})
