/**
 * Runs the benchmark: starts every server, checks every answer, warms up, measures in interleaved
 * rounds, and prints the result. A run of everything also puts it into the README.
 *
 * @import { Result } from './report.mjs'
 * @import { Running, Server } from './servers.mjs'
 * @import { Workload } from './workloads.mjs'
 */
import { loadavg } from 'node:os'
import { check } from './answer.mjs'
import { measure } from './load/generator.mjs'
import { readOptions } from './options.mjs'
import { publish, report } from './report.mjs'
import { servers as allServers, start } from './servers.mjs'
import { rotated } from './statistics.mjs'
import { workloads as allWorkloads } from './workloads.mjs'

const connections = 64
const warmUpSeconds = 1

const options = readOptions(process.argv.slice(2))
const { generator, rounds, seconds, servers, workloads } = options

/** @type {Map<string, number[]>} */
const figures = new Map()

/** @type {(key: string, figure: number) => void} */
const keep = (key, figure) => {
  figures.set(key, [...(figures.get(key) ?? []), figure])
}

/** @type {(server: Server, workload?: Workload) => string} */
const key = (server, workload) => `${server.name} ${workload?.name ?? 'start'}`

/** @type {Result} */
const result = {
  rates: (server, workload) => figures.get(key(server, workload)) ?? [],
  starts: (server) => figures.get(key(server)) ?? [],
  loadBefore: loadavg()[0] ?? NaN,
}

/** @type {(server: Server) => Promise<Running>} */
const startTimed = async (server) => {
  const running = await start(server)
  keep(key(server), running.startMilliseconds)
  return running
}

/** The starts of one round, only to be timed. @type {(round: number) => Promise<void>} */
const timeStarts = async (round) => {
  for (const server of rotated(servers, round)) await (await startTimed(server)).stop()
}

/** @type {(all: readonly Running[]) => Promise<void>} */
const checkAll = async (all) => {
  const faults = []
  for (const { server, origin } of all)
    for (const workload of workloads)
      for (const fault of await check(origin, workload)) faults.push(`${server.name}: ${fault}`)
  if (faults.length > 0) throw new Error(`wrong answers\n${faults.join('\n')}`)
}

/** @type {(all: readonly Running[]) => Promise<void>} */
const warmUp = async (all) => {
  for (const workload of workloads)
    for (const { origin } of all)
      await measure(generator, origin, workload.timed, { connections, seconds: warmUpSeconds })
}

/** @type {(all: readonly Running[], round: number) => Promise<void>} */
const measureRound = async (all, round) => {
  for (const workload of workloads)
    for (const { server, origin } of rotated(all, round)) {
      const rate = await measure(generator, origin, workload.timed, { connections, seconds })
      keep(key(server, workload), rate)
      console.error(
        `round ${round + 1} of ${rounds}: ${workload.name}, ${server.name}: ${Math.round(rate)}/s`,
      )
    }
}

/** @type {Running[]} */
const all = []
try {
  for (let round = 1; round < rounds; round++) await timeStarts(round)
  for (const server of servers) all.push(await startTimed(server))
  await checkAll(all)
  await warmUp(all)
  for (let round = 0; round < rounds; round++) await measureRound(all, round)
} finally {
  await Promise.all(all.map(({ stop }) => stop()))
}
const text = report(options, connections, result)
console.log(text)
if (servers.length === allServers.length && workloads.length === allWorkloads.length) publish(text)
