/** The end of a process with servers: after one signal, a second signal, an uncaught error, or without open servers. */
import { pipe } from 'fp-ts/lib/function.js'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { get, handle, path, produces, routes, text } from '../../../src/index.ts'
import { silentLogger } from '../../../src/compiler/settings/logger.ts'
import { serve } from '../../../src/node.ts'
import { describe, table } from '../../support/describe.ts'
import { withProgram } from './program.ts'
import { connectTo } from '../../support/raw-connection.ts'
import { headerOf } from '../../support/raw-response.ts'
import { assertResponse, rawRequest } from '../../support/raw.ts'

/** `fw.shutdown.timeout` in milliseconds, and the maximum delay on a busy machine. */
const deadline = 400
const late = 3000
const short = { options: { 'fw.shutdown.grace': 0, 'fw.shutdown.timeout': deadline } }
/** A timeout that no test reaches. */
const long = { options: { 'fw.shutdown.grace': 0, 'fw.shutdown.timeout': 60_000 } }

const defaultSignals = ['SIGTERM', 'SIGINT'] as const

describe('a signal', (test) => {
  for (const signal of defaultSignals)
    test(`${signal}: an idle program exits with 0`, () =>
      withProgram({}, async ({ kill, exit }) => {
        const startTime = performance.now()
        kill(signal)
        const { code, time, output, errors } = await exit
        assert.equal([code, output, errors], [0, [], ''])
        assert.ok(time - startTime < late)
      }))

  for (const signal of defaultSignals)
    test(`${signal}: a request in flight is served before the exit`, () =>
      withProgram(long, async ({ waitForOutput, kill, exit }, url) => {
        const connection = await connectTo(url)
        connection.write(rawRequest('GET /slow/300'))
        await waitForOutput('slow')
        kill(signal)
        assertResponse(await connection.next(), [200, 'slow', { connection: 'close' }])
        await connection.closed()
        const lastResponse = performance.now()
        const { code, time } = await exit
        assert.is(code, 0)
        assert.ok(time - lastResponse < late)
      }))

  test('every server of the process is closed', () =>
    withProgram({ ...long, servers: 3 }, async ({ urls, waitForOutput, kill, exit }) => {
      const connections = await Promise.all(urls.map((url) => connectTo(url)))
      for (const [index, connection] of connections.entries())
        connection.write(rawRequest(`GET /slow/${(index + 1) * 100}`))
      await waitForOutput('slow', 3)
      kill('SIGTERM')
      for (const connection of connections) assertResponse(await connection.next(), [200, 'slow'])
      assert.is((await exit).code, 0)
    }))

  table(
    test,
    [
      ['an incomplete head results in exit code 1', 'GET /alive HT'],
      [
        'an incomplete body results in exit code 1',
        `${rawRequest('POST /alive', 'Content-Length: 10')}abc`,
      ],
      ['a handler that never ends results in exit code 1', rawRequest('GET /stuck')],
    ] as const,
    (_, request) =>
      withProgram(short, async ({ kill, exit }, url) => {
        const connection = await connectTo(url)
        connection.write(request)
        // the server has then read what the first connection has sent
        const other = await connectTo(url)
        other.write(rawRequest('GET /alive', 'Connection: close'))
        assertResponse(await other.next(), [200, 'alive'])
        const startTime = performance.now()
        kill('SIGTERM')
        const { code, time } = await exit
        connection.destroy()
        assert.is(code, 1)
        assert.ok(
          time - startTime >= deadline && time - startTime < deadline + late,
          `${time - startTime} ms`,
        )
      }),
  )
})

describe('readiness during fw.shutdown.delay', (test) => {
  const up = '{"status":"UP","checks":[]}'
  const down = '{"status":"DOWN","checks":[{"name":"shutdown","status":"DOWN"}]}'

  test('the readiness check fails at once while other requests are served', () =>
    withProgram({ options: { 'fw.shutdown.delay': 2000 } }, async ({ kill, exit }, url) => {
      const connection = await connectTo(url)
      const send = (target: string) => {
        connection.write(rawRequest(`GET ${target}`))
        return connection.next()
      }
      assertResponse(await send('/health/ready'), [200, up])
      kill('SIGTERM')
      let response = await send('/health/ready')
      while (response.status === 200) response = await send('/health/ready')
      assertResponse(response, [503, down, { connection: 'keep-alive' }])
      assertResponse(await send('/health/live'), [200, up])
      const another = await connectTo(url)
      another.write(rawRequest('GET /alive'))
      assertResponse(await another.next(), [200, 'alive', { connection: 'keep-alive' }])
      another.destroy()
      while (headerOf(response, 'connection') === 'keep-alive') {
        await wait(50)
        response = await send('/health/ready')
      }
      assertResponse(response, [503, down, { connection: 'close' }])
      assert.is((await exit).code, 0)
    }))
})

