/** Tests of streams over connections: slow readers, disconnects, HTTP/1.0, and failing sources. */
import * as assert from 'uvu/assert'
import type { Server } from '../../../src/node.ts'
import { describe, repetitions } from '../../support/describe.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { rawRequest } from '../../support/raw.ts'
import { startServer, resetCounters, collectBytes, counters } from '../streams.ts'
import { stable, turns, waitUntil } from '../../support/wait-until.ts'

describe('streams over connections', (test, { before, after }) => {
  let server: Server | undefined
  const connect = () => connectTo(server?.url ?? '')
  before(async () => {
    server = await startServer()
  })
  after(() => server?.close())

  for (const target of ['/endless/sync', '/endless/async', '/endless/many', '/web'])
    test(`are not read from the source while the client does not read: ${target}`, async () => {
      resetCounters()
      const connection = await connect()
      connection.socket.pause()
      connection.write(rawRequest(`GET ${target}`))
      await waitUntil(() => counters.requested > 0)
      const requested = await stable(() => counters.requested)
      const received = collectBytes(connection)
      connection.socket.resume()
      await waitUntil(() => received.bytes > requested * 1000)
      connection.destroy()
      await waitUntil(() => counters.ended === 1)
    })

  test('keep the connection, and do not block other requests', async () => {
    const connection = await connect()
    const received = collectBytes(connection)
    connection.write(rawRequest('GET /numbers') + rawRequest('GET /alive'))
    await waitUntil(() => /\r\n7\r\n\[1,2,3\]\r\n0\r\n\r\nHTTP[^]*alive$/.test(received.text))
    connection.destroy()
    const endlessOne = await connect()
    endlessOne.socket.removeAllListeners('data').resume()
    endlessOne.write(rawRequest('GET /endless/sync'))
    for (let time = 0; time < 20; time++) {
      const other = await connect()
      other.write(rawRequest('GET /alive'))
      assert.is((await other.next()).status, 200)
      other.destroy()
    }
    endlessOne.destroy()
  })

  test('are sent to HTTP/1.0 clients without chunks, and end with the connection', async () => {
    for (const headers of ['', 'Connection: keep-alive\r\n']) {
      const connection = await connect()
      connection.write(`GET /numbers HTTP/1.0\r\nHost: a\r\n${headers}\r\n`)
      const received = collectBytes(connection)
      await waitUntil(() => received.isClosed)
      assert.match(received.text, /\r\n\r\n\[1,2,3\]$/)
      assert.not.match(received.text, /chunked|keep-alive/i)
    }
  })

  test('send no last chunk if they fail', async () => {
    const connection = await connect()
    const received = collectBytes(connection)
    connection.write(rawRequest('GET /broken/2'))
    await waitUntil(() => received.isClosed)
    assert.match(received.text, /200 OK/)
    assert.match(received.text, /\r\n2\r\n,1\r\n$/)
  })

  test('reset the connection if they fail and its end would end the body', async () => {
    const connection = await connect()
    const received = collectBytes(connection)
    const errors: unknown[] = []
    connection.socket.on('error', (error: NodeJS.ErrnoException) => errors.push(error.code))
    connection.write('GET /broken/2 HTTP/1.0\r\nHost: a\r\n\r\n')
    await waitUntil(() => received.isClosed)
    assert.match(received.text, /200 OK[^]*\r\n\r\n\[0,1$/)
    assert.equal(errors, ['ECONNRESET'])
  })

  test('do not affect an earlier pipelined response if they fail', async () => {
    const connection = await connect()
    const received = collectBytes(connection)
    connection.write(rawRequest('GET /numbers') + rawRequest('GET /broken/1'))
    await waitUntil(() => received.isClosed)
    assert.match(received.text, /\[1,2,3\]\r\n0\r\n\r\nHTTP\/1.1 200[^]*\r\n2\r\n\[0\r\n$/)
  })

  for (const target of ['/silent/readable', '/silent/web'])
    test(`are closed after a disconnect while the source is silent: ${target}`, async () => {
      resetCounters()
      const connection = await connect()
      connection.write(rawRequest(`GET ${target}`))
      await turns()
      connection.destroy()
      await waitUntil(() => counters.ended === 1)
    })

  for (const how of ['signal', 'cut', 'timer'])
    test(`of disconnected clients are closed while the source waits: ${how}`, async () => {
      resetCounters()
      const rounds = repetitions(1, 10)
      for (let round = 0; round < rounds; round++) {
        const connections = await Promise.all(Array.from({ length: 100 }, connect))
        for (const connection of connections) connection.write(rawRequest(`GET /waiting/${how}`))
        await Promise.all(connections.map((connection) => connection.readable()))
        for (const connection of connections) connection.destroy()
      }
      await waitUntil(() => counters.ended === rounds * 100)
      assert.is(counters.aborted, rounds * 100)
    })

  test('in pipelined responses are closed after a disconnect', async () => {
    resetCounters()
    const connection = await connect()
    connection.write(rawRequest('GET /waiting/signal').repeat(3))
    await connection.readable()
    connection.destroy()
    await waitUntil(() => counters.ended === 3)
  })
})
