/** Responses that are produced from the request body while it arrives. */
import * as assert from 'uvu/assert'
import type { Server } from '../../../src/node.ts'
import { clientOf, unchunked } from '../../support/chunked-client.ts'
import type { Client } from '../../support/chunked-client.ts'
import { describe, table } from '../../support/describe.ts'
import { api, most } from '../../support/incoming-api.ts'
import { onLoopback } from '../../support/loopback.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { check, chunked, sending, to } from '../../support/raw.ts'
import { kept } from '../../support/workers.ts'

const octets = (count: number): string => 'x'.repeat(count)
const continues = 'Expect: 100-continue'
const chunks = 'Transfer-Encoding: chunked'

describe('Echoes', (test, { before, after }) => {
  let server: Server
  const { lines, logger } = kept()
  before(async () => {
    server = await onLoopback(api, {
      logger,
      'fw.http.limits.max-body-size': most,
    })
  })
  after(() => server.close())

  const clean = async (use: (client: Client) => Promise<void>): Promise<void> => {
    lines.length = 0
    await use(await clientOf(server.url))
    assert.equal(
      lines.filter((line) => line.startsWith('error')),
      [],
    )
  }

  table(
    test,
    [
      ['a content is echoed', sending('POST /echo', octets(most)), octets(most), 'keep-alive'],
      ['an octet is echoed', sending('POST /echo', 'a'), 'a', 'keep-alive'],
      ['chunks are echoed', chunked('POST /echo', ['abc', 'def']), 'abcdef', 'close'],
    ] as const,
    (_, request, content, connects) =>
      clean(async ({ write, all }) => {
        write(request + to('GET /alive', 'Connection: close'))
        const response = await all()
        assert.ok(response.startsWith('HTTP/1.1 200 OK\r\n'), response.slice(0, 200))
        assert.is(unchunked(response), content)
        assert.is(/connection: (\S+)/i.exec(response)?.[1], connects)
        assert.is(response.endsWith('alive'), connects === 'keep-alive')
      }),
  )

  test('chunks are echoed as they arrive, and the response ends with the request', () =>
    clean(async ({ write, came, all }) => {
      write(`${to('POST /echo', chunks)}3\r\nabc\r\n`)
      await came('abc')
      write('3\r\ndef\r\n')
      await came('def')
      const start = performance.now()
      write('0\r\n\r\n')
      assert.is(unchunked(await all()), 'abcdef')
      // nothing is left to wait for
      assert.ok(performance.now() - start < 3000)
    }))

  test('100 is sent to a client whose body is echoed', () =>
    clean(async ({ write, came, all }) => {
      write(to('POST /echo', continues, 'Content-Length: 3', 'Connection: close'))
      await came('HTTP/1.1 100 Continue\r\n\r\n')
      write('abc')
      const response = await all()
      assert.is(unchunked(response.replace('HTTP/1.1 100 Continue\r\n\r\n', '')), 'abc')
    }))

  test('an invalid chunk cuts a response that has begun', async () => {
    const { write, came, all } = await clientOf(server.url)
    write(`${to('POST /echo', chunks)}3\r\nabc\r\n`)
    await came('abc')
    write('z\r\n')
    assert.is(unchunked(await all()), 'abc, cut')
  })
})

describe('A slow client of a streamed body', (test) => {
  test('gets 408 before the response, and is cut after its beginning', async () => {
    const { logger } = kept()
    const server = await onLoopback(api, {
      logger,
      'fw.http.read-timeout': 200,
    })
    try {
      const [reading, echoing] = await Promise.all([connectTo(server.url), clientOf(server.url)])
      reading.write(`${to('POST /all', 'Content-Length: 6')}abc`)
      echoing.write(`${to('POST /echo', 'Content-Length: 6')}abc`)
      check(await reading.next(), 408)
      assert.is(unchunked(await echoing.all()), 'abc, cut')
    } finally {
      await server.close()
    }
  })
})
