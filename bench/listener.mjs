/**
 * Compares espalier mounted into `node:http` with `nodeListener`, espalier with its own server, Fastify and handwritten `node:http`, in
 * interleaved rounds: the CPU time per request. The servers run under load at the same time on the same core, because the speed of a
 * shared machine changes within seconds.
 *
 *     node listener.mjs [--rounds 9] [--warm-up 2] [--seconds 3] [--only json,body] [--servers espalier-listener,espalier,fastify,raw]
 *
 * The other servers are compared with the first one. Direct connections are compared with
 * `node listener.mjs --servers espalier-direct,espalier,raw --only plaintext,json,parameters,body,not-found,invalid-body`.
 */
import { parseArgs } from 'node:util'
import { invalidBody, workloads } from './frameworks/workloads.mjs'
import { generators, measureRate } from './load/generator.mjs'
import { parseCount, selectNamed } from './support/arguments.mjs'
import { cpuSeconds } from './support/cpu-time.mjs'
import { describeEnvironment, pinningNote } from './support/environment.mjs'
import { table } from './support/markdown-table.mjs'
import { startProgram } from './support/server-process.mjs'
import { median } from './support/statistics.mjs'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    'warm-up': { type: 'string', default: '2' },
    seconds: { type: 'string', default: '3' },
    only: { type: 'string', default: 'json' },
    servers: { type: 'string', default: 'espalier-listener,espalier,fastify,raw' },
  },
})
const rounds = parseCount('rounds', values.rounds, 100)
const seconds = parseCount('seconds', values.seconds, 60)
const warmUp = parseCount('warm-up', values['warm-up'], 60)
const measured = selectNamed('only', [...workloads, invalidBody], values.only)
const generator = generators.find(({ available }) => available())
if (generator === undefined) throw new Error('missing load generator: install wrk or autocannon')

const names = values.servers.split(',')
const [first = ''] = names
const connections = 32
// the servers share a core, so that each one may wait long enough to reject requests
const environment = { BENCH_ROUTES: '200', FW_HTTP_OVERLOAD_ENABLED: 'false' }

console.log(`${describeEnvironment()}; ${pinningNote}; ${generator.name}; ${rounds} rounds\n`)
for (const { title, timed } of measured) {
  /** The CPU microseconds per request in each round. @type {Map<string, number[]>} */
  const costs = new Map(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    const servers = await Promise.all(
      names.map((name) => startProgram({ name, title: name }, { name, environment })),
    )
    /** @type {(duration: number) => Promise<number[]>} */
    const load = (duration) =>
      Promise.all(
        servers.map(async ({ origin, pid }) => {
          const begin = cpuSeconds(pid) ?? 0
          const options = { connections, seconds: duration }
          const { responses } = await measureRate(generator, origin, timed, options)
          return (((cpuSeconds(pid) ?? 0) - begin) / responses) * 1_000_000
        }),
      )
    try {
      // the servers share a core; before V8 has optimized their code, the time of its compilation would be measured
      await load(warmUp * names.length)
      const used = await load(seconds)
      names.forEach((name, index) => costs.get(name)?.push(used[index] ?? 0))
    } finally {
      await Promise.all(servers.map(({ stop }) => stop()))
    }
  }
  const own = costs.get(first) ?? []
  console.log(
    table([
      [title, 'CPU µs per request', `performance of ${first} compared with it`],
      ...names.map((name) => {
        const cost = costs.get(name) ?? []
        const ratio = median(cost.map((value, round) => value / (own[round] ?? value)))
        return [name, median(cost).toFixed(1), ratio.toFixed(2)]
      }),
    ]),
  )
}
