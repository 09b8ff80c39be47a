/** The end of a process with servers: by a signal, by a second one, by an uncaught error, or by itself. */
import { pipe } from 'fp-ts/lib/function.js'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { get, handle, path, produces, routes, text } from '../../../src/index.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import { serve } from '../../../src/node.ts'
import { describe, table } from '../../support/describe.ts'
import { using } from '../../support/program.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { fieldOf } from '../../support/raw-response.ts'
import { check, to } from '../../support/raw.ts'

/** Milliseconds until connections are cut, and those that a busy machine may be late. */
const deadline = 400
const late = 3000
const short = { options: { 'fw.shutdown.grace': 0, 'fw.shutdown.timeout': deadline } }
/** Nothing comes to its end by itself in this time. */
const long = { options: { 'fw.shutdown.grace': 0, 'fw.shutdown.timeout': 60_000 } }

const signals = ['SIGTERM', 'SIGINT'] as const

describe('a signal', (test) => {
  for (const signal of signals)
    test(`${signal}: an idle program exits with 0`, () =>
      using({}, async ({ kill, exit }) => {
        const begun = performance.now()
        kill(signal)
        const { by, at, said, complained } = await exit
        assert.equal([by, said, complained], [0, [], ''])
        assert.ok(at - begun < late)
      }))

  for (const signal of signals)
    test(`${signal}: a request in flight is served first`, () =>
      using(long, async ({ says, kill, exit }, url) => {
        const connection = await connectTo(url)
        connection.write(to('GET /slow/300'))
        await says('slow')
        kill(signal)
        check(await connection.next(), [200, 'slow', { connection: 'close' }])
        await connection.closed()
        const answered = performance.now()
        const { by, at } = await exit
        assert.is(by, 0)
        assert.ok(at - answered < late)
      }))

  test('every server of the process is closed', () =>
    using({ ...long, servers: 3 }, async ({ urls, says, kill, exit }) => {
      const connections = await Promise.all(urls.map((url) => connectTo(url)))
      for (const [index, connection] of connections.entries())
        connection.write(to(`GET /slow/${(index + 1) * 100}`))
      await says('slow', 3)
      kill('SIGTERM')
      for (const connection of connections) check(await connection.next(), [200, 'slow'])
      assert.is((await exit).by, 0)
    }))

  table(
    test,
    [
      ['half a head', 'GET /alive HT'],
      ['half a content', `${to('POST /alive', 'Content-Length: 10')}abc`],
      ['a handler that never ends', to('GET /stuck')],
    ] as const,
    (_, octets) =>
      using(short, async ({ kill, exit }, url) => {
        const connection = await connectTo(url)
        connection.write(octets)
        await wait(200)
        const begun = performance.now()
        kill('SIGTERM')
        const { by, at } = await exit
        connection.leave()
        assert.is(by, 1)
        assert.ok(at - begun >= deadline && at - begun < deadline + late, `${at - begun} ms`)
      }),
  )
})

describe('readiness', (test) => {
  const up = '{"status":"UP","checks":[]}'
  const down = '{"status":"DOWN","checks":[{"name":"shutdown","status":"DOWN"}]}'

  test('fails at once, while other requests are served', () =>
    using({ options: { 'fw.shutdown.delay': 2000 } }, async ({ kill, exit }, url) => {
      const connection = await connectTo(url)
      const ask = (target: string) => {
        connection.write(to(`GET ${target}`))
        return connection.next()
      }
      check(await ask('/health/ready'), [200, up])
      kill('SIGTERM')
      let answer = await ask('/health/ready')
      while (answer.status === 200) answer = await ask('/health/ready')
      check(answer, [503, down, { connection: 'keep-alive' }])
      check(await ask('/health/live'), [200, up])
      const another = await connectTo(url)
      another.write(to('GET /alive'))
      check(await another.next(), [200, 'alive', { connection: 'keep-alive' }])
      another.leave()
      while (fieldOf(answer, 'connection') === 'keep-alive') {
        await wait(50)
        answer = await ask('/health/ready')
      }
      check(answer, [503, down, { connection: 'close' }])
      assert.is((await exit).by, 0)
    }))
})

describe('a second signal', (test) => {
  table(
    test,
    [
      ['SIGTERM', 'SIGTERM', 143],
      ['SIGINT', 'SIGINT', 130],
      ['SIGTERM', 'SIGINT', 130],
    ] as const,
    (first, second, code) =>
      using(long, async ({ says, kill, exit }, url) => {
        const connection = await connectTo(url)
        connection.write(to('GET /stuck'))
        await says('stuck')
        kill(first)
        await wait(150)
        const begun = performance.now()
        kill(second)
        const { by, at } = await exit
        connection.leave()
        assert.is(by, code)
        assert.ok(at - begun < late)
      }),
  )

  test('is ignored if it repeats the first within 100 ms', () =>
    using(long, async ({ says, kill, exit }, url) => {
      const connection = await connectTo(url)
      connection.write(to('GET /slow/200'))
      await says('slow')
      kill('SIGINT')
      await wait(10)
      kill('SIGINT')
      check(await connection.next(), [200, 'slow'])
      assert.is((await exit).by, 0)
    }))
})

