import { getEventListeners } from 'node:events'
import * as assert from 'uvu/assert'
import type { ClientBody } from '../../../src/client/exchange.ts'
import type { HedgeOptions } from '../../../src/client/policy/hedge.ts'
import { hedge } from '../../../src/client/policy/hedge.ts'
import {
  contentOf,
  failureOf,
  held,
  requestTo,
  responded,
  responseOf,
  scripted,
  send,
  textOf,
  unreachable,
  word,
} from '../../support/client-passage.ts'
import { describe, table } from '../../support/describe.ts'
import { settled, steppedClock } from '../../support/stepped-clock.ts'

const isNotFound: HedgeOptions['on'] = (outcome) => word(outcome) === 404

describe('hedge', (test) => {
  test('what is answered in time is sent once', async () => {
    const clock = steppedClock()
    const network = held()
    const sent = send(hedge('1s', { clock }), network)
    await clock.pass(999)
    network.answer(0, responded(200))
    assert.is(word(await sent), 200)
    await clock.pass(10_000)
    assert.equal([network.sent.length, clock.timers()], [1, 0])
  })
  for (const [winner, loser] of [
    [0, 1],
    [1, 0],
  ] as const)
    test(`the one that is answered first wins, and the other is aborted: ${winner}`, async () => {
      const clock = steppedClock()
      const network = held()
      const sent = send(hedge('1s', { clock }), network)
      await clock.pass(1000)
      assert.is(network.sent.length, 2)
      network.answer(winner, responded(200, [], contentOf('a').body))
      assert.is(await textOf(responseOf(await sent).body), 'a')
      assert.equal(
        [winner, loser].map((n) => network.sent[n]?.signal?.aborted),
        [false, true],
      )
      assert.is(clock.timers(), 0)
    })
  test('what still comes is let go', async () => {
    const clock = steppedClock()
    const late = contentOf('late', '…')
    const answers: Array<() => void> = []
    const network = scripted(
      (_, n) =>
        new Promise((resolve) =>
          answers.push(() => resolve(responded(200, [], n === 0 ? late.body : null))),
        ),
    )
    const sent = send(hedge('1s', { clock }), network)
    await clock.pass(1000)
    answers[1]?.()
    await sent
    answers[0]?.()
    await settled()
    assert.ok(late.isCancelled())
  })
  test('again and again, as often as it is said', async () => {
    const clock = steppedClock()
    const network = held()
    const sent = send(hedge('1s', { times: 3, clock }), network)
    await clock.pass(60_000)
    assert.is(network.sent.length, 4)
    network.answer(2, responded(200))
    assert.is(word(await sent), 200)
    assert.equal(
      network.sent.map(({ signal }) => signal?.aborted),
      [true, true, false, true],
    )
  })
  test('a failure waits for another answer, and the last one is given', async () => {
    const clock = steppedClock()
    const network = held()
    const content = contentOf('…')
    const sent = send(hedge('1s', { times: 2, clock }), network)
    await clock.pass(2000)
    network.answer(0, responded(503, [], content.body))
    await settled()
    assert.ok(content.isCancelled())
    network.answer(2, unreachable)
    await settled()
    network.answer(1, responded(502))
    assert.is(word(await sent), 502)
  })
  test('what fails before its time is given as it is', async () => {
    const clock = steppedClock()
    const network = scripted(() => unreachable)
    assert.is(word(await send(hedge('1s', { clock }), network)), 'NetworkError')
    assert.equal([network.sent.length, clock.timers()], [1, 0])
  })
  table<[name: string, options: HedgeOptions, method: string, sent: number]>(
    test,
    [
      ...['GET', 'HEAD', 'OPTIONS', 'TRACE'].map(
        (method): [string, HedgeOptions, string, number] => [method, {}, method, 2],
      ),
      ...['POST', 'PUT', 'PATCH', 'DELETE'].map(
        (method): [string, HedgeOptions, string, number] => [method, {}, method, 1],
      ),
      ['PUT, where it is said', { methods: ['PUT'] }, 'PUT', 2],
      ['none, where it is said', { times: 0 }, 'GET', 1],
    ],
    async (_, options, method, sent) => {
      const clock = steppedClock()
      const network = held()
      const call = send(
        hedge('1s', { clock, ...options }),
        network,
        requestTo(undefined, { method }),
      )
      await clock.pass(1000)
      assert.is(network.sent.length, sent)
      network.answer(0, responded(200))
      assert.is(word(await call), 200)
    },
  )
  test('not a body in pieces', async () => {
    const clock = steppedClock()
    const network = held()
    const body: ClientBody = { _tag: 'Pieces', open: async function* () {} }
    void send(hedge('1s', { clock }), network, requestTo(undefined, { body }))
    await clock.pass(10_000)
    assert.is(network.sent.length, 1)
  })
  test('while everything is slow, what is sent again is a share of the calls', async () => {
    const clock = steppedClock()
    const network = held()
    const passage = hedge('1s', { clock, budget: { share: 0.1, reserve: 5 } }).around(
      network.passage,
    )
    for (let n = 0; n < 100; n++) {
      const call = passage(requestTo())()
      await clock.pass(1000)
      network.answer(network.sent.length - 1, responded(200))
      await call
    }
    assert.is(network.sent.length, 100 + 5 + 9)
  })
  test('R-457: the caller ends all of them at once, and nothing listens to him any more', async () => {
    const clock = steppedClock()
    const network = held()
    const caller = new AbortController()
    const request = requestTo(undefined, { signal: caller.signal })
    const sent = send(hedge('1s', { times: 5, clock }), network, request)
    await clock.pass(1000)
    caller.abort('enough')
    assert.is(failureOf(await sent)._tag, 'Aborted')
    assert.ok(network.sent.every(({ signal }) => signal?.aborted === true))
    await clock.pass(10_000)
    assert.equal(
      [network.sent.length, clock.timers(), getEventListeners(caller.signal, 'abort').length],
      [2, 0, 0],
    )
  })
  test('R-457: nothing listens to a caller whose content was taken', async () => {
    const clock = steppedClock()
    const network = held()
    const { signal } = new AbortController()
    const sent = send(hedge('1s', { clock }), network, requestTo(undefined, { signal }))
    await clock.pass(1000)
    network.answer(1, responded(200, [], contentOf('a', 'b').body))
    const { body } = responseOf(await sent)
    assert.is(getEventListeners(signal, 'abort').length, 1)
    assert.is(await textOf(body), 'ab')
    assert.is(getEventListeners(signal, 'abort').length, 0)
  })
  test('what a function says is no answer; where it throws, all is let go', async () => {
    const clock = steppedClock()
    const network = held()
    const sent = send(hedge('1s', { clock, on: isNotFound }), network)
    await clock.pass(1000)
    network.answer(0, responded(404))
    network.answer(1, responded(200))
    assert.is(word(await sent), 200)

    const content = contentOf('…')
    const other = held()
    const throwing = send(
      hedge('1s', {
        clock,
        on: () => {
          throw new Error('oops')
        },
      }),
      other,
    )
    await clock.pass(1000)
    other.answer(0, responded(200, [], content.body))
    assert.is(word(await throwing), 'Defect')
    assert.ok(content.isCancelled())
    assert.is(other.sent[1]?.signal?.aborted, true)
    assert.is(clock.timers(), 0)
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
