/**
 * Compares two builds of espalier: the server's CPU time per request, in interleaved rounds. It fails if a workload needs more
 * than the limits allow.
 *
 *     node compare.mjs --before <a built checkout> [--rounds 15] [--seconds 2] [--only plaintext,body] [--publish]
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { selectNamed, parseCount } from './support/arguments.mjs'
import { describeEnvironment, pinningNote } from './support/environment.mjs'
import { generators, measureRate } from './load/generator.mjs'
import { startProgram } from './support/server-process.mjs'
import { cpuSeconds } from './support/cpu-time.mjs'
import { publish } from './support/readme.mjs'
import { median } from './support/statistics.mjs'
import { table } from './support/markdown-table.mjs'
import { invalidBody, workloads } from './frameworks/workloads.mjs'

const connections = 64
const leadSeconds = 1
/** The minimum of the median of the ratios, and of the lower bound of its 95 % confidence interval. */
const limits = { median: 0.97, bound: 0.94 }

const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    rounds: { type: 'string', default: '15' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string' },
    publish: { type: 'boolean', default: false },
  },
})
if (values.before === undefined) throw new Error('missing --before: the path of a built checkout')
const before = resolve(values.before)
const rounds = parseCount('rounds', values.rounds, 100)
const seconds = parseCount('seconds', values.seconds, 60)
const measured = selectNamed('only', [...workloads, invalidBody], values.only)
const [generator] = generators.filter(({ available }) => available())
if (generator === undefined) throw new Error('missing load generator: install wrk or autocannon')

/** @type {readonly import('./support/servers.mjs').Server[]} */
const builds = [
  { name: 'before', title: 'before' },
  { name: 'now', title: 'now' },
]
/** @type {Record<string, string>} */
const folders = { before: `${before}/bench/`, now: new URL('.', import.meta.url).pathname }

/** CPU microseconds per request, by workload and build. @type {Map<string, Record<string, number[]>>} */
const costs = new Map(measured.map(({ name }) => [name, { before: [], now: [] }]))

/** @type {(round: number) => Promise<void>} */
const run = async (round) => {
  const order = round % 2 === 0 ? builds : [...builds].reverse()
  const program = { name: 'espalier', environment: { BENCH_ROUTES: '200' } }
  const all = await Promise.all(
    order.map((build) => startProgram(build, { ...program, folder: folders[build.name] ?? '' })),
  )
  try {
    for (const { name, timed } of measured)
      for (const { server, origin, pid } of all) {
        await measureRate(generator, origin, timed, { connections, seconds: leadSeconds })
        const begin = cpuSeconds(pid) ?? 0
        const { responses } = await measureRate(generator, origin, timed, { connections, seconds })
        const used = (cpuSeconds(pid) ?? 0) - begin
        costs.get(name)?.[server.name]?.push((used / responses) * 1_000_000)
      }
  } finally {
    await Promise.all(all.map(({ stop }) => stop()))
  }
  console.error(`round ${round + 1} of ${rounds}`)
}

const about = `${describeEnvironment()}; ${pinningNote}; ${generator.name}; ${rounds} rounds of ${seconds} s, ${connections} connections`
for (let round = 0; round < rounds; round++) await run(round)

/** The rank below which the median lies with a probability of at most 2.5 % (sign test). @type {(size: number) => number} */
const lowerRank = (size) => {
  let chance = 0.5 ** size
  let sum = chance
  let rank = 0
  while (sum <= 0.025) {
    rank++
    chance = (chance * (size - rank + 1)) / rank
    sum += chance
  }
  return rank
}

const rows = measured.map(({ name, title }) => {
  const { before: old = [], now = [] } = costs.get(name) ?? {}
  const ratios = old.map((cost, index) => cost / (now[index] ?? NaN)).toSorted((a, b) => a - b)
  const bound = ratios[Math.max(0, lowerRank(ratios.length) - 1)] ?? NaN
  return { title, old: median(old), now: median(now), ratio: median(ratios), bound }
})
const text = [
  'Server CPU time per request in µs, and the ratio before / now: median of the rounds, and the lower bound of its 95 % confidence interval.',
  table([
    ['workload', 'before', 'now', 'ratio', 'lower bound'],
    ...rows.map(({ title, old, now, ratio, bound }) => [
      title,
      ...[old, now].map((cost) => cost.toFixed(1)),
      ...[ratio, bound].map((value) => value.toFixed(3)),
    ]),
  ]),
  `${about}.`,
].join('\n\n')
console.log(text)
if (values.publish) publish('compare', text)
if (rows.some(({ ratio, bound }) => ratio < limits.median || bound < limits.bound)) {
  console.error(
    `the ratio of a workload is below ${limits.median}, or its lower bound below ${limits.bound}`,
  )
  process.exitCode = 1
}
