/** Load shedding with a simulated event loop. `over-connections.test.ts` tests it over sockets. */
import * as assert from 'uvu/assert'
import { describe, table } from '../../support/describe.ts'
import { sendRequests, sendOnNewConnections, createLoop, percentile } from './stepped-loop.ts'

describe('load shedding', (test) => {
  for (const perSecond of [300, 400, 800])
    test(`keeps latencies short for ${perSecond} requests per second on new connections with a capacity of 200`, () => {
      const server = createLoop()
      sendOnNewConnections(server, perSecond, 5, 2)
      const { accepted, rejected } = sendOnNewConnections(server, perSecond, 5, 5)
      assert.ok(accepted.length > 600, `${accepted.length} accepted`)
      assert.ok(percentile(accepted, 99) < 100, `${percentile(accepted, 99)} ms`)
      assert.ok(percentile(rejected, 99) < 50, `${percentile(rejected, 99)} ms`)
    })
  test('rejects no request at three quarters of the capacity with a new connection for each request', () => {
    assert.is(sendOnNewConnections(createLoop(), 140, 5, 10).rejected.length, 0)
  })
  test('rejects no request of fast handlers on new connections that keep the loop busy', () => {
    assert.is(sendOnNewConnections(createLoop(), 4000, 0.05, 10).rejected.length, 0)
  })
  table<readonly [title: string, perSecond: number, milliseconds: number]>(
    test,
    [
      ['rejects no request on an almost idle server', 10, 1],
      ['rejects no request at half of the capacity', 100, 5],
      ['rejects no request at nine tenths of the capacity', 180, 5],
      ['rejects no request of many cheap requests', 900, 1],
    ],
    (_, perSecond, milliseconds) =>
      assert.is(sendRequests(createLoop(), perSecond, milliseconds, 10).rejected, 0),
  )
  table<readonly [title: string, perSecond: number, milliseconds: number]>(
    test,
    [
      ['keeps turns short at twice the capacity', 400, 5],
      ['keeps turns short at four times the capacity', 800, 5],
      ['keeps turns short at four times the capacity of fast handlers', 4000, 1],
      ['keeps turns short at twenty times the capacity', 4000, 5],
    ],
    (_, perSecond, milliseconds) => {
      const server = createLoop()
      sendRequests(server, perSecond, milliseconds, 2)
      const { accepted, rejected, longest } = sendRequests(server, perSecond, milliseconds, 5)
      // the server is busy all the time, and no turn takes much longer than the target of 10 ms
      assert.ok(accepted * milliseconds > 4500, `${accepted} accepted`)
      assert.ok(rejected > accepted / 2, `${rejected} rejected`)
      assert.ok(longest < 20, `${longest} ms`)
    },
  )
  test('rejects no request of a burst that takes half a second', () => {
    const server = createLoop()
    server.rest(1000)
    for (let index = 0; index < 3; index++) {
      server.connect()
      assert.is(server.turn(400, 0.5), 0)
      server.waiting.push(...Array.from({ length: 150 }, () => server.now()))
    }
  })
  test('rejects no request of 64 busy clients if other processes share the core', () => {
    for (const processes of [2, 3, 4]) {
      const server = createLoop({ delay: 250, utilization: 98 }, processes)
      for (let count = 1; count <= 64; count++) {
        server.waiting.splice(0, Infinity, ...Array.from({ length: 64 - count }, server.now))
        server.connect()
        assert.is(server.turn(count, 3), 0)
      }
      for (let index = 0; index < 50; index++) assert.is(server.turn(64, 3), 0)
    }
  })
  test('rejects requests in an overload if other processes share the core', () => {
    const server = createLoop({ delay: 250, utilization: 98 }, 3)
    assert.ok(sendRequests(server, 800, 5, 5).rejected > 2000)
  })
  test('rejects no request of sixteen clients that use a new connection for each request', () => {
    const server = createLoop()
    let rejected = 0
    for (let index = 0; index < 1000; index++) {
      server.waiting.splice(0, Infinity, ...Array.from({ length: 15 }, () => server.now()))
      server.connect()
      rejected += server.turn(1, 5)
    }
    assert.is(rejected, 0)
  })
  test('ends a second after the overload', () => {
    const server = createLoop()
    sendRequests(server, 800, 5, 3)
    assert.is(sendRequests(server, 100, 5, 3).rejected, 0)
    assert.equal(
      server.lines.map(({ level }) => level),
      ['warn', 'info'],
    )
  })
  test('rejects no request after one handler that blocks the loop', () => {
    const server = createLoop()
    for (const milliseconds of [300, 1000, 10_000]) {
      server.rest(1000)
      server.turn(1, milliseconds)
      assert.is(server.turn(20, 1), 0)
      assert.is(server.turn(20, 1), 0)
    }
    assert.equal(server.lines, [])
  })
  test('rejects no request in the turn in which one handler blocks the loop', () => {
    const server = createLoop()
    server.rest(1000)
    // one request after another, in the same turn
    assert.is(server.turn(2, 1000), 0)
    assert.equal(server.lines, [])
  })
  test('rejects no request of a client that calls a slow handler repeatedly', () => {
    const server = createLoop()
    for (let index = 0; index < 20; index++) assert.is(server.turn(1, 300), 0)
  })
  test('rejects no request after the process was suspended', () => {
    const server = createLoop()
    server.rest(1000)
    server.suspend(60_000)
    assert.is(server.turn(50, 1), 0)
    assert.is(server.turn(50, 1), 0)
    server.rest(10)
    assert.is(server.turn(50, 1), 0)
  })
  test('rejects requests that wait too long in one turn of many requests', () => {
    const server = createLoop()
    server.rest(1000)
    const rejected = server.turn(1000, 5)
    assert.ok(rejected > 700 && rejected < 900, `${rejected}`)
  })
  test('rejects no request of busy clients that wait for responses after the process was paused', () => {
    const server = createLoop()
    for (let index = 0; index < 200; index++) {
      if (index % 50 === 40) server.suspend(400)
      assert.is(server.turn(64, 0.5), 0)
    }
    assert.equal(server.lines, [])
  })
  test('rejects no request of busy clients that open their connections one after another', () => {
    const server = createLoop()
    for (let index = 0; index < 50; index++) server.turn(64, 0.5)
    for (let count = 1; count <= 64; count++) {
      server.connect()
      assert.is(server.turn(64 + count, 0.5), 0)
    }
    for (let index = 0; index < 50; index++) assert.is(server.turn(128, 0.5), 0)
  })
  test('accepts all requests of busy clients that wait for responses after an overload', () => {
    const server = createLoop()
    sendRequests(server, 4000, 1, 3)
    let rejected = 0
    while (server.now() < 60_000) rejected = server.turn(64, 0.5)
    assert.is(rejected, 0)
    server.rest(1000)
    assert.equal(
      server.lines.map(({ level }) => level),
      ['warn', 'info'],
    )
  })
  test('attempts to accept all requests at increasing intervals during an overload', () => {
    const server = createLoop()
    const attempts = new Set<number>()
    sendRequests(server, 800, 5, 2)
    for (let second = 2; second < 120; second++)
      if (sendRequests(server, 800, 5, 1).longest > 50) attempts.add(Math.round(second / 10))
    assert.equal([...attempts], [1, 3, 7])
  })
  test('accepts some requests if rejections alone keep the server busy', () => {
    const server = createLoop()
    sendRequests(server, 800, 5, 2)
    let accepted = 0
    for (let index = 0; index < 100; index++) {
      server.suspend(30)
      accepted += 100 - server.turn(100, 0)
    }
    assert.ok(accepted > 10, `${accepted} accepted`)
  })
  test('rejects requests with a lateness of 20 ms if only the utilization is limited', () => {
    const server = createLoop({ delay: 0, utilization: 90 })
    assert.ok(sendRequests(server, 800, 5, 3).rejected > 0)
  })
  test('rejects no request below the utilization limit', () => {
    const server = createLoop({ delay: 250, utilization: 98 })
    for (let index = 0; index < 20; index++) {
      // busy for three quarters of the time
      assert.is(server.turn(60, 5), 0)
      server.rest(100)
    }
  })
})
