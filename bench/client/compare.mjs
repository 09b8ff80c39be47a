/**
 * Compares the cost of a call of the typed client in two builds. The processes of both builds take turns, as in `run.mjs`. Exits with 1
 * if a call takes more CPU time than before, beyond the limit.
 *
 *     node client/compare.mjs --before <a built checkout> [--processes 5] [--turns 20] [--calls 250] [--only list/global,add/global]
 *
 * @import { CallResult } from './caller-process.mjs'
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { selectNamed } from '../support/arguments.mjs'
import { startCaller } from './caller-process.mjs'
import { describeEnvironment, pinningNote } from '../support/environment.mjs'
import { start } from '../support/server-process.mjs'
import { geometricMean, ratios, rotate, sum } from '../support/statistics.mjs'
import { table } from '../support/markdown-table.mjs'

const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    processes: { type: 'string', default: '5' },
    turns: { type: 'string', default: '20' },
    calls: { type: 'string', default: '250' },
    only: { type: 'string' },
  },
})
if (values.before === undefined) throw new Error('missing --before: the path of a built checkout')
const checkouts = [resolve(values.before), undefined]
const processes = Number(values.processes)
const turns = Number(values.turns)
const calls = Number(values.calls)

/** Turns of warm-up, which do not count. */
const warmUp = 24

/** The maximum ratio of the CPU time per call to that of the other build. */
const limit = 1.03

const transports = {
  global: 'global `fetch`',
  undici: 'undici `fetch`',
  request: 'undici `request`',
}

const measurements = selectNamed(
  'only',
  /** @type {const} */ (['find', 'list', 'add']).flatMap((operation) =>
    Object.entries(transports).map(([transport, title]) => ({
      name: `${operation}/${transport}`,
      title: `${operation}, ${title}`,
      variant: `${transport}/client`,
      operation,
    })),
  ),
  values.only,
)

const about = describeEnvironment()
const { origin, stop } = await start({ name: 'service', title: 'node:http' }, 1)

/** Returns the CPU microseconds per call, before and now. @type {(variant: string, operation: 'find' | 'list' | 'add', round: number) => Promise<[before: number, now: number]>} */
const measure = async (variant, operation, round) => {
  const callers = checkouts.map((checkout) => ({
    .../** @type {{ results: CallResult[] }} */ ({ results: [] }),
    ...startCaller(variant, origin, checkout),
  }))
  try {
    for (let turn = 0; turn < warmUp + turns; turn++)
      for (const { results, call } of rotate(callers, round + turn))
        results.push(await call({ operation, calls }))
  } finally {
    for (const caller of callers) caller.stop()
  }
  const [before = NaN, now = NaN] = callers.map(
    ({ results }) => sum(results.slice(warmUp).map(({ cpu }) => cpu)) / turns,
  )
  return [before, now]
}

/** @type {string[][]} */
const rows = []
/** @type {string[]} */
const exceeded = []
for (const { title, variant, operation } of measurements) {
  /** @type {number[]} */
  const before = []
  /** @type {number[]} */
  const now = []
  for (let round = 0; round < processes; round++) {
    const [costBefore, costNow] = await measure(variant, operation, round)
    before.push(costBefore)
    now.push(costNow)
  }
  const { mean, spread } = geometricMean(ratios(now, before))
  const row = [
    title,
    ...[before, now].map((costs) => geometricMean(costs).mean.toFixed(0)),
    `${mean.toFixed(3)} ± ${spread.toFixed(3)}`,
  ]
  if (!(mean <= limit)) exceeded.push(row.join(', '))
  console.error(row.join('  '))
  rows.push(row)
}
await stop()
const text = `${table([['CPU µs per call', 'before', 'now', 'ratio'], ...rows])}\n\n${about}; ${pinningNote}; ${processes} processes with ${turns} turns of ${calls} calls each, 8 at a time; means, ± twice the standard error. A ratio above 1 means that a call has become more expensive.`
console.log(text)
for (const row of exceeded) console.error(`more expensive than before by more than 3 %: ${row}`)
process.exitCode = exceeded.length === 0 ? 0 : 1
