/**
 * Measures the cost of three synchronous filters. One server sends the same response with and without them, in turn. Prints
 * the ratio of responses per second and per second of CPU time. Exits with 1 if the second is below 0.9.
 *
 * @import { Exchange } from './frameworks/workloads.mjs'
 */
import { measureRate } from './load/generator.mjs'
import { wrk } from './load/wrk.mjs'
import { start } from './support/server-process.mjs'
import { cpuSeconds } from './support/cpu-time.mjs'
import { median, ratios } from './support/statistics.mjs'

const minimum = 0.9
const rounds = 9
const options = { connections: 64, seconds: 2 }

/** @type {(target: string) => Exchange} */
const exchange = (target) => ({
  request: { method: 'GET', target, headers: {} },
  expected: { status: 200 },
})
const bare = exchange('/json')
const filtered = exchange('/filtered/json')

const { origin, pid, stop } = await start({ name: 'espalier-filters', title: 'espalier' }, 1)
try {
  /** @typedef {{ rate: number, perCpuSecond: number }} Figures */

  /** @type {(exchange: Exchange) => Promise<Figures>} */
  const measure = async (exchange) => {
    const before = cpuSeconds(pid) ?? NaN
    const { responses, seconds } = await measureRate(wrk, origin, exchange, options)
    const after = cpuSeconds(pid) ?? NaN
    return { rate: responses / seconds, perCpuSecond: responses / (after - before) }
  }
  for (const warmUp of [bare, filtered]) await measure(warmUp)
  /** @type {{ filtered: Figures, bare: Figures }[]} */
  const measured = []
  for (let round = 0; round < rounds; round++)
    measured.push({ bare: await measure(bare), filtered: await measure(filtered) })
  /** @type {(key: 'rate' | 'perCpuSecond') => number} */
  const ratio = (key) =>
    median(
      ratios(
        measured.map(({ filtered: figures }) => figures[key]),
        measured.map(({ bare: figures }) => figures[key]),
      ),
    )
  console.log(
    `with three filters: ${ratio('rate').toFixed(2)} times the rate, ${ratio('perCpuSecond').toFixed(2)} times the responses per second of CPU time`,
  )
  if (ratio('perCpuSecond') < minimum) process.exitCode = 1
} finally {
  await stop()
}
