import * as assert from 'uvu/assert'
import { LoopTurns, waitingConnections } from '../../../src/node/load-shedding/admission-control.ts'
import { describe, describeWith } from '../../support/describe.ts'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:net'
import { blockThread } from '../../support/cpu-time.ts'

const observeTurns = () => {
  let now = 0
  const turns = new LoopTurns({ now: () => now, idle: () => 0, cpu: () => now })
  return {
    turns,
    /** Handles `count` requests in one turn, each for `milliseconds`. Returns the minimum wait of the last one. */
    turn: (count: number, milliseconds: number): number => {
      for (let index = 0; index < count; index++) {
        turns.recordRequest(now)
        now += milliseconds
      }
      const waited = turns.minimumWait(now)
      turns.onTurn()
      return waited
    },
  }
}

describe('LoopTurns', (test) => {
  test('the wait is measured from the start of each turn', () => {
    const { turns, turn } = observeTurns()
    turns.start(0, 0)
    assert.is(turn(4, 10), 40)
    assert.is(turn(2, 10), 20)
    turns.stop()
  })
  test('consecutive turns that each accept a connection count as one', () => {
    const { turns, turn } = observeTurns()
    turns.start(0, 0)
    for (const expected of [10, 20, 30]) {
      turns.onConnection()
      assert.is(turn(1, 10), expected)
    }
    turns.stop()
  })
  test('turns with few new connections count as one only if countsConnections is set', () => {
    for (const [counts, expected] of [
      [false, 40],
      [true, 80],
    ] as const) {
      const { turns, turn } = observeTurns()
      turns.start(0, 0)
      turns.countsConnections = counts
      turns.onConnection()
      turn(4, 10)
      assert.is(turn(4, 10), expected)
      turns.stop()
    }
  })
  test('connections accepted before the start are ignored', () => {
    const { turns, turn } = observeTurns()
    for (let index = 0; index < 100; index++) turns.onConnection()
    turns.start(0, 0)
    turns.onConnection()
    turn(4, 10)
    assert.is(turn(4, 10), 40)
    turns.stop()
  })
})

describe('waitingConnections', (test) => {
  test('returns 0 for a port without a server', () => assert.is(waitingConnections([1]), 0))
})

describeWith(
  'waitingConnections on Linux',
  'file /proc/net/tcp',
  process.platform === 'linux',
  (test) => {
    for (const host of ['127.0.0.1', '::1'])
      test(`counts connections to ${host} that are not accepted yet`, async () => {
        const server = createServer((socket) => socket.destroy()).listen(0, host)
        await once(server, 'listening')
        const { port } = server.address() as AddressInfo
        const sockets = Array.from({ length: 5 }, () => connect(port, host).on('error', () => {}))
        // the system establishes the connections while this thread is blocked
        const counts: number[] = []
        await new Promise<void>((resolve) =>
          setImmediate(() => {
            blockThread(50)
            counts.push(waitingConnections([port]))
            resolve()
          }),
        )
        await Promise.all(sockets.map((socket) => once(socket, 'close')))
        counts.push(waitingConnections([port]))
        server.close()
        assert.ok((counts[0] ?? 0) >= 4, `${counts[0]} waiting`)
        assert.is(counts[1], 0)
      })
  },
)