describe('ServeOptions.signals', (test) => {
  table(
    test,
    [
      ['SIGTERM', false, 'SIGTERM'],
      ['SIGINT', false, 'SIGINT'],
      ['SIGTERM', true, 0],
      ['SIGHUP', true, 'SIGHUP'],
      ['SIGHUP', ['SIGHUP', 'SIGTERM'], 0],
      ['SIGTERM', ['SIGHUP', 'SIGTERM'], 0],
      ['SIGINT', ['SIGHUP', 'SIGTERM'], 'SIGINT'],
      ['SIGTERM', [], 'SIGTERM'],
    ] as const,
    (signal, listened, by) =>
      using({ options: { signals: listened } }, async ({ kill, exit }) => {
        kill(signal)
        assert.is((await exit).by, by)
      }),
  )

  test('a program with its own listener ends itself', () =>
    using({ ends: 'later' }, async ({ kill, exit }) => {
      kill('SIGTERM')
      const { by, said } = await exit
      assert.equal([by, said], [0, ['flushed']])
    }))

  test('a program with its own listener that does not end is ended', () =>
    using({ ...short, ends: 'never' }, async ({ kill, exit }) => {
      const begun = performance.now()
      kill('SIGTERM')
      const { by, at, said } = await exit
      assert.equal([by, said], [0, ['heard']])
      assert.ok(at - begun >= deadline && at - begun < deadline + late, `${at - begun} ms`)
    }))

  test('a process has one listener for all servers, and none after they are closed', async () => {
    const events = ['SIGTERM', 'SIGINT', 'uncaughtException'] as const
    const listeners = () => events.map((event) => process.listenerCount(event))
    const hello = pipe(
      path('/'),
      get(),
      produces(text),
      handle(() => 'hello'),
    )
    const options = { logger: silentLogger, 'fw.http.port': 0, 'fw.shutdown.grace': 0 }
    const before = listeners()
    const others = await serve(routes({ hello }), { ...options, signals: false })
    assert.equal(listeners(), before)
    const first = await serve(routes({ hello }), options)
    const second = await serve(routes({ hello }), options)
    assert.equal(
      listeners(),
      before.map((count) => count + 1),
    )
    await first.close()
    assert.equal(
      listeners(),
      before.map((count) => count + 1),
    )
    await second.close()
    await others.close()
    assert.equal(listeners(), before)
  })

  test('a program that has closed its servers exits by itself', () =>
    using({ servers: 2, closes: true }, async ({ exit }) => {
      assert.is((await exit).by, 0)
    }))
})

describe('ServeOptions.onClose', (test) => {
  test('is called after the last response, and awaited', () =>
    using({ ...long, closing: 'done' }, async ({ says, kill, exit }, url) => {
      const connection = await connectTo(url)
      connection.write(to('GET /slow/200'))
      await says('slow')
      kill('SIGTERM')
      check(await connection.next(), [200, 'slow'])
      const { by, said } = await exit
      assert.equal([by, said], [0, ['slow', 'closed']])
    }))

  table(
    test,
    [
      ['failed', 0],
      ['stuck', deadline],
    ] as const,
    (closing, least) =>
      using({ ...short, closing }, async ({ kill, exit }) => {
        const begun = performance.now()
        kill('SIGTERM')
        const { by, at } = await exit
        assert.is(by, 1)
        assert.ok(at - begun >= least && at - begun < least + late, `${at - begun} ms`)
      }),
  )
})

describe('an uncaught error', (test) => {
  table(
    test,
    [
      ['/throws', 'Error: nobody catches this'],
      ['/rejects', 'Error: nobody handles this'],
    ] as const,
    (target, message) =>
      using(long, async ({ says, exit }, url) => {
        const [one, other] = [await connectTo(url), await connectTo(url)]
        other.write(to('GET /slow/300'))
        await says('slow')
        one.write(to(`GET ${target}`))
        check(await one.next(), [200, 'soon'])
        check(await other.next(), [200, 'slow', { connection: 'close' }])
        const { by, complained } = await exit
        assert.is(by, 1)
        assert.match(complained, message)
      }),
  )

  test('is handled by a program with its own listener', () =>
    using({ listens: true }, async ({ kill, exit }, url) => {
      const connection = await connectTo(url)
      connection.write(to('GET /throws'))
      await connection.next()
      await wait(100)
      connection.write(to('GET /alive'))
      check(await connection.next(), [200, 'alive'])
      connection.leave()
      kill('SIGTERM')
      const { by, said } = await exit
      assert.equal([by, said], [0, ['heard']])
    }))

  test('results in exit code 1 during a shutdown', () =>
    using(long, async ({ kill, exit }, url) => {
      const connection = await connectTo(url)
      connection.write(to('GET /throws') + to('GET /slow/300'))
      check(await connection.next(), [200, 'soon'])
      await wait(100)
      kill('SIGTERM')
      check(await connection.next(), [200, 'slow'])
      assert.is((await exit).by, 1)
    }))
})
