/**
 * Compares espalier with other frameworks and prints the result.
 *
 * Measures start times first. Then, in interleaved rounds, it starts every server, checks the responses and measures rates
 * and latencies. A complete run also replaces the result in the README.
 *
 * @import { Running } from '../support/server-process.mjs'
 */
import { check } from './check-responses.mjs'
import { describeEnvironment, pinningNote } from '../support/environment.mjs'
import { createMeasurements } from '../support/measurements.mjs'
import { measureStart } from './measure-start.mjs'
import { measureRate } from '../load/generator.mjs'
import { measureLatency } from '../load/latency.mjs'
import { idleMegabytes } from '../support/memory.mjs'
import { readOptions } from './options.mjs'
import { start } from '../support/server-process.mjs'
import { cpuSeconds } from '../support/cpu-time.mjs'
import * as metric from './metrics.mjs'
import { publish } from '../support/readme.mjs'
import { report } from './report.mjs'
import { rotate } from '../support/statistics.mjs'
import { parameters } from './workloads.mjs'

const connections = 64
/** Warm-up before each measurement: V8 optimizes the server, and discards part of the optimized code while it is idle. */
const leadSeconds = 1
const steadySeconds = 5

const options = readOptions(process.argv.slice(2))
const { generator, rounds, seconds, servers, workloads, metrics } = options
const measurements = createMeasurements()
const about = [
  describeEnvironment(),
  pinningNote,
  generator.name,
  `${rounds} rounds of ${seconds} s, ${connections} connections.`,
].join('; ')

/** Prints the progress to standard error. @type {(round: number, step: string) => void} */
const logProgress = (round, step) => console.error(`round ${round + 1} of ${rounds}: ${step}`)

/** @type {(metric: metric.Metric) => boolean} */
const isSelected = (selected) => metrics.includes(selected)

const [few] = metric.sizes
const startSizes = isSelected(metric.startTime)
  ? metric.sizes
  : isSelected(metric.memory)
    ? [few]
    : []

/** @type {(round: number) => Promise<void>} */
const startRound = async (round) => {
  for (const size of startSizes)
    for (const server of rotate(servers, round))
      await measureStart(server, size, async ({ pid, startMilliseconds }) => {
        measurements.add(metric.startRow(size), server, startMilliseconds)
        if (size === few && isSelected(metric.memory))
          measurements.add(metric.memoryRow, server, await idleMegabytes(pid))
        logProgress(
          round,
          `start with ${size}, ${server.name}: ${Math.round(startMilliseconds)} ms`,
        )
      })
}

/** The workloads whose responses are checked. */
const checkedWorkloads = [
  ...workloads,
  ...(isSelected(metric.latency) && !workloads.includes(parameters) ? [parameters] : []),
]

/** @type {(all: readonly Running[]) => Promise<void>} */
const checkAll = async (all) => {
  const problems = []
  for (const { server, origin } of all)
    for (const { timed, checked } of checkedWorkloads)
      for (const problem of await check(origin, [timed, ...checked]))
        problems.push(`${server.name}: ${problem}`)
  if (problems.length > 0) throw new Error(`unexpected responses\n${problems.join('\n')}`)
}

/** @type {(all: readonly Running[], round: number) => Promise<void>} */
const rateRound = async (all, round) => {
  for (const workload of workloads)
    for (const { server, origin, pid } of all) {
      const loadOptions = { connections, seconds }
      await measureRate(generator, origin, workload.timed, { connections, seconds: leadSeconds })
      const before = cpuSeconds(pid)
      const load = await measureRate(generator, origin, workload.timed, loadOptions)
      const after = cpuSeconds(pid)
      const rate = load.responses / load.seconds
      measurements.add(workload, server, rate)
      if (before !== undefined && after !== undefined)
        measurements.add(metric.cpuRow(workload), server, load.responses / (after - before))
      logProgress(round, `${workload.name}, ${server.name}: ${Math.round(rate)}/s`)
    }
}

/** @type {(all: readonly Running[], round: number) => Promise<void>} */
const latencyRound = async (all, round) => {
  const pace = { rate: metric.steadyRate, connections, seconds: steadySeconds }
  for (const { server, origin } of all) {
    const { p50, p99, delay } = await measureLatency(origin, parameters.timed, pace)
    measurements.add(metric.latencyRow('p50'), server, p50)
    measurements.add(metric.latencyRow('p99'), server, p99)
    measurements.add(metric.delayRow, server, delay)
    const summary =
      p99 === Infinity ? 'rate not reached' : `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`
    logProgress(round, `latency, ${server.name}: ${summary}`)
  }
}

/**
 * Starts new server processes, checks them and measures. Each round needs new processes, because the memory pages that a
 * process gets change its rate by up to a quarter.
 *
 * @type {(round: number) => Promise<void>}
 */
const measureRound = async (round) => {
  /** @type {Running[]} */
  const all = []
  try {
    for (const server of rotate(servers, round)) all.push(await start(server, few))
    await checkAll(all)
    await rateRound(all, round)
    if (isSelected(metric.latency)) await latencyRound(all, round)
  } finally {
    await Promise.all(all.map(({ stop }) => stop()))
  }
}

try {
  for (let round = 0; round < rounds; round++) await startRound(round)
  if (checkedWorkloads.length > 0)
    for (let round = 0; round < rounds; round++) await measureRound(round)
} finally {
  measurements.write(options.json, { about })
  console.error(`measurements of all rounds: ${options.json}`)
}
const text = report(options, measurements, about)
console.log(text)
if (options.isComplete) publish('result', text)
