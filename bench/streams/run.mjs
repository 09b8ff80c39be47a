/**
 * Runs the benchmark of bodies and streams: starts every server, checks every answer, warms up, measures
 * in interleaved rounds, and prints the result. A run of everything also puts it into the README.
 *
 * @import { Running } from '../support/server-process.mjs'
 * @import { Server } from '../support/servers.mjs'
 * @import { Load, Task } from '../load/closed-loop.mjs'
 * @import { Workload } from './workloads.mjs'
 */
import { fileURLToPath } from 'node:url'
import { circumstances, sharing } from '../support/environment.mjs'
import { noFigures } from '../support/measurements.mjs'
import { execute } from '../load/execute.mjs'
import { startProgram } from '../support/server-process.mjs'
import { processorSeconds } from '../support/cpu-time.mjs'
import { processorRow } from '../frameworks/metrics.mjs'
import { publish } from '../support/readme.mjs'
import { rotated } from '../support/statistics.mjs'
import { check } from './check-responses.mjs'
import { delayRow, measureDelay } from './delay.mjs'
import { makeFolder } from './work-folder.mjs'
import { readOptions } from './options.mjs'
import { generatorRow, report } from './report.mjs'

const warmUpSeconds = 1
const script = fileURLToPath(new URL('../load/closed-loop.mjs', import.meta.url))

const options = readOptions(process.argv.slice(2))
const { rounds, seconds, connections, servers, workloads } = options
const figures = noFigures()
const folder = makeFolder()
const about = [
  circumstances(),
  sharing,
  `${rounds} rounds of ${seconds} s, ${connections} connections.`,
].join('; ')

/** Tells on standard error how far the run has come. @type {(round: number, what: string) => void} */
const tell = (round, what) => console.error(`round ${round + 1} of ${rounds}: ${what}`)

/** @type {(server: Server) => Promise<Running>} */
const start = (server) =>
  startProgram(server, {
    name: `${server.name}-streams`,
    environment: { BENCH_FOLDER: folder.path, TMPDIR: folder.temporary(server.name) },
  })

/** @type {(workload: Workload, all: readonly Running[]) => readonly Running[]} */
const having = ({ without }, all) => all.filter(({ server }) => !without.includes(server.name))

/** @type {(all: readonly Running[]) => Promise<void>} */
const checkAll = async (all) => {
  const faults = []
  for (const workload of workloads)
    for (const { server, origin } of having(workload, all)) {
      for (const fault of await check(origin, [workload.timed, ...workload.checked]))
        faults.push(`${server.name}: ${fault}`)
      for (const file of await folder.left(server.name))
        faults.push(`${server.name}: ${workload.name} left a file: ${file}`)
    }
  if (faults.length > 0) throw new Error(`wrong answers\n${faults.join('\n')}`)
}

/** @type {(origin: string, workload: Workload, seconds: number) => Promise<Load>} */
const measureRate = async (origin, workload, lasting) => {
  /** @type {Task} */
  const task = { origin, workload: workload.name, connections, seconds: lasting }
  return JSON.parse(await execute([process.execPath, script, JSON.stringify(task)], lasting))
}

/** @type {(all: readonly Running[]) => Promise<void>} */
const warmUp = async (all) => {
  for (const workload of workloads)
    for (const { origin } of having(workload, all))
      await measureRate(origin, workload, warmUpSeconds)
}

/** @type {(all: readonly Running[], round: number) => Promise<void>} */
const rateRound = async (all, round) => {
  for (const workload of workloads)
    for (const { server, origin, pid } of rotated(having(workload, all), round)) {
      const before = processorSeconds(pid)
      const load = await measureRate(origin, workload, seconds)
      const after = processorSeconds(pid)
      const rate = load.answers / load.seconds
      figures.keep(workload, server, rate)
      figures.keep(generatorRow(workload), server, load.busy)
      if (before !== undefined && after !== undefined)
        figures.keep(processorRow(workload), server, load.answers / (after - before))
      tell(round, `${workload.name}, ${server.name}: ${rate.toFixed(1)}/s`)
    }
}

/** @type {(all: readonly Running[], round: number) => Promise<void>} */
const delayRound = async (all, round) => {
  for (const { server, origin } of rotated(all, round)) {
    const { p50, p99 } = await measureDelay(origin)
    figures.keep(delayRow('p50'), server, p50)
    figures.keep(delayRow('p99'), server, p99)
    tell(round, `delay, ${server.name}: p50 ${p50.toFixed(3)} ms, p99 ${p99.toFixed(3)} ms`)
  }
}

/** @type {Running[]} */
const all = []
try {
  for (const server of servers) all.push(await start(server))
  await checkAll(all)
  await warmUp(all)
  for (let round = 0; round < rounds; round++) {
    await rateRound(all, round)
    if (options.delay) await delayRound(all, round)
  }
} finally {
  await Promise.all(all.map(({ stop }) => stop()))
  folder.remove()
  figures.write(options.json, { about })
  console.error(`figures of every round: ${options.json}`)
}
const text = report(options, figures, about)
console.log(text)
if (options.everything) publish('streams', text)
