/**
 * Compares large bodies and streams of espalier with those of other frameworks, and prints the result.
 *
 * Starts every server, checks the responses, warms up, and measures in interleaved rounds. A complete run also replaces the
 * result in the README.
 *
 * @import { Running } from '../support/server-process.mjs'
 * @import { Server } from '../support/servers.mjs'
 * @import { Load, Task } from '../load/closed-loop.mjs'
 * @import { Workload } from './workloads.mjs'
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describeEnvironment, pinningNote } from '../support/environment.mjs'
import { createMeasurements } from '../support/measurements.mjs'
import { execute } from '../load/execute.mjs'
import { startProgram } from '../support/server-process.mjs'
import { cpuSeconds } from '../support/cpu-time.mjs'
import { cpuRow } from '../frameworks/metrics.mjs'
import { publish } from '../support/readme.mjs'
import { rotate } from '../support/statistics.mjs'
import { check } from './check-responses.mjs'
import { delayRow, measureDelay } from './delay.mjs'
import { createFolder } from './work-folder.mjs'
import { readOptions } from './options.mjs'
import { generatorRow, report } from './report.mjs'

const script = fileURLToPath(new URL('../load/closed-loop.mjs', import.meta.url))

const options = readOptions(process.argv.slice(2))
const { rounds, seconds, warmUp, idle, connections, servers, workloads } = options
const measurements = createMeasurements()
const folder = createFolder()
const about = [
  describeEnvironment(),
  pinningNote,
  `${rounds} rounds of ${seconds} s${options.restart ? ', each with new processes' : ''}${options.together ? ', all servers at the same time' : ''}, ${idle === 0 ? '' : `${idle} s without requests, `}warm-up of ${warmUp} s, ${connections} connections.`,
].join('; ')

/** Prints the progress to standard error. @type {(round: number, step: string) => void} */
const logProgress = (round, step) => console.error(`round ${round + 1} of ${rounds}: ${step}`)

/** @type {(server: Server) => Promise<Running>} */
const start = (server) =>
  startProgram(server, {
    name: `${server.name}-streams`,
    environment: {
      BENCH_FOLDER: folder.path,
      TMPDIR: folder.temporary(server.name),
      // servers that share a core may wait long enough to reject requests
      ...(options.together ? { FW_HTTP_OVERLOAD_ENABLED: 'false' } : {}),
    },
  })

/** @type {(workload: Workload, all: readonly Running[]) => readonly Running[]} */
const supporting = ({ without }, all) => all.filter(({ server }) => !without.includes(server.name))

/** @type {(all: readonly Running[]) => Promise<void>} */
const checkAll = async (all) => {
  const problems = []
  for (const workload of workloads)
    for (const { server, origin } of supporting(workload, all)) {
      for (const problem of await check(origin, [workload.timed, ...workload.checked]))
        problems.push(`${server.name}: ${problem}`)
      for (const file of await folder.remaining(server.name))
        problems.push(`${server.name}: ${workload.name} did not delete ${file}`)
    }
  if (problems.length > 0) throw new Error(`unexpected responses\n${problems.join('\n')}`)
}

/** @type {(origin: string, workload: Workload, duration: number) => Promise<Load>} */
const measureRate = async (origin, workload, duration) => {
  /** @type {Task} */
  const task = { origin, workload: workload.name, connections, seconds: duration }
  return JSON.parse(await execute([process.execPath, script, JSON.stringify(task)], duration))
}

/** Calls `run` for each server: for one after another, or for all at the same time. @type {(all: readonly Running[], run: (running: Running) => Promise<unknown>) => Promise<void>} */
const forEach = async (all, run) => {
  if (options.together) await Promise.all(all.map(run))
  else for (const running of all) await run(running)
}

/** @type {(all: readonly Running[]) => Promise<void>} */
const warmUpAll = async (all) => {
  for (const workload of workloads)
    await forEach(supporting(workload, all), ({ origin }) => measureRate(origin, workload, warmUp))
}

/** @type {(workload: Workload, running: Running, round: number) => Promise<void>} */
const measureServer = async (workload, { server, origin, pid }, round) => {
  const before = cpuSeconds(pid)
  const load = await measureRate(origin, workload, seconds)
  const after = cpuSeconds(pid)
  const rate = load.responses / load.seconds
  measurements.add(workload, server, rate)
  measurements.add(generatorRow(workload), server, load.busy)
  if (before !== undefined && after !== undefined)
    measurements.add(cpuRow(workload), server, load.responses / (after - before))
  logProgress(round, `${workload.name}, ${server.name}: ${rate.toFixed(1)}/s`)
}

/** @type {(all: readonly Running[], round: number) => Promise<void>} */
const rateRound = async (all, round) => {
  for (const workload of workloads)
    await forEach(rotate(supporting(workload, all), round), (running) =>
      measureServer(workload, running, round),
    )
}

/** @type {(all: readonly Running[], round: number) => Promise<void>} */
const delayRound = async (all, round) => {
  for (const { server, origin } of rotate(all, round)) {
    const { p50, p99 } = await measureDelay(origin)
    measurements.add(delayRow('p50'), server, p50)
    measurements.add(delayRow('p99'), server, p99)
    logProgress(round, `delay, ${server.name}: p50 ${p50.toFixed(3)} ms, p99 ${p99.toFixed(3)} ms`)
  }
}

/** @type {Running[]} */
const all = []

/** Starts servers, checks their responses and puts load on them. @type {(selected: readonly Server[]) => Promise<void>} */
const startAll = async (selected) => {
  for (const server of selected) all.push(await start(server))
  await checkAll(all)
  await sleep(idle * 1_000)
  await warmUpAll(all)
}

const stopAll = () => Promise.all(all.splice(0).map(({ stop }) => stop()))

/** @type {(round: number) => Promise<void>} */
const measureRound = async (round) => {
  await rateRound(all, round)
  if (options.delay) await delayRound(all, round)
}

/** Measures each server in a new process: while no other server runs, or all at the same time. @type {(round: number) => Promise<void>} */
const measureNewProcesses = async (round) => {
  const rotated = rotate(servers, round)
  for (const selected of options.together ? [rotated] : rotated.map((server) => [server])) {
    await startAll(selected)
    await measureRound(round)
    await stopAll()
  }
}

try {
  if (!options.restart) await startAll(servers)
  for (let round = 0; round < rounds; round++)
    await (options.restart ? measureNewProcesses(round) : measureRound(round))
} finally {
  await stopAll()
  folder.remove()
  measurements.write(options.json, { about })
  console.error(`measurements of all rounds: ${options.json}`)
}
const text = report(options, measurements, about)
console.log(text)
if (options.isComplete) publish('streams', text)
