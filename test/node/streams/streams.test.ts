/** Streams over connections: slow readers, disconnects, HTTP/1.0, and sources that fail. */
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { Server } from '../../../src/node.ts'
import { describe } from '../../support/describe.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { to } from '../../support/raw.ts'
import { begin, forget, listening, seen } from '../../support/streams.ts'
import { until } from '../../support/workers.ts'

describe('Streams on connections', (test, { before, after }) => {
  let server: Server | undefined
  const connect = () => connectTo(server?.url ?? '')
  before(async () => {
    server = await begin()
  })
  after(() => server?.close())

  for (const target of ['/endless/sync', '/endless/async', '/endless/many', '/web'])
    test(`the source is not read while the client does not read: ${target}`, async () => {
      forget()
      const connection = await connect()
      connection.socket.pause()
      connection.write(to(`GET ${target}`))
      let last = -1
      await until(async () => {
        const isStill = seen.asked > 0 && seen.asked === last
        last = seen.asked
        if (!isStill) await wait(50)
        return isStill
      })
      const asked = seen.asked
      await wait(100)
      assert.is(seen.asked, asked)
      const heard = listening(connection)
      connection.socket.resume()
      await until(() => heard.octets > asked * 1000)
      connection.leave()
      await until(() => seen.ended === 1)
    })

  test('keep the connection, and do not block other requests', async () => {
    const connection = await connect()
    const heard = listening(connection)
    connection.write(to('GET /numbers') + to('GET /alive'))
    await until(() => /\r\n7\r\n\[1,2,3\]\r\n0\r\n\r\nHTTP[^]*alive$/.test(heard.text))
    connection.leave()
    const endlessOne = await connect()
    endlessOne.socket.removeAllListeners('data').resume()
    endlessOne.write(to('GET /endless/sync'))
    for (let time = 0; time < 20; time++) {
      const other = await connect()
      other.write(to('GET /alive'))
      assert.is((await other.next()).status, 200)
      other.leave()
    }
    endlessOne.leave()
  })

  test('are sent to HTTP/1.0 clients without chunks, and end with the connection', async () => {
    for (const fields of ['', 'Connection: keep-alive\r\n']) {
      const connection = await connect()
      connection.write(`GET /numbers HTTP/1.0\r\nHost: a\r\n${fields}\r\n`)
      const heard = listening(connection)
      await until(() => heard.isClosed)
      assert.match(heard.text, /\r\n\r\n\[1,2,3\]$/)
      assert.not.match(heard.text, /chunked|keep-alive/i)
    }
  })

  test('send no last chunk if they fail', async () => {
    const connection = await connect()
    const heard = listening(connection)
    connection.write(to('GET /broken/2'))
    await until(() => heard.isClosed)
    assert.match(heard.text, /200 OK/)
    assert.match(heard.text, /\r\n2\r\n,1\r\n$/)
  })

  test('reset the connection if they fail and its end would end the body', async () => {
    const connection = await connect()
    const heard = listening(connection)
    const errors: unknown[] = []
    connection.socket.on('error', (error: NodeJS.ErrnoException) => errors.push(error.code))
    connection.write('GET /broken/2 HTTP/1.0\r\nHost: a\r\n\r\n')
    await until(() => heard.isClosed)
    assert.match(heard.text, /200 OK[^]*\r\n\r\n\[0,1$/)
    assert.equal(errors, ['ECONNRESET'])
  })

  test('do not affect an earlier pipelined response if they fail', async () => {
    const connection = await connect()
    const heard = listening(connection)
    connection.write(to('GET /numbers') + to('GET /broken/1'))
    await until(() => heard.isClosed)
    assert.match(heard.text, /\[1,2,3\]\r\n0\r\n\r\nHTTP\/1.1 200[^]*\r\n2\r\n\[0\r\n$/)
  })

  for (const target of ['/silent/readable', '/silent/web'])
    test(`are closed while they wait: ${target}`, async () => {
      forget()
      const connection = await connect()
      connection.write(to(`GET ${target}`))
      await wait(20)
      connection.leave()
      await until(() => seen.ended === 1)
    })

  for (const how of ['signal', 'cut', 'timer'])
    test(`1,000 disconnected clients of generators that wait for: ${how}`, async () => {
      forget()
      for (let round = 0; round < 10; round++) {
        const connections = await Promise.all(Array.from({ length: 100 }, connect))
        for (const connection of connections) connection.write(to(`GET /waiting/${how}`))
        await Promise.all(connections.map((connection) => connection.stirred()))
        for (const connection of connections) connection.leave()
      }
      await until(() => seen.ended === 1000)
      assert.is(seen.aborted, 1000)
    })

  test('pipelined streams are closed after a disconnect', async () => {
    forget()
    const connection = await connect()
    connection.write(to('GET /waiting/signal').repeat(3))
    await connection.stirred()
    connection.leave()
    await until(() => seen.ended === 3)
  })
})
