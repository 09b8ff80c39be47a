/**
 * Sends randomly mutated requests. Every response must be well-formed and must not be a 500, every connection must end, and the
 * server must still serve other connections. A failure reports the seed, which reproduces the requests.
 */
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import type { Server } from '../../../src/node.ts'
import { describe, repetitions } from '../../support/describe.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { assertResponse, startServer, rawRequest } from '../../support/raw.ts'
import { mutatedMessages } from './mutations.ts'
import { turns } from '../../support/wait-until.ts'

const requestCount = repetitions(250, 3000)
const concurrency = 24

describe('mutated requests', (test) => {
  test(`${requestCount} mutated requests cause no internal error`, async () => {
    const seed = Date.now()
    const errors: unknown[] = []
    const error = (members: object): void => {
      errors.push(members)
    }
    const server = await startServer({ logger: { ...silentLogger, error } })
    try {
      const samples = fc.sample(mutatedMessages, { numRuns: requestCount, seed })
      const queue = samples.values()
      await Promise.all(Array.from({ length: concurrency }, () => sendEach(server, queue, seed)))
      assert.equal(errors, [])
      const connection = await connectTo(server.url)
      connection.write(rawRequest('GET /alive'))
      assertResponse(await connection.next(), [200, 'alive'])
      connection.destroy()
    } finally {
      await server.close()
    }
  })
})

const sendEach = async (server: Server, queue: Iterator<string>, seed: number): Promise<void> => {
  for (let next = queue.next(); next.done !== true; next = queue.next())
    try {
      await sendMessage(server, next.value)
    } catch (error) {
      throw new Error(`seed ${seed}: ${JSON.stringify(next.value)}`, { cause: error })
    }
}

/** Sends a message and half-closes the connection, so that the server does not wait for the rest of an incomplete message. */
const sendMessage = async (server: Server, message: string): Promise<void> => {
  const connection = await connectTo(server.url)
  try {
    connection.write(message)
    await Promise.race([connection.readable(), turns()])
    connection.socket.end()
    for (const response of await connection.rest()) {
      const isExpected = response.status === 501 || response.status === 505
      assert.ok(response.status < 500 || isExpected, `${response.status}: ${response.body}`)
    }
  } finally {
    connection.destroy()
  }
}
