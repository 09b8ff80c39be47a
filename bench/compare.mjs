/**
 * Compares two builds of espalier in interleaved rounds: the CPU time per request, the start and the idle memory
 * of the server. Fails if a ratio is below its limit.
 *
 * The CPU time is measured while both servers run under load on the same core, because the speed of a shared machine changes within
 * seconds.
 *
 *     node compare.mjs --before <a built checkout> [--rounds 15] [--seconds 4] [--only plaintext,body] [--publish]
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { selectNamed, parseCount } from './support/arguments.mjs'
import { describeEnvironment, pinningNote } from './support/environment.mjs'
import { generators, measureRate } from './load/generator.mjs'
import { startProgram } from './support/server-process.mjs'
import { cpuSeconds } from './support/cpu-time.mjs'
import { idleMegabytes } from './support/memory.mjs'
import { publish } from './support/readme.mjs'
import { median } from './support/statistics.mjs'
import { table } from './support/markdown-table.mjs'
import { invalidBody, workloads } from './frameworks/workloads.mjs'

const connections = 64
/** Until V8 has optimized the code of a workload, a request takes up to twice the time. */
const leadSeconds = 4
/** The fastest of these starts counts. */
const startsPerRound = 5
/**
 * The minimum of the median ratio of the CPU time, of the lower bound of its 95% confidence interval, and of the ratios of the start time
 * and the idle memory.
 */
const limits = { median: 0.97, bound: 0.94, process: 1 / 1.05 }

const { values } = parseArgs({
  options: {
    before: { type: 'string' },
    rounds: { type: 'string', default: '15' },
    seconds: { type: 'string', default: '4' },
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

/** @typedef {Record<string, number[]>} Samples the measurements of a build, one for each round */

/** @type {() => Samples} */
const newSamples = () => ({ before: [], now: [] })

/** The CPU microseconds per request of each workload. */
const measurements = measured.map((workload) => ({ workload, cost: newSamples() }))
const startTime = newSamples()
const memory = newSamples()

const program = { name: 'espalier', environment: { BENCH_ROUTES: '200' } }
/** @type {(build: import('./support/servers.mjs').Server) => ReturnType<typeof startProgram>} */
const startBuild = (build) => startProgram(build, { ...program, folder: folders[build.name] ?? '' })

/** @typedef {Awaited<ReturnType<typeof startBuild>>} RunningServer */

/** @type {(exchange: import('./frameworks/workloads.mjs').Exchange, server: RunningServer, duration: number) => Promise<number>} */
const countResponses = async (exchange, { origin }, duration) =>
  (await measureRate(generator, origin, exchange, { connections, seconds: duration })).responses

/** @type {(measurement: typeof measurements[number], servers: readonly RunningServer[]) => Promise<void>} */
const measureWorkload = async ({ workload, cost }, servers) => {
  const { timed } = workload
  await Promise.all(servers.map((running) => countResponses(timed, running, leadSeconds)))
  await Promise.all(
    servers.map(async (running) => {
      const begin = cpuSeconds(running.pid) ?? 0
      const responses = await countResponses(timed, running, seconds)
      const used = (cpuSeconds(running.pid) ?? 0) - begin
      cost[running.server.name]?.push((used / responses) * 1_000_000)
    }),
  )
}

/** @type {(round: number) => Promise<void>} */
const run = async (round) => {
  const order = round % 2 === 0 ? builds : [...builds].reverse()
  /** @type {Record<string, number[]>} */
  const starts = { before: [], now: [] }
  for (let start = 0; start < startsPerRound; start++)
    for (const build of order) {
      const { pid, startMilliseconds, stop } = await startBuild(build)
      starts[build.name]?.push(startMilliseconds)
      if (start === 0) memory[build.name]?.push(await idleMegabytes(pid))
      await stop()
    }
  for (const { name } of order) startTime[name]?.push(Math.min(...(starts[name] ?? [])))
  const all = await Promise.all(order.map(startBuild))
  try {
    for (const measurement of measurements) await measureWorkload(measurement, all)
  } finally {
    await Promise.all(all.map(({ stop }) => stop()))
  }
  console.error(`round ${round + 1} of ${rounds}`)
}

const about = `${describeEnvironment()}; ${pinningNote}; ${generator.name}; ${rounds} rounds of ${seconds} s, ${connections} connections`
for (let round = 0; round < rounds; round++) await run(round)

/** The rank below which the median lies with a probability of at most 2.5% (sign test). @type {(size: number) => number} */
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

/**
 * The medians of both builds, the median of the ratios of the rounds, and the lower bound of its confidence interval. A ratio above 1
 * means that the build is better now.
 *
 * @type {(title: string, samples: Samples) => { title: string, medians: number[], ratio: number, bound: number }}
 */
const summarize = (title, { before: old = [], now = [] }) => {
  const ratios = old.map((value, index) => value / (now[index] ?? NaN)).toSorted((a, b) => a - b)
  const bound = ratios[Math.max(0, lowerRank(ratios.length) - 1)] ?? NaN
  return { title, medians: [median(old), median(now)], ratio: median(ratios), bound }
}

/** @type {(heading: string, rows: ReadonlyArray<ReturnType<typeof summarize>>, digits: number) => string} */
const format = (heading, rows, digits) =>
  table([
    [heading, 'before', 'now', 'ratio', 'lower bound'],
    ...rows.map(({ title, medians, ratio, bound }) => [
      title,
      ...medians.map((value) => value.toFixed(digits)),
      ...[ratio, bound].map((value) => value.toFixed(3)),
    ]),
  ])

const costs = measurements.map(({ workload, cost }) => summarize(workload.title, cost))
const processRows = [
  summarize('start with 200 endpoints, ms', startTime),
  summarize('idle memory, MB', memory),
]
const text = [
  'Medians of the rounds, the median of the ratios, and the lower bound of its 95% confidence interval. A ratio above 1 means that espalier has improved. CPU time of the server per request, in µs, with both servers under load at the same time:',
  format('workload', costs, 1),
  format('process', processRows, 0),
  `${about}.`,
].join('\n\n')
console.log(text)
if (values.publish) publish('compare', text)
if (
  costs.some(({ ratio, bound }) => ratio < limits.median || bound < limits.bound) ||
  processRows.some(({ ratio }) => ratio < limits.process)
) {
  console.error(
    `a ratio is below its limit: ${limits.median} for the CPU time, ${limits.bound} for its lower bound, ${limits.process} for the process`,
  )
  process.exitCode = 1
}
