/**
 * What views and secured fields cost: one server answers the same by codecs with restrictions and without, in turn. Prints
 * the ratio of answers per second and per second of processor time; ends with 1 when the second is below 0.85.
 *
 * @import { Exchange } from './frameworks/workloads.mjs'
 */
import { measureRate } from './load/generator.mjs'
import { wrk } from './load/wrk.mjs'
import { start } from './support/server-process.mjs'
import { processorSeconds } from './support/cpu-time.mjs'
import { median, ratios } from './support/statistics.mjs'

const least = 0.85
const rounds = 7
const pressure = { connections: 64, seconds: 2 }

/** @type {(target: string) => Exchange} */
const exchange = (target) => ({
  request: { method: 'GET', target, headers: {} },
  answer: { status: 200 },
})

const { origin, pid, stop } = await start({ name: 'espalier-visibility', title: 'espalier' }, 1)
try {
  /** @type {(target: string) => Promise<string>} */
  const contentOf = async (target) => (await fetch(`${origin}${target}`)).text()

  /** @typedef {{ rate: number, perProcessor: number }} Figures */

  /** @type {(one: Exchange) => Promise<Figures>} */
  const measure = async (one) => {
    const before = processorSeconds(pid) ?? NaN
    const { answers, seconds } = await measureRate(wrk, origin, one, pressure)
    const after = processorSeconds(pid) ?? NaN
    return { rate: answers / seconds, perProcessor: answers / (after - before) }
  }
  for (const target of ['/one', '/many']) {
    if ((await contentOf(target)) !== (await contentOf(`/projected${target}`)))
      throw new Error(`the answers of ${target} differ`)
    const [without, having] = [exchange(target), exchange(`/projected${target}`)]
    for (const one of [without, having]) await measure(one)
    /** @type {{ having: Figures, without: Figures }[]} */
    const measured = []
    for (let round = 0; round < rounds; round++)
      measured.push({ without: await measure(without), having: await measure(having) })
    /** @type {(key: 'rate' | 'perProcessor') => number} */
    const ratio = (key) =>
      median(
        ratios(
          measured.map(({ having: one }) => one[key]),
          measured.map(({ without: one }) => one[key]),
        ),
      )
    console.log(
      `${target} with restrictions: ${ratio('rate').toFixed(2)} of the rate, ${ratio('perProcessor').toFixed(2)} of the answers per second of processor time`,
    )
    if (ratio('perProcessor') < least) process.exitCode = 1
  }
} finally {
  await stop()
}
