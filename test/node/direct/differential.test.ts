/**
 * Sends randomly mutated requests to a server with `fw.http.connection=node` and to one with `direct`, and compares the responses.
 *
 * Requests that both servers accept must have the same responses. Otherwise, `direct` must be the stricter of the two, except for
 * the differences in `isAllowed`. A failure reports the seed and the message.
 *
 * `npm run test:one -- node/direct/differential` compares 500 messages, and `npm run test:all` 20,000. To compare 1,000,000 messages,
 * which takes about 20 minutes, run `DIFFERENTIAL_RUNS=1000000 npm run test:one -- node/direct/differential`.
 */
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import type { Server } from '../../../src/node.ts'
import { describe, repetitions } from '../../support/describe.ts'
import type { RawResponse } from '../../support/raw-response.ts'
import { headerOf } from '../../support/raw-response.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { startServer } from '../../support/raw.ts'
import { mutatedMessages } from '../raw/mutations.ts'

const runs = Number(process.env['DIFFERENTIAL_RUNS'] ?? repetitions(500, 20_000))
const concurrency = 24
/** Number of messages that one test sends, so that each test ends within its time limit. */
const perTest = 2000

/** A response without what differs between two equal responses. */
const describeResponse = (response: RawResponse): string =>
  [
    response.status,
    headerOf(response, 'connection'),
    response.body.replace(/urn:uuid:[\da-f-]+/, ''),
  ].join(' ')

/** Sends a message, half-closes the connection, and returns the responses. */
const send = async (server: Server, message: string): Promise<ReadonlyArray<RawResponse>> => {
  const connection = await connectTo(server.url)
  try {
    connection.socket.end(message, 'latin1')
    return await connection.rest()
  } finally {
    connection.destroy()
  }
}

/** The statuses of requests whose messages are rejected. */
const rejections = new Set([400, 405, 408, 413, 414, 417, 431, 501, 505])

const isRejection = (response: RawResponse | undefined): boolean =>
  response === undefined ||
  (rejections.has(response.status) && headerOf(response, 'connection') === 'close')

/** Whether a difference is one of those that the guide lists. The responses are the first ones that differ. */
const isAllowed = (
  message: string,
  node: RawResponse | undefined,
  direct: RawResponse | undefined,
): boolean => {
  // both reject the message, with different statuses
  if (isRejection(node) && isRejection(direct)) return true
  // Node.js only searches the value of `Expect` for `100-continue`
  if (direct?.status === 417) return true
  // several spaces in the request line, and empty lines before it that do not end in CRLF
  if (isRejection(direct)) return / {2}|(?:^|[^\r])\n|\r(?!\n)/.test(message)
  // methods that the parser of Node.js does not know
  return node?.status === 501
}

const compare = async (servers: readonly [Server, Server], message: string): Promise<void> => {
  const [node, direct] = await Promise.all([send(servers[0], message), send(servers[1], message)])
  const length = Math.max(node.length, direct.length)
  for (let index = 0; index < length; index++) {
    const [first, second] = [node[index], direct[index]]
    if (first && second && describeResponse(first) === describeResponse(second)) continue
    assert.ok(
      isAllowed(message, first, second),
      `response ${index}: node ${first && describeResponse(first)}, direct ${second && describeResponse(second)}`,
    )
    return
  }
}

describe('fw.http.connection: node and direct respond alike to mutated requests', (test, hooks) => {
  const seed = Number(process.env['DIFFERENTIAL_SEED'] ?? 20_261_128)
  let servers: readonly [Server, Server]
  hooks.before(async () => {
    servers = [
      await startServer({ 'fw.http.connection': 'node' }),
      await startServer({ 'fw.http.connection': 'direct' }),
    ]
  })
  hooks.after(async () => {
    for (const server of servers) await server.close()
  })

  for (let from = 0; from < runs; from += perTest) {
    const count = Math.min(perTest, runs - from)
    test(`messages ${from + 1} to ${from + count}`, async () => {
      const queue = fc.sample(mutatedMessages, { numRuns: count, seed: seed + from }).values()
      const compareEach = async (): Promise<void> => {
        for (const message of queue)
          try {
            await compare(servers, message)
          } catch (error) {
            throw new Error(`seed ${seed + from}: ${JSON.stringify(message)}`, { cause: error })
          }
      }
      await Promise.all(Array.from({ length: concurrency }, compareEach))
    })
  }
})
