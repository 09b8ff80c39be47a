/**
 * Runs the benchmark: measures starts, then, in interleaved rounds, starts every server, checks every
 * answer and measures, and prints the result. A run of everything also puts it into the README.
 *
 * @import { Running } from '../support/server-process.mjs'
 */
import { check } from './check-responses.mjs'
import { circumstances, sharing } from '../support/environment.mjs'
import { noFigures } from '../support/measurements.mjs'
import { launch } from './measure-start.mjs'
import { measureRate } from '../load/generator.mjs'
import { measureLatency } from '../load/latency.mjs'
import { idleMegabytes } from '../support/memory.mjs'
import { readOptions } from './options.mjs'
import { start } from '../support/server-process.mjs'
import { processorSeconds } from '../support/cpu-time.mjs'
import * as quantity from './metrics.mjs'
import { publish } from '../support/readme.mjs'
import { report } from './report.mjs'
import { rotated } from '../support/statistics.mjs'
import { parameters } from './workloads.mjs'

const connections = 64
/** Until a server is optimised; while it stands idle, V8 drops some of that. */
const leadSeconds = 1
const steadySeconds = 5

const options = readOptions(process.argv.slice(2))
const { generator, rounds, seconds, servers, workloads, quantities } = options
const figures = noFigures()
const about = [
  circumstances(),
  sharing,
  generator.name,
  `${rounds} rounds of ${seconds} s, ${connections} connections.`,
].join('; ')

/** Tells on standard error how far the run has come. @type {(round: number, what: string) => void} */
const tell = (round, what) => console.error(`round ${round + 1} of ${rounds}: ${what}`)

/** @type {(one: quantity.Quantity) => boolean} */
const wanted = (one) => quantities.includes(one)

const [few] = quantity.sizes
const launched = wanted(quantity.starting) ? quantity.sizes : wanted(quantity.memory) ? [few] : []

/** @type {(round: number) => Promise<void>} */
const launchRound = async (round) => {
  for (const size of launched)
    for (const server of rotated(servers, round))
      await launch(server, size, async ({ pid, startMilliseconds }) => {
        figures.keep(quantity.startRow(size), server, startMilliseconds)
        if (size === few && wanted(quantity.memory))
          figures.keep(quantity.memoryRow, server, await idleMegabytes(pid))
        tell(round, `start with ${size}, ${server.name}: ${Math.round(startMilliseconds)} ms`)
      })
}

/** What the servers are asked. */
const exercised = [
  ...workloads,
  ...(wanted(quantity.latency) && !workloads.includes(parameters) ? [parameters] : []),
]

/** @type {(all: readonly Running[]) => Promise<void>} */
const checkAll = async (all) => {
  const faults = []
  for (const { server, origin } of all)
    for (const { timed, checked } of exercised)
      for (const fault of await check(origin, [timed, ...checked]))
        faults.push(`${server.name}: ${fault}`)
  if (faults.length > 0) throw new Error(`wrong answers\n${faults.join('\n')}`)
}

/** @type {(all: readonly Running[], round: number) => Promise<void>} */
const rateRound = async (all, round) => {
  for (const workload of workloads)
    for (const { server, origin, pid } of all) {
      const pressure = { connections, seconds }
      await measureRate(generator, origin, workload.timed, { connections, seconds: leadSeconds })
      const before = processorSeconds(pid)
      const load = await measureRate(generator, origin, workload.timed, pressure)
      const after = processorSeconds(pid)
      const rate = load.answers / load.seconds
      figures.keep(workload, server, rate)
      if (before !== undefined && after !== undefined)
        figures.keep(quantity.processorRow(workload), server, load.answers / (after - before))
      tell(round, `${workload.name}, ${server.name}: ${Math.round(rate)}/s`)
    }
}

/** @type {(all: readonly Running[], round: number) => Promise<void>} */
const latencyRound = async (all, round) => {
  const pace = { rate: quantity.steadyRate, connections, seconds: steadySeconds }
  for (const { server, origin } of all) {
    const { p50, p99, delay } = await measureLatency(origin, parameters.timed, pace)
    figures.keep(quantity.latencyRow('p50'), server, p50)
    figures.keep(quantity.latencyRow('p99'), server, p99)
    figures.keep(quantity.delayRow, server, delay)
    const told =
      p99 === Infinity ? 'cannot hold it' : `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`
    tell(round, `latency, ${server.name}: ${told}`)
  }
}

/**
 * Each round has processes of its own: which memory the system gives to one decides about up to a quarter of its rate,
 * for all its life.
 *
 * @type {(round: number) => Promise<void>}
 */
const servingRound = async (round) => {
  /** @type {Running[]} */
  const all = []
  try {
    for (const server of rotated(servers, round)) all.push(await start(server, few))
    await checkAll(all)
    await rateRound(all, round)
    if (wanted(quantity.latency)) await latencyRound(all, round)
  } finally {
    await Promise.all(all.map(({ stop }) => stop()))
  }
}

try {
  for (let round = 0; round < rounds; round++) await launchRound(round)
  if (exercised.length > 0) for (let round = 0; round < rounds; round++) await servingRound(round)
} finally {
  figures.write(options.json, { about })
  console.error(`figures of every round: ${options.json}`)
}
const text = report(options, figures, about)
console.log(text)
if (options.everything) publish('result', text)
