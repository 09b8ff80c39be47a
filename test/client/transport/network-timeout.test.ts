import { getEventListeners } from 'node:events'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { client } from '../../../src/client.ts'
import type { ClientBody, ClientRequest, Passage } from '../../../src/client/exchange.ts'
import { createTimeLimit } from '../../../src/client/timer.ts'
import { withNetworkTimeout } from '../../../src/client/policy/timeout.ts'
import { get, path, produces, routes, text } from '../../../src/index.ts'
import { manualTransport, requestTo, responseOf, statusOrTag } from '../fake-transport.ts'
import { describe } from '../../support/describe.ts'
import { flushPromises, fakeClock } from '../fake-clock.ts'

/** A transport with a limit of two seconds. */
const limited = () => {
  const clock = fakeClock()
  const network = manualTransport()
  const { passage } = network
  const send = (more: Partial<ClientRequest>): ReturnType<ReturnType<Passage>> =>
    withNetworkTimeout(passage, createTimeLimit('2s', clock), clock)(requestTo(undefined, more))()
  return { clock, network, send }
}

/** A streamed body whose chunks take the specified numbers of milliseconds. */
const slow = (clock: ReturnType<typeof fakeClock>, ...times: ReadonlyArray<number>) => ({
  body: {
    _tag: 'Streamed',
    async *open() {
      for (const time of times) {
        await new Promise<void>((resolve) => clock.after(time, resolve))
        yield new Uint8Array(1)
      }
    },
  } satisfies ClientBody,
})

const never = (): Promise<Response> => new Promise(() => undefined)

describe('withNetworkTimeout', (test) => {
  test('applies the limit of the client, or that of the request', async () => {
    const { clock, send } = limited()
    const results = [{}, { timeout: '3s' }, { timeout: 1000 }].map(send)
    const endless = send({ timeout: false })
    let isOver = false
    void endless.then(() => {
      isOver = true
    })
    const tags: unknown[] = []
    results.forEach(
      (pending, at) => void pending.then((result) => tags.push([at, statusOrTag(result)])),
    )
    await clock.advance(1000)
    assert.equal(tags, [[2, 'TimedOut']])
    await clock.advance(1000)
    assert.equal(tags.slice(1), [[0, 'TimedOut']])
    await clock.advance(1000)
    assert.equal(tags.slice(2), [[1, 'TimedOut']])
    await clock.advance(1_000_000)
    assert.not(isOver)
    assert.is(clock.timerCount(), 0)
  })
  test('the default limit of a client is 30 s', async () => {
    const api = routes({ hello: pipe(path('/hello'), get(), produces(text)) })
    const { setTimeout: original } = globalThis
    const limits: unknown[] = []
    const counting = (run: () => void, wait?: number): NodeJS.Timeout => {
      limits.push(wait)
      return original(run, wait)
    }
    const abort = new AbortController()
    const limitsOf = async (timeout?: '7s' | false): Promise<unknown> => {
      limits.length = 0
      const { hello } = client(api, { baseUrl: 'http://localhost', fetch: never, timeout })
      globalThis.setTimeout = Object.assign(counting, original)
      try {
        void hello({}, { signal: abort.signal })()
        await flushPromises()
      } finally {
        globalThis.setTimeout = original
      }
      return limits.slice()
    }
    try {
      assert.equal(await limitsOf(), [30_000])
      assert.equal(await limitsOf('7s'), [7000])
      assert.equal(await limitsOf(false), [])
    } finally {
      abort.abort()
    }
  })
  test('a transport that throws leaves no timers or listeners', async () => {
    const clock = fakeClock()
    const caller = new AbortController()
    const { signal } = caller
    const throwing = withNetworkTimeout(
      () => () => {
        throw new Error('oops')
      },
      createTimeLimit('2s', clock),
      clock,
    )
    const sent = throwing(requestTo(undefined, { signal }))()
    assert.instance(await sent.catch((error: unknown) => error), Error)
    assert.equal([clock.timerCount(), getEventListeners(signal, 'abort').length], [0, 0])
  })
  test('the timer stops while the source of the body produces a chunk', async () => {
    const { clock, network, send } = limited()
    const result = send(slow(clock, 60_000, 60_000))
    await flushPromises()
    const [request] = network.sent
    assert.is(request?.body?._tag, 'Streamed')
    if (request?.body?._tag !== 'Streamed') return
    const chunks = request.body.open()[Symbol.asyncIterator]()
    for (const done of [false, false, true]) {
      const next = chunks.next()
      if (!done) await clock.advance(60_000)
      assert.is((await next).done ?? false, done)
      if (!done) await clock.advance(1900)
    }
    network.respond(0, responseOf(204))
    assert.is(statusOrTag(await result), 204)
    assert.is(clock.timerCount(), 0)
  })
  test('the timer runs while a chunk is being sent', async () => {
    const { clock, network, send } = limited()
    const result = send(slow(clock, 10, 10))
    await flushPromises()
    const [request] = network.sent
    if (request?.body?._tag !== 'Streamed') throw new Error('no streamed body')
    const chunks = request.body.open()[Symbol.asyncIterator]()
    const next = chunks.next()
    await clock.advance(10)
    await next
    await clock.advance(2000)
    assert.is(statusOrTag(await result), 'TimedOut')
    assert.is(request.signal?.aborted, true)
    // reading another chunk does not restart the timer
    const more = chunks.next()
    await clock.advance(10)
    await more
    assert.is(clock.timerCount(), 0)
  })
  test('the timer runs while the response is pending after the last chunk', async () => {
    const { clock, network, send } = limited()
    const result = send(slow(clock))
    await flushPromises()
    const [request] = network.sent
    if (request?.body?._tag !== 'Streamed') throw new Error('no streamed body')
    await clock.advance(1900)
    for await (const chunk of request.body.open()) assert.unreachable(String(chunk))
    await clock.advance(1999)
    assert.is(clock.timerCount(), 1)
    await clock.advance(1)
    assert.is(statusOrTag(await result), 'TimedOut')
  })
})
