/**
 * Messages that are almost right. Whatever comes, each answer is well-formed and none is the server's fault, every connection
 * comes to its end, and others are answered as before. A failure names the seed, which makes the same messages again.
 */
import * as fc from 'fast-check'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import type { Server } from '../../../src/node.ts'
import { describe } from '../../support/describe.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { check, chunked, head, sending, start, to } from '../../support/raw.ts'

const json = 'Content-Type: application/json'
const form = 'Content-Type: application/x-www-form-urlencoded'

const messages = [
  to('GET /alive'),
  to('GET /segment/a%20b;c=d?e=f', 'Accept: text/plain;q=0.5, */*;q=0.1'),
  to('GET http://b.example:81/target?a=b'),
  to('GET /query?n=1&q=a+b&tag=c&tag=%C3%A9'),
  to('GET /header', 'X-One: a', 'X-All: b', 'X-All: c', 'Authorization: Basic YQ=='),
  to('GET /cookie', 'Cookie: id=1; other="2"'),
  to('OPTIONS *'),
  to('DELETE /thing', 'Connection: close'),
  head('GET /alive HTTP/1.0', 'Connection: keep-alive'),
  sending('POST /text', 'abcdef', 'Content-Type: text/plain; charset="utf-8"'),
  sending('POST /text', 'abcdef', 'Expect: 100-continue'),
  sending('POST /json', '{"name":"a\\u00e9","b":[1,2.5e3,null]}', json),
  sending('POST /form', 'name=a%20b&tag=1&tag=2', form),
  chunked('POST /text', ['abc', 'def']),
  chunked('POST /octets', ['abc']).replace('0\r\n\r\n', '0;a="b"\r\nX: 1\r\n\r\n'),
  to('GET /alive') + sending('POST /text', 'abc') + to('GET /choice', 'Accept: text/html'),
]

/** What breaks grammars more often than a random octet does. */
const telling = fc.constantFrom(
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
const octet = fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code))

/** A change of a text at a place, which is a fraction of its length. */
const change: fc.Arbitrary<(text: string) => string> = fc
  .record({
    from: fc.double({ min: 0, max: 1, noNaN: true }),
    width: fc.nat({ max: 12 }),
    kind: fc.constantFrom('replace', 'insert', 'delete', 'repeat', 'flip'),
    piece: fc.oneof(octet, telling),
  })
  .map(({ from, width, kind, piece }) => (text) => {
    const at = Math.floor(from * text.length)
    const [before, taken, after] = [
      text.slice(0, at),
      text.slice(at, at + width),
      text.slice(at + width),
    ]
    switch (kind) {
      case 'replace':
        return before + piece + text.slice(at + 1)
      case 'insert':
        return before + piece + taken + after
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
  .map(([message, changes]) => changes.reduce((text, one) => one(text), message))

const amount = 3000
const atOnce = 24

describe('Mutated requests', (test) => {
  test(`${amount} of them`, async () => {
    const seed = Date.now()
    const defects: unknown[] = []
    const error = (members: object): void => {
      defects.push(members)
    }
    const server = await start({ logger: { ...silentLogger, error } })
    try {
      const samples = fc.sample(mutated, { numRuns: amount, seed })
      const queue = samples.values()
      await Promise.all(Array.from({ length: atOnce }, () => sendEach(server, queue, seed)))
      assert.equal(defects, [])
      const connection = await connectTo(server.url)
      connection.write(to('GET /alive'))
      check(await connection.next(), [200, 'alive'])
      connection.leave()
    } finally {
      await server.close()
    }
  })
})

const sendEach = async (server: Server, queue: Iterator<string>, seed: number): Promise<void> => {
  for (let next = queue.next(); next.done !== true; next = queue.next())
    try {
      await answered(server, next.value)
    } catch (error) {
      throw new Error(`seed ${seed}: ${JSON.stringify(next.value)}`, { cause: error })
    }
}

/** Sends a message and half-closes the connection, so that a message that has no end does not wait for one. */
const answered = async (server: Server, octets: string): Promise<void> => {
  const connection = await connectTo(server.url)
  try {
    connection.write(octets)
    await Promise.race([connection.stirred(), wait(10)])
    connection.socket.end()
    for (const response of await connection.rest()) {
      const own = response.status === 501 || response.status === 505
      assert.ok(response.status < 500 || own, `${response.status}: ${response.content}`)
    }
  } finally {
    connection.leave()
  }
}
