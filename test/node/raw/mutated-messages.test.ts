/**
 * Sends randomly mutated requests. Every response must be well-formed and must not be a 500, every connection must end, and the
 * server must still serve other connections. A failure reports the seed, which reproduces the requests.
 */
import * as fc from 'fast-check'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import type { Server } from '../../../src/node.ts'
import { describe, repetitions } from '../../support/describe.ts'
import { connectTo } from '../../support/raw-connection.ts'
import {
  assertResponse,
  chunkedRequest,
  head,
  requestWithBody,
  startServer,
  rawRequest,
} from '../../support/raw.ts'

const json = 'Content-Type: application/json'
const form = 'Content-Type: application/x-www-form-urlencoded'

const messages = [
  rawRequest('GET /alive'),
  rawRequest('GET /segment/a%20b;c=d?e=f', 'Accept: text/plain;q=0.5, */*;q=0.1'),
  rawRequest('GET http://b.example:81/target?a=b'),
  rawRequest('GET /query?n=1&q=a+b&tag=c&tag=%C3%A9'),
  rawRequest('GET /header', 'X-One: a', 'X-All: b', 'X-All: c', 'Authorization: Basic YQ=='),
  rawRequest('GET /cookie', 'Cookie: id=1; other="2"'),
  rawRequest('OPTIONS *'),
  rawRequest('DELETE /thing', 'Connection: close'),
  head('GET /alive HTTP/1.0', 'Connection: keep-alive'),
  requestWithBody('POST /text', 'abcdef', 'Content-Type: text/plain; charset="utf-8"'),
  requestWithBody('POST /text', 'abcdef', 'Expect: 100-continue'),
  requestWithBody('POST /json', '{"name":"a\\u00e9","b":[1,2.5e3,null]}', json),
  requestWithBody('POST /form', 'name=a%20b&tag=1&tag=2', form),
  chunkedRequest('POST /text', ['abc', 'def']),
  chunkedRequest('POST /bytes', ['abc']).replace('0\r\n\r\n', '0;a="b"\r\nX: 1\r\n\r\n'),
  rawRequest('GET /alive') +
    requestWithBody('POST /text', 'abc') +
    rawRequest('GET /choice', 'Accept: text/html'),
]

/** Strings that break parsers more often than random bytes do. */
const delimiter = fc.constantFrom(
  ...'\r\n\0 \t:;,"%/?#0{[\\\xff\x7f'.split(''),
  '\r\n',
  '\r\n\r\n',
  '//',
  '..',
  '-1',
  'ffffffffffffffff',
  '%00',
  '%ff',
  '__proto__',
)
const byte = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code))

/** A change at a position, which is a fraction of the length of the text. */
const change: fc.Arbitrary<(text: string) => string> = fc
  .record({
    from: fc.double({ min: 0, max: 1, noNaN: true }),
    width: fc.nat({ max: 12 }),
    kind: fc.constantFrom('replace', 'insert', 'delete', 'repeat', 'flip'),
    inserted: fc.oneof(byte, delimiter),
  })
  .map(({ from, width, kind, inserted }) => (text) => {
    const at = Math.floor(from * text.length)
    const [before, taken, after] = [
      text.slice(0, at),
      text.slice(at, at + width),
      text.slice(at + width),
    ]
    switch (kind) {
      case 'replace':
        return before + inserted + text.slice(at + 1)
      case 'insert':
        return before + inserted + taken + after
      case 'delete':
        return before + after
      case 'repeat':
        return before + taken + taken + after
      case 'flip':
        return (
          before +
          String.fromCharCode(text.charCodeAt(at) ^ (1 << (width % 8))) +
          text.slice(at + 1)
        )
    }
  })

const mutated: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...messages), fc.array(change, { minLength: 1, maxLength: 3 }))
  .map(([message, changes]) => changes.reduce((text, apply) => apply(text), message))

const requestCount = repetitions(1000, 3000)
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
      const samples = fc.sample(mutated, { numRuns: requestCount, seed })
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
    await Promise.race([connection.readable(), wait(10)])
    connection.socket.end()
    for (const response of await connection.rest()) {
      const isExpected = response.status === 501 || response.status === 505
      assert.ok(response.status < 500 || isExpected, `${response.status}: ${response.body}`)
    }
  } finally {
    connection.destroy()
  }
}
