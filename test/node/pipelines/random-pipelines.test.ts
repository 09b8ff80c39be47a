/**
 * Sends random pipelines of valid requests, with and without a FIN, to both implementations of HTTP/1.1 connections. Each request must
 * get its response, in the order of the requests. Over HTTP/2, the requests are sent as concurrent streams.
 *
 * `npm run test:one -- node/pipelines` sends 60 pipelines to each server, and `npm run test:all` 500. `PIPELINE_RUNS` sets another
 * number, and `PIPELINE_SEED` the seed. The README of the tests has the result of 5,000 pipelines.
 */
import { setImmediate as turn } from 'node:timers/promises'
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import type { ServeOptions, Server } from '../../../src/node.ts'
import { api, padding } from '../../programs/pipeline-api.ts'
import { describe, repetitions } from '../../support/describe.ts'
import { createFile, newFolder } from '../../support/folder.ts'
import { serveLocally } from '../../support/loopback.ts'
import { openSession, receive } from '../http2/client.ts'
import type { Exchange, Pipeline } from './pipelines.ts'
import { knownPipelines, packetsOf, pipelinesOf } from './pipelines.ts'
import type { Received } from './received-responses.ts'
import { readResponses } from './received-responses.ts'

const runs = Number(process.env['PIPELINE_RUNS'] ?? repetitions(12, 500))
const seed = Number(process.env['PIPELINE_SEED'] ?? 20_261_129)
const concurrency = 8
/** Number of pipelines that one test sends, so that each test ends within its time limit. */
const perTest = 250

const assertReceived = ({ method, path, status, expected }: Exchange, received: Received): void => {
  assert.is(
    received.status,
    status,
    `${method} ${path}: ${received.status} ${received.body.slice(0, 300)}`,
  )
  if (method === 'HEAD') assert.is(received.body, '')
  else if (status < 400) assert.ok(received.body === expected, received.body.slice(0, 200))
  else assert.ok(received.body.includes(expected), received.body)
}

const sendOverHttp1 = async ({ url }: Server, pipeline: Pipeline): Promise<void> => {
  const { exchanges, halfCloses } = pipeline
  const connection = await readResponses(
    url,
    exchanges.map(({ method }) => method),
  )
  const { socket } = connection
  try {
    for (const packet of packetsOf(pipeline)) {
      socket.write(packet, 'latin1')
      await turn()
    }
    if (halfCloses) socket.end()
    const responses = await connection.responses
    assert.is(responses.length, exchanges.length)
    for (const [index, response] of responses.entries()) {
      const exchange = exchanges[index]
      if (exchange !== undefined) assertReceived(exchange, response)
    }
    if (halfCloses) await connection.ended
  } finally {
    socket.destroy()
  }
}

const sendOverHttp2 = async ({ url }: Server, { exchanges }: Pipeline): Promise<void> => {
  const session = await openSession(url)
  try {
    await Promise.all(
      exchanges.map(async (exchange) => {
        const { method, path, headers, body } = exchange
        const stream = session.request(
          { ':method': method, ':path': path, ...Object.fromEntries(headers) },
          { endStream: body === undefined },
        )
        const received = receive(stream)
        for (const data of body ?? []) stream.write(data)
        if (body !== undefined) stream.end()
        assertReceived(exchange, await received)
      }),
    )
  } finally {
    session.destroy()
  }
}

const protocols: ReadonlyArray<
  readonly [
    name: string,
    options: ServeOptions,
    send: (server: Server, pipeline: Pipeline) => Promise<void>,
  ]
> = [
  ['node', { 'fw.http.connection': 'node' }, sendOverHttp1],
  ['direct', { 'fw.http.connection': 'direct' }, sendOverHttp1],
  ['HTTP/2', { 'fw.http.http2-clear-text': true }, sendOverHttp2],
]

for (const [name, options, send] of protocols)
  describe(`random pipelines: every request gets its response (${name})`, (test, hooks) => {
    const pipelines = pipelinesOf(createFile(newFolder(), 'file', padding))
    let server: Server | undefined
    hooks.before(async () => {
      server = await serveLocally(api, options)
    })
    hooks.after(() => server?.close())

    for (let from = 0; from < runs; from += perTest) {
      const count = Math.min(perTest, runs - from)
      test(`pipelines ${from + 1} to ${from + count}`, async () => {
        const random = fc.sample(pipelines, { numRuns: count, seed: seed + from })
        const queue = [...random, ...knownPipelines].entries()
        const sendEach = async (): Promise<void> => {
          for (const [index, pipeline] of queue)
            try {
              if (server !== undefined) await send(server, pipeline)
            } catch (error) {
              const { halfCloses, exchanges } = pipeline
              const requests = exchanges.map(({ method, path }) => `${method} ${path}`).join(', ')
              const title = `seed ${seed + from}, pipeline ${index}, FIN ${halfCloses}: ${requests}`
              throw new Error(`${title}: ${String(error)}`, { cause: error })
            }
        }
        await Promise.all(Array.from({ length: concurrency }, sendEach))
      })
    }
  })
