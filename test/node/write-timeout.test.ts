/** Clients that take nothing of what is sent to them. */
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { Server } from '../../src/node.ts'
import { describe } from '../support/describe.ts'
import { connectTo } from '../support/raw-connection.ts'
import { to } from '../support/raw.ts'
import { begin, forget, listening, seen } from '../support/streams.ts'
import { undisturbed } from '../support/undisturbed.ts'
import { until } from '../support/workers.ts'

describe('B3: fw.http.write-timeout', (test, { before, after }) => {
  const limit = 300
  let server: Server | undefined
  const connect = () => connectTo(server?.url ?? '')
  before(async () => {
    server = await begin({ 'fw.http.write-timeout': limit, 'fw.rest.sse.heartbeat': 0 })
  })
  after(() => server?.close())

  for (const target of ['/endless/sync', '/endless/async', '/events', '/large'])
    test(`cuts what is not taken: ${target}`, () =>
      undisturbed(50, async () => {
        forget()
        const connection = await connect()
        const { socket } = connection
        const heard = listening(connection)
        socket.pause()
        connection.write(to(`GET ${target}`))
        await wait(limit - 100)
        // it is there until then
        const some = (): void => {
          if (heard.octets < 4e6) return
          socket.off('data', some).pause()
        }
        socket.on('data', some).resume()
        await until(() => heard.octets > 4e6 || heard.isClosed)
        assert.not.ok(heard.isClosed, 'cut too soon')
        await wait(2 * limit + 200)
        socket.resume()
        await until(() => heard.isClosed)
        assert.ok(heard.octets < 32e6)
        if (target !== '/large') await until(() => seen.ended === 1)
      }))

  test('R-226: resets a connection whose end would be that of the content', () =>
    undisturbed(50, async () => {
      const { socket, write, leave } = await connect()
      socket.on('error', () => undefined).pause()
      write('GET /endless/sync HTTP/1.0\r\nHost: a\r\n\r\n')
      await wait(2 * limit + 300)
      // on one that was closed in order, the first that is written behind goes out
      const error = await new Promise<Error | null | undefined>((resolve) =>
        socket.write('x', resolve),
      )
      assert.match(String(error), /ECONNRESET|EPIPE/)
      leave()
    }))

  test('cuts a client that only talks', () =>
    undisturbed(50, async () => {
      const connection = await connect()
      const heard = listening(connection)
      connection.socket.pause()
      connection.write(`${to('GET /large')}GET /alive HTTP/1.1\r\nX: `)
      const talking = setInterval(() => connection.write('x'), 20)
      await wait(2 * limit + 300)
      clearInterval(talking)
      connection.socket.resume()
      await until(() => heard.isClosed)
      assert.ok(heard.octets < 32e6)
    }))

  test('leaves alone a client that waits for a source', async () => {
    const connection = await connect()
    const heard = listening(connection)
    connection.write(to('GET /slow'))
    await until(() => heard.text.endsWith(',2]\r\n0\r\n\r\n'))
    connection.leave()
  })

  for (const [when, target] of [
    ['between two events', '/quiet'],
    ['before the first', '/quiet?first=1000'],
  ] as const)
    test(`leaves alone an event stream that is quiet, without a heartbeat: ${when}`, async () => {
      const connection = await connect()
      const heard = listening(connection)
      const begun = performance.now()
      connection.write(to(`GET ${target}`))
      await until(() => heard.text.endsWith('data: two\n\n\r\n0\r\n\r\n'))
      assert.ok(performance.now() - begun > 3 * limit)
      assert.is(heard.text.match(/^data: /gm)?.length, 2)
      connection.leave()
    })

  test('leaves alone a client that takes its time', () =>
    // client and server have one loop, so what holds it up is a pause of the client too
    undisturbed(200, async () => {
      const patient = 2000
      const other = await begin({ 'fw.http.write-timeout': patient })
      const connection = await connectTo(other.url)
      const { socket } = connection
      const heard = listening(connection)
      socket.on('data', () => {
        socket.pause()
        setTimeout(() => socket.resume(), 5)
      })
      const begun = performance.now()
      connection.write(to('GET /large', 'Connection: close'))
      await until(() => heard.isClosed)
      await other.close()
      assert.ok(heard.octets > 32 * 1024 * 1024)
      assert.ok(performance.now() - begun > patient)
    }))
})
