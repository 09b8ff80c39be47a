/** Clients that do not read their responses. */
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { Server } from '../../../src/node.ts'
import { describe, sideBySide } from '../../support/describe.ts'
import type { RawConnection } from '../../support/raw-connection.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { to } from '../../support/raw.ts'
import { begin, forget, listening, seen } from '../../support/streams.ts'
import { undisturbed } from '../../support/retry-timing.ts'
import { until } from '../../support/workers.ts'

const limit = 300

type Connect = () => Promise<RawConnection>
type Row = readonly [title: string, run: (connect: Connect) => Promise<void>]

/** How often what tells of its end was asked for. */
const begun = { count: 0 }

const cutsWhatIsNotTaken = (target: string): Row => [
  `cuts what is not taken: ${target}`,
  (connect) =>
    undisturbed(50, async () => {
      if (target !== '/large') begun.count++
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
    }),
]

const leavesQuietOnesAlone = (when: string, target: string): Row => [
  `leaves alone an event stream that is quiet, without a heartbeat: ${when}`,
  async (connect) => {
    const connection = await connect()
    const heard = listening(connection)
    const start = performance.now()
    connection.write(to(`GET ${target}`))
    await until(() => heard.text.endsWith('data: two\n\n\r\n0\r\n\r\n'))
    assert.ok(performance.now() - start > 3 * limit)
    assert.is(heard.text.match(/^data: /gm)?.length, 2)
    connection.leave()
  },
]

const rows: ReadonlyArray<Row> = [
  ...['/endless/sync', '/endless/async', '/events', '/large'].map(cutsWhatIsNotTaken),
  [
    'resets a connection whose end would end the body',
    (connect) =>
      undisturbed(50, async () => {
        begun.count++
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
      }),
  ],
  [
    'cuts a client that only talks',
    (connect) =>
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
      }),
  ],
  [
    'leaves alone a client that waits for a source',
    async (connect) => {
      const connection = await connect()
      const heard = listening(connection)
      connection.write(to('GET /slow'))
      await until(() => heard.text.endsWith(',2]\r\n0\r\n\r\n'))
      connection.leave()
    },
  ],
  leavesQuietOnesAlone('between two events', '/quiet'),
  leavesQuietOnesAlone('before the first', '/quiet?first=1000'),
  [
    'leaves alone a client that takes its time',
    () =>
      // client and server have one loop, so what holds it up is a pause of the client too
      undisturbed(200, async () => {
        const patient = 1500
        const other = await begin({ 'fw.http.write-timeout': patient })
        const connection = await connectTo(other.url)
        const { socket } = connection
        const heard = listening(connection)
        socket.on('data', () => {
          socket.pause()
          setTimeout(() => socket.resume(), 5)
        })
        const start = performance.now()
        connection.write(to('GET /large', 'Connection: close'))
        await until(() => heard.isClosed)
        await other.close()
        assert.ok(heard.octets > 32 * 1024 * 1024)
        assert.ok(performance.now() - start > patient)
      }),
  ],
]

describe('fw.http.write-timeout', (test, { before, after }) => {
  let server: Server | undefined
  before(async () => {
    forget()
    server = await begin({ 'fw.http.write-timeout': limit, 'fw.rest.sse.heartbeat': 0 })
  })
  after(() => server?.close())

  sideBySide<Row>(test, { before }, rows, (_, run) => run(() => connectTo(server?.url ?? '')))
  test('closes the sources of cut responses', () => until(() => seen.ended === begun.count))
})
