/**
 * Compares the latency of direct connections with that of `node:http` at a fixed rate, in interleaved rounds. Each round starts new
 * processes. Exits with 1 if the median of the ratios of the 99th percentile is above 1.
 *
 *     node latency.mjs [--rounds 9] [--seconds 3] [--rate 5000] [--only parameters]
 */
import { parseArgs } from 'node:util'
import { workloads } from './frameworks/workloads.mjs'
import { generators, measureRate } from './load/generator.mjs'
import { measureLatency } from './load/latency.mjs'
import { parseCount, selectNamed } from './support/arguments.mjs'
import { describeEnvironment, pinningNote } from './support/environment.mjs'
import { table } from './support/markdown-table.mjs'
import { startProgram } from './support/server-process.mjs'
import { median, ratios, rotate } from './support/statistics.mjs'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '3' },
    rate: { type: 'string', default: '5000' },
    only: { type: 'string', default: 'parameters' },
  },
})
const rounds = parseCount('rounds', values.rounds, 100)
const pace = {
  rate: parseCount('rate', values.rate, 100_000),
  connections: 64,
  seconds: parseCount('seconds', values.seconds, 60),
}
const measured = selectNamed('only', workloads, values.only)
const [generator] = generators.filter(({ available }) => available())
if (generator === undefined) throw new Error('missing load generator: install wrk or autocannon')

const layers = [
  { name: 'espalier', title: '`node`' },
  { name: 'espalier-direct', title: '`direct`' },
]
/** Until V8 has optimized the code of a workload, the latencies are those of its compilation. */
const warmUpSeconds = 2
// on a busy machine, a server may wait long enough to reject requests
const environment = { BENCH_ROUTES: '200', FW_HTTP_OVERLOAD_ENABLED: 'false' }

console.log(
  `${describeEnvironment()}; ${pinningNote}; ${rounds} rounds of ${pace.seconds} s, ${pace.rate} requests a second\n`,
)
for (const { title, timed } of measured) {
  const results = layers.map((layer) => ({
    ...layer,
    p50: /** @type {number[]} */ ([]),
    p99: /** @type {number[]} */ ([]),
  }))
  for (let round = 0; round < rounds; round++)
    for (const { name, title: layer, p50, p99 } of rotate(results, round)) {
      const { origin, stop } = await startProgram({ name, title: layer }, { name, environment })
      try {
        await measureRate(generator, origin, timed, {
          connections: pace.connections,
          seconds: warmUpSeconds,
        })
        const latency = await measureLatency(origin, timed, pace)
        p50.push(latency.p50)
        p99.push(latency.p99)
      } finally {
        await stop()
      }
    }
  const [node] = results
  console.log(
    table([
      [title, 'p50, ms', 'p99, ms', 'p50 / `node`', 'p99 / `node`'],
      ...results.map(({ title: layer, p50, p99 }) => [
        layer,
        median(p50).toFixed(2),
        median(p99).toFixed(2),
        median(ratios(p50, node?.p50 ?? [])).toFixed(2),
        median(ratios(p99, node?.p99 ?? [])).toFixed(2),
      ]),
    ]),
  )
  const [, direct] = results
  if (median(ratios(direct?.p99 ?? [], node?.p99 ?? [])) > 1) process.exitCode = 1
}