describe('a second signal', (test) => {
  for (const [first, second, expected] of [
    ['SIGTERM', 'SIGTERM', 143],
    ['SIGINT', 'SIGINT', 130],
    ['SIGTERM', 'SIGINT', 130],
  ] as const)
    test(`${second} after ${first} exits at once with ${expected}`, () =>
      withProgram(long, async ({ waitForOutput, kill, exit }, url) => {
        const connection = await connectTo(url)
        connection.write(rawRequest('GET /stuck'))
        await waitForOutput('stuck')
        kill(first)
        // the process ignores a repeated signal for 100 ms
        const timer = setInterval(kill, 150, second)
        const startTime = performance.now()
        const { code, time } = await exit
        clearInterval(timer)
        connection.destroy()
        assert.is(code, expected)
        assert.ok(time - startTime < late)
      }))
})

describe('ServeOptions.signals', (test) => {
  for (const [signal, signals, expected] of [
    ['SIGTERM', false, 'SIGTERM'],
    ['SIGINT', false, 'SIGINT'],
    ['SIGTERM', true, 0],
    ['SIGHUP', true, 'SIGHUP'],
    ['SIGHUP', ['SIGHUP', 'SIGTERM'], 0],
    ['SIGTERM', ['SIGHUP', 'SIGTERM'], 0],
    ['SIGINT', ['SIGHUP', 'SIGTERM'], 'SIGINT'],
    ['SIGTERM', [], 'SIGTERM'],
  ] as const)
    test(`${JSON.stringify(signals)}: ${signal} ends the program with ${expected}`, () =>
      withProgram({ options: { signals } }, async ({ kill, exit }) => {
        kill(signal)
        assert.is((await exit).code, expected)
      }))

  test('a program with its own listener ends the process itself', () =>
    withProgram({ ends: 'later' }, async ({ kill, exit }) => {
      kill('SIGTERM')
      const { code, output } = await exit
      assert.equal([code, output], [0, ['flushed']])
    }))

  test('a program whose own listener does not end the process exits after the timeout', () =>
    withProgram({ ...short, ends: 'never' }, async ({ kill, exit }) => {
      const startTime = performance.now()
      kill('SIGTERM')
      const { code, time, output } = await exit
      assert.equal([code, output], [0, ['received']])
      assert.ok(
        time - startTime >= deadline && time - startTime < deadline + late,
        `${time - startTime} ms`,
      )
    }))

  test('a process has one listener per event until all servers are closed', async () => {
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

  test('a program that has closed its servers exits without a signal', () =>
    withProgram({ servers: 2, closes: true }, async ({ exit }) => {
      assert.is((await exit).code, 0)
    }))
})

describe('ServeOptions.onClose', (test) => {
  test('is called after the last response and awaited', () =>
    withProgram({ ...long, closing: 'done' }, async ({ waitForOutput, kill, exit }, url) => {
      const connection = await connectTo(url)
      connection.write(rawRequest('GET /slow/200'))
      await waitForOutput('slow')
      kill('SIGTERM')
      assertResponse(await connection.next(), [200, 'slow'])
      const { code, output } = await exit
      assert.equal([code, output], [0, ['slow', 'closed']])
    }))

  for (const [closing, minTime] of [
    ['failed', 0],
    ['stuck', deadline],
  ] as const)
    test(`an onClose that is ${closing} results in exit code 1`, () =>
      withProgram({ ...short, closing }, async ({ kill, exit }) => {
        const startTime = performance.now()
        kill('SIGTERM')
        const { code, time } = await exit
        assert.is(code, 1)
        assert.ok(
          time - startTime >= minTime && time - startTime < minTime + late,
          `${time - startTime} ms`,
        )
      }))
})

describe('an uncaught error', (test) => {
  for (const [target, message] of [
    ['/throws', 'Error: not caught'],
    ['/rejects', 'Error: not handled'],
  ] as const)
    test(`GET ${target} closes the server and exits with 1`, () =>
      withProgram(long, async ({ waitForOutput, exit }, url) => {
        const [failing, slow] = [await connectTo(url), await connectTo(url)]
        slow.write(rawRequest('GET /slow/300'))
        await waitForOutput('slow')
        failing.write(rawRequest(`GET ${target}`))
        assertResponse(await failing.next(), [200, 'soon'])
        assertResponse(await slow.next(), [200, 'slow', { connection: 'close' }])
        const { code, errors } = await exit
        assert.is(code, 1)
        assert.match(errors, message)
      }))

  test('does not end a program with its own listener', () =>
    withProgram({ listens: true }, async ({ waitForOutput, kill, exit }, url) => {
      const connection = await connectTo(url)
      connection.write(rawRequest('GET /throws'))
      await connection.next()
      await waitForOutput('received')
      connection.write(rawRequest('GET /alive'))
      assertResponse(await connection.next(), [200, 'alive'])
      connection.destroy()
      kill('SIGTERM')
      const { code, output } = await exit
      assert.equal([code, output], [0, ['received']])
    }))

  test('results in exit code 1 during a shutdown', () =>
    withProgram(long, async ({ kill, exit }, url) => {
      const connection = await connectTo(url)
      connection.write(rawRequest('GET /throws') + rawRequest('GET /slow/300'))
      assertResponse(await connection.next(), [200, 'soon'])
      kill('SIGTERM')
      assertResponse(await connection.next(), [200, 'slow'])
      assert.is((await exit).code, 1)
    }))
})
