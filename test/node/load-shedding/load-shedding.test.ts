/** Load shedding with a simulated event loop. `over-connections.test.ts` tests it over sockets. */
import * as assert from 'uvu/assert'
import { describe, table } from '../../support/describe.ts'
import { arrive, arriveAnew, loop, percentile } from '../../support/stepped-loop.ts'

describe('load shedding', (test) => {
  for (const perSecond of [300, 400, 800])
    test(`keeps latencies short if ${perSecond} of 200 possible requests a second need a new connection each`, () => {
      const server = loop()
      arriveAnew(server, perSecond, 5, 2)
      const { accepted, rejected } = arriveAnew(server, perSecond, 5, 5)
      assert.ok(accepted.length > 600, `${accepted.length} accepted`)
      assert.ok(percentile(accepted, 99) < 100, `${percentile(accepted, 99)} ms`)
      assert.ok(percentile(rejected, 99) < 50, `${percentile(rejected, 99)} ms`)
    })
  test('rejects nothing at three quarters of the capacity with a new connection for each request', () => {
    assert.is(arriveAnew(loop(), 140, 5, 10).rejected.length, 0)
  })
  test('rejects nothing of fast handlers that keep the loop busy with new connections', () => {
    assert.is(arriveAnew(loop(), 4000, 0.05, 10).rejected.length, 0)
  })
  table<readonly [title: string, perSecond: number, milliseconds: number]>(
    test,
    [
      ['an idle server', 10, 1],
      ['half of the capacity', 100, 5],
      ['nine tenths of the capacity', 180, 5],
      ['many cheap requests', 900, 1],
    ],
    (_, perSecond, milliseconds) =>
      assert.is(arrive(loop(), perSecond, milliseconds, 10).rejected, 0),
  )
  table<readonly [title: string, perSecond: number, milliseconds: number]>(
    test,
    [
      ['twice the capacity', 400, 5],
      ['four times the capacity', 800, 5],
      ['four times the capacity of fast handlers', 4000, 1],
      ['twenty times the capacity', 4000, 5],
    ],
    (_, perSecond, milliseconds) => {
      const server = loop()
      arrive(server, perSecond, milliseconds, 2)
      const { accepted, rejected, longest } = arrive(server, perSecond, milliseconds, 5)
      // the server is busy all the time, and no turn takes much longer than the target of 10 ms
      assert.ok(accepted * milliseconds > 4500, `${accepted} accepted`)
      assert.ok(rejected > accepted / 2, `${rejected} rejected`)
      assert.ok(longest < 20, `${longest} ms`)
    },
  )
  test('rejects nothing of a burst that takes half a second', () => {
    const server = loop()
    server.rest(1000)
    for (let index = 0; index < 3; index++) {
      server.connect()
      assert.is(server.turn(400, 0.5), 0)
      server.waiting.push(...Array.from({ length: 150 }, () => server.now()))
    }
  })
  test('rejects nothing of sixteen clients that use a new connection for each request', () => {
    const server = loop()
    let rejected = 0
    for (let index = 0; index < 1000; index++) {
      server.waiting.splice(0, Infinity, ...Array.from({ length: 15 }, () => server.now()))
      server.connect()
      rejected += server.turn(1, 5)
    }
    assert.is(rejected, 0)
  })
  test('ends a second after the overload', () => {
    const server = loop()
    arrive(server, 800, 5, 3)
    assert.is(arrive(server, 100, 5, 3).rejected, 0)
    assert.equal(
      server.lines.map(({ level }) => level),
      ['warn', 'info'],
    )
  })
  test('rejects nothing after one handler that blocks the loop', () => {
    const server = loop()
    for (const milliseconds of [300, 1000, 10_000]) {
      server.rest(1000)
      server.turn(1, milliseconds)
      assert.is(server.turn(20, 1), 0)
      assert.is(server.turn(20, 1), 0)
    }
    assert.equal(server.lines, [])
  })
  test('rejects nothing in the turn in which one handler blocks the loop', () => {
    const server = loop()
    server.rest(1000)
    // one request after another, in the same turn
    assert.is(server.turn(2, 1000), 0)
    assert.equal(server.lines, [])
  })
  test('rejects nothing of a client that calls a slow handler again and again', () => {
    const server = loop()
    for (let index = 0; index < 20; index++) assert.is(server.turn(1, 300), 0)
  })
  test('rejects nothing after the process was suspended', () => {
    const server = loop()
    server.rest(1000)
    server.suspend(60_000)
    assert.is(server.turn(50, 1), 0)
    assert.is(server.turn(50, 1), 0)
    server.rest(10)
    assert.is(server.turn(50, 1), 0)
  })
  test('rejects requests that wait too long in one turn of many requests', () => {
    const server = loop()
    server.rest(1000)
    const rejected = server.turn(1000, 5)
    assert.ok(rejected > 700 && rejected < 900, `${rejected}`)
  })
  test('rejects nothing of busy clients that wait for responses after the process was paused', () => {
    const server = loop()
    for (let index = 0; index < 200; index++) {
      if (index % 50 === 40) server.suspend(400)
      assert.is(server.turn(64, 0.5), 0)
    }
    assert.equal(server.lines, [])
  })
  test('rejects nothing of busy clients that open their connections one after another', () => {
    const server = loop()
    for (let index = 0; index < 50; index++) server.turn(64, 0.5)
    for (let count = 1; count <= 64; count++) {
      server.connect()
      assert.is(server.turn(64 + count, 0.5), 0)
    }
    for (let index = 0; index < 50; index++) assert.is(server.turn(128, 0.5), 0)
  })
  test('accepts all requests of busy clients that wait for responses some time after an overload', () => {
    const server = loop()
    arrive(server, 4000, 1, 3)
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
    const server = loop()
    const attempts = new Set<number>()
    arrive(server, 800, 5, 2)
    for (let second = 2; second < 120; second++)
      if (arrive(server, 800, 5, 1).longest > 50) attempts.add(Math.round(second / 10))
    assert.equal([...attempts], [1, 3, 7])
  })
  test('still answers some requests if rejections alone keep the server busy', () => {
    const server = loop()
    arrive(server, 800, 5, 2)
    let accepted = 0
    for (let index = 0; index < 100; index++) {
      server.suspend(30)
      accepted += 100 - server.turn(100, 0)
    }
    assert.ok(accepted > 10, `${accepted} accepted`)
  })
  test('needs no lateness beyond 20 ms if only the utilization is limited', () => {
    const server = loop({ delay: 0, utilization: 90 })
    assert.ok(arrive(server, 800, 5, 3).rejected > 0)
  })
  test('does not begin below the limit of utilization', () => {
    const server = loop({ delay: 250, utilization: 98 })
    for (let index = 0; index < 20; index++) {
      // busy for three quarters of the time
      assert.is(server.turn(60, 5), 0)
      server.rest(100)
    }
  })
})
