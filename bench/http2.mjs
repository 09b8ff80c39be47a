/**
 * Compares uploads and server-sent events over HTTP/2 without TLS with those of Fastify and Hono, in interleaved rounds: the CPU time
 * per request. Requires h2load (Debian package `nghttp2-client`). The servers run under load at the same time on the same core,
 * because the speed of a shared machine changes within seconds.
 *
 *     node http2.mjs [--rounds 9] [--requests 600] [--only upload,sse] [--servers espalier,fastify,hono]
 *
 * The other servers are compared with the first one.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { execute } from './load/execute.mjs'
import { parseCount, selectNamed } from './support/arguments.mjs'
import { cpuSeconds } from './support/cpu-time.mjs'
import { describeEnvironment, pinningNote } from './support/environment.mjs'
import { table } from './support/markdown-table.mjs'
import { startProgram } from './support/server-process.mjs'
import { median } from './support/statistics.mjs'
import { createFolder } from './streams/work-folder.mjs'
import { workloads } from './streams/workloads.mjs'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    requests: { type: 'string', default: '600' },
    only: { type: 'string', default: 'upload,sse' },
    servers: { type: 'string', default: 'espalier,fastify,hono' },
  },
})
const rounds = parseCount('rounds', values.rounds, 100)
const requests = parseCount('requests', values.requests, 10_000)
const measured = selectNamed('only', workloads, values.only)
const allNames = values.servers.split(',')
const [first = ''] = allNames

/** The servers that do not support a workload: `streamSSE` of Hono sets `Transfer-Encoding`, which `node:http2` rejects. */
const unsupported = new Map([['sse', ['hono']]])

const folder = createFolder()
const environment = {
  BENCH_HTTP2: 'true',
  FW_HTTP_HTTP2_CLEAR_TEXT: 'true',
  // the first line of output is the port
  FW_LOG_LEVEL: 'error',
  // the servers share a core, so that each one may wait long enough to reject requests
  FW_HTTP_OVERLOAD_ENABLED: 'false',
}

/** The body of the requests of a workload, which h2load reads from a file. */
const bodyFile = join(folder.path, 'body')

/** The time limit of a run, in seconds. */
const limit = 60

/**
 * Sends requests over four connections, one at a time on each. Throws if a response has another status than 200. A number of requests
 * is used instead of a duration, because Hono ends when a client disconnects during an upload.
 *
 * @type {(origin: string, request: import('./streams/workloads.mjs').Request, count: number) => Promise<void>}
 */
const send = async (origin, { target, headers, body }, count) => {
  const output = await execute(
    [
      'h2load',
      ...['-n', String(count), '-c', '4', '-m', '1', '-t', '1'],
      ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
      ...(body === undefined ? [] : ['-d', bodyFile]),
      `${origin}${target}`,
    ],
    limit,
  )
  if (!output.includes(`status codes: ${count} 2xx,`))
    throw new Error(`${origin}${target}: ${output}`)
}

console.log(`${describeEnvironment()}; ${pinningNote}; h2load; ${rounds} rounds\n`)
try {
  for (const { name: workload, title, timed } of measured) {
    // before any load, because an instance of h2load fails while the file is written for another one
    if (timed.request.body !== undefined) writeFileSync(bodyFile, timed.request.body)
    const names = allNames.filter((name) => unsupported.get(workload)?.includes(name) !== true)
    /** The CPU milliseconds per request in each round. @type {Map<string, number[]>} */
    const costs = new Map(names.map((name) => [name, []]))
    for (let round = 0; round < rounds; round++) {
      const servers = await Promise.all(
        names.map((name) => {
          const folders = { BENCH_FOLDER: folder.path, TMPDIR: folder.temporary(name) }
          const program = {
            name: `${name}-streams`,
            environment: { ...environment, ...folders },
            isHttp2: true,
          }
          return startProgram({ name, title: name }, program)
        }),
      )
      /** @type {(count: number) => Promise<number[]>} */
      const load = (count) =>
        Promise.all(
          servers.map(async ({ origin, pid }) => {
            const begin = cpuSeconds(pid) ?? 0
            await send(origin, timed.request, count)
            return (((cpuSeconds(pid) ?? 0) - begin) / count) * 1_000
          }),
        )
      try {
        await load(Math.ceil(requests / 2))
        const used = await load(requests)
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
  folder.remove()
}
