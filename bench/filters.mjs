/**
 * What three synchronous filters cost: one server answers the same with them and without, in turn.
 * Prints the ratio of answers per second and per second of processor time; ends with 1 when the
 * second is below nine tenths.
 *
 * @import { Exchange } from './frameworks/workloads.mjs'
 */
import { measureRate } from './load/generator.mjs'
import { wrk } from './load/wrk.mjs'
import { start } from './support/server-process.mjs'
import { processorSeconds } from './support/cpu-time.mjs'
import { median, ratios } from './support/statistics.mjs'

const least = 0.9
const rounds = 9
const pressure = { connections: 64, seconds: 2 }

/** @type {(target: string) => Exchange} */
const exchange = (target) => ({
  request: { method: 'GET', target, headers: {} },
  answer: { status: 200 },
})
const bare = exchange('/json')
const filtered = exchange('/filtered/json')

const { origin, pid, stop } = await start({ name: 'espalier-filters', title: 'espalier' }, 1)
try {
  /** @typedef {{ rate: number, perProcessor: number }} Figures */

  /** @type {(one: Exchange) => Promise<Figures>} */
  const measure = async (one) => {
    const before = processorSeconds(pid) ?? NaN
    const { answers, seconds } = await measureRate(wrk, origin, one, pressure)
    const after = processorSeconds(pid) ?? NaN
    return { rate: answers / seconds, perProcessor: answers / (after - before) }
  }
  for (const one of [bare, filtered]) await measure(one)
  /** @type {{ having: Figures, without: Figures }[]} */
  const measured = []
  for (let round = 0; round < rounds; round++)
    measured.push({ without: await measure(bare), having: await measure(filtered) })
  /** @type {(key: 'rate' | 'perProcessor') => number} */
  const ratio = (key) =>
    median(
      ratios(
        measured.map(({ having }) => having[key]),
        measured.map(({ without }) => without[key]),
      ),
    )
  console.log(
    `with three filters: ${ratio('rate').toFixed(2)} of the rate, ${ratio('perProcessor').toFixed(2)} of the answers per second of processor time`,
  )
  if (ratio('perProcessor') < least) process.exitCode = 1
} finally {
  await stop()
}
