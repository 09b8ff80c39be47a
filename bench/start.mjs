/**
 * Measures the start and the memory of servers with 200 endpoints, and compares them with handwritten `node:http`.
 *
 * Each round starts every server once, and measures the wall time and the CPU time from the start of the process to its first response.
 * Then every server runs under load on JSON, and its memory is measured after one idle second. Prints the medians, and exits with 1 if
 * a server of espalier misses a goal.
 *
 *     node start.mjs [--rounds 20] [--seconds 20] [--servers raw,espalier] [--publish]
 *
 * @import { Server } from './support/servers.mjs'
 */
import { parseArgs } from 'node:util'
import { workloads } from './frameworks/workloads.mjs'
import { generators, measureRate } from './load/generator.mjs'
import { parseCount, selectNamed } from './support/arguments.mjs'
import { cpuSeconds } from './support/cpu-time.mjs'
import { describeEnvironment, pinningNote } from './support/environment.mjs'
import { table } from './support/markdown-table.mjs'
import { idleMegabytes } from './support/memory.mjs'
import { publish } from './support/readme.mjs'
import { start } from './support/server-process.mjs'
import { servers as frameworks } from './support/servers.mjs'
import { median, rotate } from './support/statistics.mjs'

const endpoints = 200
const connections = 64
/** The most that a server of espalier may take beyond `raw`: milliseconds to its first response, and times the memory after load. */
const goals = { milliseconds: 75, memory: 1.3 }

const [raw, espalier, ...others] = frameworks
/** @type {Server} */
const direct = { name: 'espalier-direct', title: 'espalier, direct connections' }
const goalsApplyTo = new Set(['espalier', 'espalier-direct'])

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '20' },
    servers: { type: 'string', default: 'espalier,espalier-direct,fastify,hono' },
    publish: { type: 'boolean', default: false },
  },
})
const rounds = parseCount('rounds', values.rounds, 100)
const seconds = parseCount('seconds', values.seconds, 60, 0)
const known = espalier === undefined ? [] : [raw, espalier, direct, ...others]
const measured = [
  raw,
  ...selectNamed('servers', known, values.servers).filter(({ name }) => name !== raw.name),
]

const about = describeEnvironment()
const newSamples = () => new Map(measured.map(({ name }) => [name, /** @type {number[]} */ ([])]))
const samples = { wall: newSamples(), cpu: newSamples(), memory: newSamples() }

/** @type {(of: Map<string, number[]>, server: Server) => number[]} */
const valuesOf = (of, { name }) => of.get(name) ?? []

for (let round = 0; round < rounds; round++)
  for (const server of rotate(measured, round)) {
    const { pid, startMilliseconds, stop } = await start(server, endpoints)
    valuesOf(samples.wall, server).push(startMilliseconds)
    valuesOf(samples.cpu, server).push((cpuSeconds(pid) ?? NaN) * 1_000)
    await stop()
  }

const json = workloads.find(({ name }) => name === 'json')
const generator = generators.find(({ available }) => available())
if (json === undefined || generator === undefined)
  throw new Error('missing load generator: install wrk or autocannon')
if (seconds > 0)
  for (const server of measured) {
    const { origin, pid, stop } = await start(server, endpoints)
    try {
      await measureRate(generator, origin, json.timed, { connections, seconds })
      valuesOf(samples.memory, server).push(await idleMegabytes(pid))
    } finally {
      await stop()
    }
  }

/** @type {(of: Map<string, number[]>, server: Server) => number} */
const beyondRaw = (of, server) =>
  median(valuesOf(of, server).map((value, round) => value - (valuesOf(of, raw)[round] ?? NaN)))

/** @type {(server: Server) => number} */
const memoryRatio = (server) =>
  median(valuesOf(samples.memory, server)) / median(valuesOf(samples.memory, raw))

const text = [
  `The start with ${endpoints} endpoints, from the start of the process to its first response: medians, and medians of the differences to raw in the same round. The memory is measured once, after a load of ${seconds} s and one idle second.`,
  table([
    [
      'server',
      'start, ms',
      'beyond raw',
      'CPU time, ms',
      'beyond raw',
      'memory after load, MB',
      'times raw',
    ],
    ...measured.map((server) => [
      server.title,
      median(valuesOf(samples.wall, server)).toFixed(0),
      beyondRaw(samples.wall, server).toFixed(0),
      median(valuesOf(samples.cpu, server)).toFixed(0),
      beyondRaw(samples.cpu, server).toFixed(0),
      median(valuesOf(samples.memory, server)).toFixed(0),
      memoryRatio(server).toFixed(2),
    ]),
  ]),
  `${about}; ${pinningNote}; ${generator.name}; ${rounds} rounds.`,
].join('\n\n')
console.log(text)
if (values.publish) publish('start', text)

for (const server of measured.filter(({ name }) => goalsApplyTo.has(name))) {
  const results = [
    {
      goal: `at most ${goals.milliseconds} ms beyond raw`,
      passes: beyondRaw(samples.wall, server) <= goals.milliseconds,
    },
    ...(seconds > 0
      ? [
          {
            goal: `at most ${goals.memory} times the memory of raw`,
            passes: memoryRatio(server) <= goals.memory,
          },
        ]
      : []),
  ]
  for (const { goal, passes } of results) {
    console.log(`${server.title}: ${goal}: ${passes ? 'pass' : 'fail'}`)
    if (!passes) process.exitCode = 1
  }
}
