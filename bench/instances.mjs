/**
 * Measures how much a second instance increases the rate of a CPU-bound operation, compared with `node:http` and two workers of
 * `node:cluster` in the same run.
 *
 * Exits with 1 unless the second instance multiplies the rate by at least 1.6, or by at least 90 % of the factor of `node:http`.
 *
 * `node instances.mjs [--seconds 4] [--rounds 5] [--milliseconds 3] [--instances 2]`, after `npm run build`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { parseCount } from './support/arguments.mjs'
import { table } from './support/markdown-table.mjs'
import { median } from './support/statistics.mjs'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    milliseconds: { type: 'string', default: '3' },
    instances: { type: 'string', default: '2' },
  },
})
const seconds = parseCount('seconds', values.seconds, 600)
const rounds = parseCount('rounds', values.rounds, 100)
const milliseconds = parseCount('milliseconds', values.milliseconds, 100)
const instances = parseCount('instances', values.instances, 64, 2)

/** Concurrent requests for each process of a server, each on its own connection. */
const clientsPerProcess = 8
const program = fileURLToPath(new URL('instances/server.mjs', import.meta.url))

/** Returns the number of iterations that take a number of milliseconds of CPU time. @type {() => number} */
const calibrate = () => {
  let iterations = 100_000
  for (;;) {
    const start = process.cpuUsage()
    let hash = 17
    for (let index = 0; index < iterations; index++) hash = (Math.imul(hash, 31) + index) | 0
    const time = process.cpuUsage(start).user / 1000
    if (time > 20 && hash !== 0.5) return Math.round((iterations * milliseconds) / time)
    iterations *= 2
  }
}
const iterations = calibrate()

/** Sends requests on one connection at a time until a time. @type {(port: number, agent: Agent, end: number) => Promise<number>} */
const client = async (port, agent, end) => {
  let count = 0
  while (performance.now() < end) {
    const [response] = await once(get({ port, host: '127.0.0.1', agent }), 'response')
    response.resume()
    await once(response, 'end')
    if (response.statusCode !== 200) throw new Error(`unexpected status ${response.statusCode}`)
    count++
  }
  return count
}

/** Returns the responses per second of a server. @type {(kind: string, count: number) => Promise<number>} */
const measure = async (kind, count) => {
  const child = spawn(process.execPath, [program, kind, String(count), String(iterations)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const agent = new Agent({ keepAlive: true })
  try {
    const [line] = await once(createInterface(child.stdout), 'line')
    /** @type {(duration: number) => Promise<number>} */
    const load = async (duration) => {
      const start = performance.now()
      const counts = await Promise.all(
        Array.from({ length: clientsPerProcess * instances }, () =>
          client(Number(line), agent, start + duration * 1000),
        ),
      )
      return counts.reduce((a, b) => a + b, 0) / ((performance.now() - start) / 1000)
    }
    await load(0.5)
    return await load(seconds)
  } finally {
    agent.destroy()
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
}

const kinds = ['raw', 'espalier']
/** @type {Map<string, number[]>} */
const rates = new Map()
for (let round = 0; round < rounds; round++)
  for (const kind of round % 2 === 0 ? kinds : kinds.toReversed())
    for (const count of [1, instances]) {
      const key = `${kind} ${count}`
      rates.set(key, [...(rates.get(key) ?? []), await measure(kind, count)])
    }

/** @type {(kind: string, count: number) => number} */
const rate = (kind, count) => median(rates.get(`${kind} ${count}`) ?? [])
/** @type {(kind: string) => number} */
const factor = (kind) => rate(kind, instances) / rate(kind, 1)

console.log(
  table([
    ['server', '1 process', `${instances} processes`, 'factor'],
    ...kinds.map((kind) => [
      kind === 'raw' ? '`node:http`' : kind,
      rate(kind, 1).toFixed(0),
      rate(kind, instances).toFixed(0),
      factor(kind).toFixed(2),
    ]),
  ]),
)
const relative = factor('espalier') / factor('raw')
console.log(`factor relative to node:http: ${relative.toFixed(2)} (${iterations} iterations)`)
if (factor('espalier') < 1.6 && relative < 0.9) process.exitCode = 1
