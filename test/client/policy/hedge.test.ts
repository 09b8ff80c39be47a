import { getEventListeners } from 'node:events'
import * as assert from 'uvu/assert'
import type { ClientBody } from '../../../src/client/exchange.ts'
import type { HedgeOptions } from '../../../src/client/policy/hedge.ts'
import { hedge } from '../../../src/client/policy/hedge.ts'
import {
  fakeBody,
  expectError,
  manualTransport,
  requestTo,
  responseOf,
  expectResponse,
  fakeTransport,
  send,
  readText,
  networkError,
  statusOrTag,
} from '../fake-transport.ts'
import { describe, table } from '../../support/describe.ts'
import { flushPromises, fakeClock } from '../fake-clock.ts'

const isNotFound: HedgeOptions['on'] = (result) => statusOrTag(result) === 404

describe('hedge', (test) => {
  test('a request that is answered in time is sent once', async () => {
    const clock = fakeClock()
    const network = manualTransport()
    const sent = send(hedge('1s', { clock }), network)
    await clock.advance(999)
    network.respond(0, responseOf(200))
    assert.is(statusOrTag(await sent), 200)
    await clock.advance(10_000)
    assert.equal([network.sent.length, clock.timerCount()], [1, 0])
  })
  for (const [winner, loser] of [
    [0, 1],
    [1, 0],
  ] as const)
    test(`the first response wins and the other request is aborted (winner: ${winner})`, async () => {
      const clock = fakeClock()
      const network = manualTransport()
      const sent = send(hedge('1s', { clock }), network)
      await clock.advance(1000)
      assert.is(network.sent.length, 2)
      network.respond(winner, responseOf(200, [], fakeBody('a').body))
      assert.is(await readText(expectResponse(await sent).body), 'a')
      assert.equal(
        [winner, loser].map((n) => network.sent[n]?.signal?.aborted),
        [false, true],
      )
      assert.is(clock.timerCount(), 0)
    })
  test('a late response is discarded', async () => {
    const clock = fakeClock()
    const late = fakeBody('late', '…')
    const responders: Array<() => void> = []
    const network = fakeTransport(
      (_, n) =>
        new Promise((resolve) =>
          responders.push(() => resolve(responseOf(200, [], n === 0 ? late.body : null))),
        ),
    )
    const sent = send(hedge('1s', { clock }), network)
    await clock.advance(1000)
    responders[1]?.()
    await sent
    responders[0]?.()
    await flushPromises()
    assert.ok(late.isCancelled())
  })
  test('times sets the number of additional requests', async () => {
    const clock = fakeClock()
    const network = manualTransport()
    const sent = send(hedge('1s', { times: 3, clock }), network)
    await clock.advance(60_000)
    assert.is(network.sent.length, 4)
    network.respond(2, responseOf(200))
    assert.is(statusOrTag(await sent), 200)
    assert.equal(
      network.sent.map(({ signal }) => signal?.aborted),
      [true, true, false, true],
    )
  })
  test('a failure is ignored while another request is pending; the last result is returned', async () => {
    const clock = fakeClock()
    const network = manualTransport()
    const content = fakeBody('…')
    const sent = send(hedge('1s', { times: 2, clock }), network)
    await clock.advance(2000)
    network.respond(0, responseOf(503, [], content.body))
    await flushPromises()
    assert.ok(content.isCancelled())
    network.respond(2, networkError)
    await flushPromises()
    network.respond(1, responseOf(502))
    assert.is(statusOrTag(await sent), 502)
  })
  test('a failure before the delay is returned immediately', async () => {
    const clock = fakeClock()
    const network = fakeTransport(() => networkError)
    assert.is(statusOrTag(await send(hedge('1s', { clock }), network)), 'NetworkError')
    assert.equal([network.sent.length, clock.timerCount()], [1, 0])
  })
  table<[name: string, options: HedgeOptions, method: string, sent: number]>(
    test,
    [
      ...['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY'].map(
        (method): [string, HedgeOptions, string, number] => [method, {}, method, 2],
      ),
      ...['POST', 'PUT', 'PATCH', 'DELETE'].map(
        (method): [string, HedgeOptions, string, number] => [method, {}, method, 1],
      ),
      ['PUT with methods', { methods: ['PUT'] }, 'PUT', 2],
      ['times: 0', { times: 0 }, 'GET', 1],
    ],
    async (_, options, method, sent) => {
      const clock = fakeClock()
      const network = manualTransport()
      const call = send(
        hedge('1s', { clock, ...options }),
        network,
        requestTo(undefined, { method }),
      )
      await clock.advance(1000)
      assert.is(network.sent.length, sent)
      network.respond(0, responseOf(200))
      assert.is(statusOrTag(await call), 200)
    },
  )
  test('a request with a streamed body is sent once', async () => {
    const clock = fakeClock()
    const network = manualTransport()
    const body: ClientBody = { _tag: 'Streamed', open: async function* () {} }
    void send(hedge('1s', { clock }), network, requestTo(undefined, { body }))
    await clock.advance(10_000)
    assert.is(network.sent.length, 1)
  })
  test('the budget limits additional requests to a share of the calls', async () => {
    const clock = fakeClock()
    const network = manualTransport()
    const passage = hedge('1s', { clock, budget: { share: 0.1, reserve: 5 } }).around(
      network.passage,
    )
    for (let n = 0; n < 100; n++) {
      const call = passage(requestTo())()
      await clock.advance(1000)
      network.respond(network.sent.length - 1, responseOf(200))
      await call
    }
    assert.is(network.sent.length, 100 + 5 + 9)
  })
  test('an abort cancels all requests and leaves no timers or listeners', async () => {
    const clock = fakeClock()
    const network = manualTransport()
    const caller = new AbortController()
    const request = requestTo(undefined, { signal: caller.signal })
    const sent = send(hedge('1s', { times: 5, clock }), network, request)
    await clock.advance(1000)
    caller.abort('enough')
    assert.is(expectError(await sent)._tag, 'Aborted')
    assert.ok(network.sent.every(({ signal }) => signal?.aborted === true))
    await clock.advance(10_000)
    assert.equal(
      [network.sent.length, clock.timerCount(), getEventListeners(caller.signal, 'abort').length],
      [2, 0, 0],
    )
  })
  test('no listener remains after the body is read', async () => {
    const clock = fakeClock()
    const network = manualTransport()
    const { signal } = new AbortController()
    const sent = send(hedge('1s', { clock }), network, requestTo(undefined, { signal }))
    await clock.advance(1000)
    network.respond(1, responseOf(200, [], fakeBody('a', 'b').body))
    const { body } = expectResponse(await sent)
    assert.is(getEventListeners(signal, 'abort').length, 1)
    assert.is(await readText(body), 'ab')
    assert.is(getEventListeners(signal, 'abort').length, 0)
  })
  test('on decides which results are ignored; if it throws, all requests are aborted', async () => {
    const clock = fakeClock()
    const network = manualTransport()
    const sent = send(hedge('1s', { clock, on: isNotFound }), network)
    await clock.advance(1000)
    network.respond(0, responseOf(404))
    network.respond(1, responseOf(200))
    assert.is(statusOrTag(await sent), 200)

    const content = fakeBody('…')
    const other = manualTransport()
    const throwing = send(
      hedge('1s', {
        clock,
        on: () => {
          throw new Error('oops')
        },
      }),
      other,
    )
    await clock.advance(1000)
    other.respond(0, responseOf(200, [], content.body))
    assert.is(statusOrTag(await throwing), 'Defect')
    assert.ok(content.isCancelled())
    assert.is(other.sent[1]?.signal?.aborted, true)
    assert.is(clock.timerCount(), 0)
  })
  table(
    test,
    [
      ['soon', {}],
      [-1, {}],
      ['1s', { times: -1 }],
      ['1s', { times: 1.5 }],
    ] as const,
    (after, options) => assert.throws(() => hedge(after, options), RangeError),
  )
})
