/**
 * Measures the cost of views and secured fields. One server sends the same response with a plain codec and with one that has
 * visibility rules, in turn. Prints the ratio of responses per second and per second of CPU time. Exits with 1 if the second
 * is below 0.85.
 *
 * @import { Exchange } from './frameworks/workloads.mjs'
 */
import { measureRate } from './load/generator.mjs'
import { wrk } from './load/wrk.mjs'
import { start } from './support/server-process.mjs'
import { cpuSeconds } from './support/cpu-time.mjs'
import { median, ratios } from './support/statistics.mjs'

const minimum = 0.85
const rounds = 7
const options = { connections: 64, seconds: 2 }

/** @type {(target: string) => Exchange} */
const exchange = (target) => ({
  request: { method: 'GET', target, headers: {} },
  expected: { status: 200 },
})

const { origin, pid, stop } = await start({ name: 'espalier-visibility', title: 'espalier' }, 1)
try {
  /** @type {(target: string) => Promise<string>} */
  const bodyOf = async (target) => (await fetch(`${origin}${target}`)).text()

  /** @typedef {{ rate: number, perCpuSecond: number }} Figures */

  /** @type {(measuredExchange: Exchange) => Promise<Figures>} */
  const measure = async (measuredExchange) => {
    const before = cpuSeconds(pid) ?? NaN
    const { responses, seconds } = await measureRate(wrk, origin, measuredExchange, options)
    const after = cpuSeconds(pid) ?? NaN
    return { rate: responses / seconds, perCpuSecond: responses / (after - before) }
  }
  for (const target of ['/one', '/many']) {
    if ((await bodyOf(target)) !== (await bodyOf(`/restricted${target}`)))
      throw new Error(`the responses to ${target} differ`)
    const [plain, restricted] = [exchange(target), exchange(`/restricted${target}`)]
    for (const warmUp of [plain, restricted]) await measure(warmUp)
    /** @type {{ restricted: Figures, plain: Figures }[]} */
    const measured = []
    for (let round = 0; round < rounds; round++)
      measured.push({ plain: await measure(plain), restricted: await measure(restricted) })
    /** @type {(key: 'rate' | 'perCpuSecond') => number} */
    const ratio = (key) =>
      median(
        ratios(
          measured.map(({ restricted: figures }) => figures[key]),
          measured.map(({ plain: figures }) => figures[key]),
        ),
      )
    console.log(
      `${target} with visibility rules: ${ratio('rate').toFixed(2)} times the rate, ${ratio('perCpuSecond').toFixed(2)} times the responses per second of CPU time`,
    )
    if (ratio('perCpuSecond') < minimum) process.exitCode = 1
  }
} finally {
  await stop()
}
