/**
 * Sends randomly mutated requests to a server with `fw.http.connection=node` and to one with `direct`, and compares the responses.
 *
 * The responses must be equal, also the statuses of rejections, except for the differences in `allowed-differences.ts`. Each of them has
 * examples, for which the responses must differ, and a row in the guide. In addition,
 * `direct` must accept no request that is invalid by the grammar of RFC 9112 (`request-oracle.ts`). A failure reports the seed and the
 * message.
 *
 * `npm run test:one -- node/direct/differential` compares 500 messages, and `npm run test:all` 20,000. `DIFFERENTIAL_RUNS` sets another
 * number, and `DIFFERENTIAL_SEED` the seed. The README of the tests has the result of 1,000,000 messages.
 */
import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import type { Server } from '../../../src/node.ts'
import { describe, repetitions } from '../../support/describe.ts'
import type { RawResponse } from '../../support/raw-response.ts'
import { headerOf } from '../../support/raw-response.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { startServer } from '../../support/raw.ts'
import { mutatedMessages } from '../raw/mutations.ts'
import type { Difference } from './allowed-differences.ts'
import { allowedDifferences, isRejection } from './allowed-differences.ts'
import type { OracleResult } from './request-oracle.ts'
import { findRequests } from './request-oracle.ts'
import { turns } from '../../support/wait-until.ts'

const runs = Number(process.env['DIFFERENTIAL_RUNS'] ?? repetitions(150, 20_000))
const concurrency = 24
/** Number of lines in the table of the guide that are not about messages: the head, its separator, and three rows. */
const headRows = 5
/** Number of messages that one test sends, so that each test ends within its time limit. */
const perTest = 500

/** A response without what differs between two equal responses. */
const describeResponse = (response: RawResponse): string =>
  [
    response.status,
    headerOf(response, 'connection'),
    response.body.replace(/urn:uuid:[\da-f-]+/, ''),
  ].join(' ')

/** Sends the packets of a message, half-closes the connection, and returns the responses. */
const send = async (
  server: Server,
  packets: ReadonlyArray<string>,
): Promise<ReadonlyArray<RawResponse>> => {
  const connection = await connectTo(server.url)
  try {
    for (const [index, packet] of packets.entries()) {
      // the server reads each packet before the next one arrives
      if (index > 0) await turns()
      connection.write(packet)
    }
    connection.socket.end()
    return await connection.rest()
  } finally {
    connection.destroy()
  }
}

/** Statuses of responses with which the connection itself rejects a message. */
const rejections = [400, 405, 408, 413, 414, 417, 431, 501, 505]

/** Whether two responses are equal. Of two rejections, only the status is compared: their details name the first error that was found. */
const areEqual = (node: RawResponse, direct: RawResponse): boolean =>
  node.status === direct.status &&
  ((isRejection(node, ...rejections) && isRejection(direct, ...rejections)) ||
    describeResponse(node) === describeResponse(direct))

const isFinal = ({ status }: RawResponse): boolean => status >= 200

/** Asserts that `direct` accepts only valid requests. */
const assertAcceptsOnly = (
  direct: ReadonlyArray<RawResponse>,
  { requests }: OracleResult,
): void => {
  const accepted = direct.filter((each) => isFinal(each) && !isRejection(each, ...rejections))
  assert.ok(
    accepted.length <= requests.length,
    `${accepted.length} requests accepted, ${requests.length} valid`,
  )
}

/** Compares the responses. Returns the first difference, or `undefined` if the responses are equal. */
const compare = async (
  servers: readonly [Server, Server],
  packets: ReadonlyArray<string>,
): Promise<Difference | undefined> => {
  const [node, direct] = await Promise.all([send(servers[0], packets), send(servers[1], packets)])
  const found = findRequests(packets.join(''))
  assertAcceptsOnly(direct, found)
  const length = Math.max(node.length, direct.length)
  for (let index = 0; index < length; index++) {
    const [first, second] = [node[index], direct[index]]
    if (first && second && areEqual(first, second)) continue
    const number = direct.slice(0, index).filter(isFinal).length
    const text = found.requests[number]?.text ?? found.rest ?? ''
    return { text, node: first, direct: second }
  }
  return undefined
}

const assertAllowed = (difference: Difference | undefined): void => {
  if (difference === undefined) return
  const { node, direct } = difference
  assert.ok(
    allowedDifferences.some(({ applies }) => applies(difference)),
    `node ${node && describeResponse(node)}, direct ${direct && describeResponse(direct)}`,
  )
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

  for (const { reason, examples, applies } of allowedDifferences)
    test(`examples: ${reason}`, async () => {
      for (const example of examples) {
        const packets = typeof example === 'string' ? [example] : example
        const difference = await compare(servers, packets)
        assert.ok(difference, `equal: ${packets.join('').slice(0, 100)}`)
        assert.ok(applies(difference), JSON.stringify(difference).slice(0, 500))
      }
    })

  test('the guide lists these differences', () => {
    const guide = readFileSync(
      new URL('../../../../src/guide/deployment.md', import.meta.url),
      'utf8',
    )
    const [, section = ''] = /^## Connections$([^]*?)^## /m.exec(guide) ?? []
    const rows = [...section.matchAll(/^\| (.*?) +\|/gm)].map(([, title = '']) => title)
    const titles = new Set(allowedDifferences.map(({ row }) => row))
    for (const title of titles) assert.ok(rows.includes(title), title)
    // the first rows, after the head, are about objects and events of `node:http`
    assert.is(rows.length, headRows + titles.size, rows.join('\n'))
  })

  for (let from = 0; from < runs; from += perTest) {
    const count = Math.min(perTest, runs - from)
    test(`messages ${from + 1} to ${from + count}`, async () => {
      const queue = fc.sample(mutatedMessages, { numRuns: count, seed: seed + from }).values()
      const compareEach = async (): Promise<void> => {
        for (const message of queue)
          try {
            assertAllowed(await compare(servers, [message]))
          } catch (error) {
            throw new Error(`seed ${seed + from}: ${JSON.stringify(message)}`, { cause: error })
          }
      }
      await Promise.all(Array.from({ length: concurrency }, compareEach))
    })
  }
})
