/**
 * Compares uploads and server-sent events over HTTP/2 without TLS with those of Fastify and Hono, in interleaved rounds: the CPU time
 * per request. Requires h2load (Debian package `nghttp2-client`). The servers run under load at the same time on the same core,
 * because the speed of a shared machine changes within seconds.
 *
 *     node http2.mjs [--rounds 9] [--seconds 4] [--only upload,sse] [--servers espalier,fastify,hono]
 *
 * The other servers are compared with the first one.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { execute } from './load/execute.mjs'
import { parseCount, selectNamed } from './support/arguments.mjs'
import { cpuSeconds } from './support/cpu-time.mjs'
import { describeEnvironment, pinningNote } from './support/environment.mjs'
import { table } from './support/markdown-table.mjs'
import { startProgram } from './support/server-process.mjs'
import { median } from './support/statistics.mjs'
import { workloads } from './streams/workloads.mjs'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '4' },
    only: { type: 'string', default: 'upload,sse' },
    servers: { type: 'string', default: 'espalier,fastify,hono' },
  },
})
const rounds = parseCount('rounds', values.rounds, 100)
const seconds = parseCount('seconds', values.seconds, 60)
const measured = selectNamed('only', workloads, values.only)
const names = values.servers.split(',')
const [first = ''] = names

const folder = mkdtempSync(join(tmpdir(), 'bench-http2-'))
const environment = {
  BENCH_HTTP2: 'true',
  FW_HTTP_HTTP2_CLEAR_TEXT: 'true',
  // the servers share a core, so that each one may wait long enough to reject requests
  FW_HTTP_OVERLOAD_ENABLED: 'false',
}

/**
 * Sends requests over four connections with four streams each. Returns the number of responses. Throws if a response has another
 * status than 200.
 *
 * @type {(origin: string, request: import('./streams/workloads.mjs').Request, duration: number) => Promise<number>}
 */
const countResponses = async (origin, { target, headers, body }, duration) => {
  const file = join(folder, 'body')
  if (body !== undefined) writeFileSync(file, body)
  const output = await execute(
    [
      'h2load',
      ...['-D', String(duration), '-c', '4', '-m', '4', '-t', '1'],
      ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
      ...(body === undefined ? [] : ['-d', file]),
      `${origin}${target}`,
    ],
    duration,
  )
  const [, done = '0', failed = '0', errored = '0'] =
    /(\d+) done, \d+ succeeded, (\d+) failed, (\d+) errored/.exec(output) ?? []
  const [, successful = '0'] = /status codes: (\d+) 2xx, 0 3xx, 0 4xx, 0 5xx/.exec(output) ?? []
  if (Number(successful) === 0 || Number(failed) + Number(errored) > 0)
    throw new Error(`${origin}${target}: ${output}`)
  return Number(done)
}

console.log(`${describeEnvironment()}; ${pinningNote}; h2load; ${rounds} rounds\n`)
try {
  for (const { title, timed } of measured) {
    /** The CPU milliseconds per request in each round. @type {Map<string, number[]>} */
    const costs = new Map(names.map((name) => [name, []]))
    for (let round = 0; round < rounds; round++) {
      const servers = await Promise.all(
        names.map((name) => {
          const program = { name: `${name}-streams`, environment, isHttp2: true }
          return startProgram({ name, title: name }, program)
        }),
      )
      /** @type {(duration: number) => Promise<number[]>} */
      const load = (duration) =>
        Promise.all(
          servers.map(async ({ origin, pid }) => {
            const begin = cpuSeconds(pid) ?? 0
            const responses = await countResponses(origin, timed.request, duration)
            return (((cpuSeconds(pid) ?? 0) - begin) / responses) * 1_000
          }),
        )
      try {
        await load(2)
        const used = await load(seconds)
        names.forEach((name, index) => costs.get(name)?.push(used[index] ?? 0))
      } finally {
        await Promise.all(servers.map(({ stop }) => stop()))
      }
    }
    const own = costs.get(first) ?? []
    console.log(
      table([
        [`${title}, HTTP/2`, 'CPU ms per request', `performance of ${first} compared with it`],
        ...names.map((name) => {
          const cost = costs.get(name) ?? []
          const ratio = median(cost.map((value, round) => value / (own[round] ?? value)))
          return [name, median(cost).toFixed(2), ratio.toFixed(2)]
        }),
      ]),
    )
  }
} finally {
  rmSync(folder, { recursive: true })
}
