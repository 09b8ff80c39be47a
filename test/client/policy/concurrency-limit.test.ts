import { getEventListeners } from 'node:events'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { concurrencyLimit } from '../../../src/client/policy/concurrency-limit.ts'
import type { Outcome } from '../../../src/client/policy/policy.ts'
import {
  fakeBody,
  expectError,
  manualTransport,
  requestTo,
  responseOutcome,
  expectResponse,
  fakeTransport,
  readText,
  networkError,
  outcomeName,
} from '../../support/fake-transport.ts'
import { describe, table } from '../../support/describe.ts'
import { flushPromises } from '../../support/fake-clock.ts'

const numbered = (n: number, signal?: AbortSignal) =>
  requestTo(`http://books.test/books/${n}`, { signal })

describe('concurrencyLimit', (test) => {
  test('a request that finds the queue full is rejected', async () => {
    const network = manualTransport()
    const passage = concurrencyLimit(1, { queue: 1 }).around(network.passage)
    const [first, second, third] = [1, 2, 3].map((n) => passage(numbered(n))())
    const failure = expectError((await third) ?? networkError)
    assert.ok(failure._tag === 'Refused')
    assert.equal(
      [failure.policy, failure.message],
      [
        'concurrency-limit',
        'books.get: not sent: concurrency limit of 1 and queue limit of 1 reached',
      ],
    )
    network.respond(0, responseOutcome(200))
    await flushPromises()
    network.respond(1, responseOutcome(201))
    assert.equal(
      [await first, await second].map((one) => one && outcomeName(one)),
      [200, 201],
    )
    const fourth = passage(numbered(4))()
    await flushPromises()
    network.respond(2, responseOutcome(202))
    assert.is(outcomeName(await fourth), 202)
  })
  test('a slot is occupied until the response body is read or cancelled', async () => {
    const contents = [fakeBody('a'), fakeBody('b', '…'), fakeBody('c')]
    const network = fakeTransport((_, n) => responseOutcome(200, [], contents[n]?.body ?? null))
    const passage = concurrencyLimit(1).around(network.passage)
    const [first, second, third] = [1, 2, 3].map((n) => passage(numbered(n))())
    const one = expectResponse((await first) ?? networkError)
    await flushPromises()
    assert.is(network.sent.length, 1)
    assert.is(await readText(one.body), 'a')
    const two = expectResponse((await second) ?? networkError)
    await flushPromises()
    assert.is(network.sent.length, 2)
    await two.body?.cancel()
    assert.is(await readText(expectResponse((await third) ?? networkError).body), 'c')
  })
  test('a response body that fails frees its slot although it is not being read', async () => {
    let content: ReadableStreamDefaultController | undefined
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        content = controller
      },
    })
    const network = fakeTransport((_, n) => responseOutcome(200, [], n === 0 ? body : null))
    const passage = concurrencyLimit(1).around(network.passage)
    await passage(numbered(1))()
    const second = passage(numbered(2))()
    await flushPromises()
    assert.is(network.sent.length, 1)
    content?.error(new Error('lost'))
    assert.is(outcomeName(await second), 200)
  })
  test('an aborted request leaves the queue and is not sent', async () => {
    const network = manualTransport()
    const passage = concurrencyLimit(1, { queue: 2 }).around(network.passage)
    const caller = new AbortController()
    const first = passage(numbered(1))()
    const second = passage(numbered(2, caller.signal))()
    const third = passage(numbered(3))()
    caller.abort('enough')
    const failure = expectError(await second)
    assert.equal([failure._tag, failure.cause], ['Aborted', 'enough'])
    assert.is(getEventListeners(caller.signal, 'abort').length, 0)
    network.respond(0, responseOutcome(200))
    await first
    await flushPromises()
    network.respond(1, responseOutcome(203))
    assert.is(outcomeName(await third), 203)
    assert.equal(
      network.sent.map(({ url }) => url.at(-1)),
      ['1', '3'],
    )
    assert.is(outcomeName(await passage(numbered(4, AbortSignal.abort()))()), 'Aborted')
    assert.is(network.sent.length, 2)
  })
  test('a slot is freed after an error and after a Defect', async () => {
    const network = fakeTransport((_, n) =>
      n === 0 ? Promise.reject(new Error('oops')) : networkError,
    )
    const passage = concurrencyLimit(1).around(network.passage)
    const words = []
    for (let n = 0; n < 3; n++) words.push(outcomeName(await passage(numbered(n))()))
    assert.equal(words, ['Defect', 'NetworkError', 'NetworkError'])
  })
  test('property: at most the limit is in flight, requests are sent in order, no listeners remain', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.tuple(fc.constantFrom('end', 'begin', 'abort'), fc.nat({ max: 20 })), {
          maxLength: 60,
        }),
        async (most, steps) => {
          const network = manualTransport()
          const passage = concurrencyLimit(most, { queue: Infinity }).around(network.passage)
          const ended = new Set<number>()
          const callers: AbortController[] = []
          const left = new Set<number>()
          const outcomes: Array<Promise<Outcome>> = []
          const running = (): number => network.sent.length - ended.size
          const end = (index: number): void => {
            if (index >= network.sent.length || ended.has(index)) return
            ended.add(index)
            network.respond(index, index % 2 === 0 ? responseOutcome(200) : networkError)
          }
          const numbers = (): ReadonlyArray<number> =>
            network.sent.map(({ url }) => Number(url.split('/').at(-1)))
          for (const [what, number] of steps) {
            if (what === 'begin') {
              const caller = new AbortController()
              outcomes.push(passage(numbered(callers.length, caller.signal))())
              callers.push(caller)
            } else if (what === 'end') end(number)
            // only queued requests: a request in flight would settle by itself
            else if (number < callers.length && !numbers().includes(number)) {
              callers[number]?.abort()
              left.add(number)
            }
            await flushPromises()
            assert.ok(running() <= most, `${running()} run`)
            const waiting = callers.length - network.sent.length - left.size
            assert.ok(
              waiting === 0 || running() === most,
              'a request is queued although a slot is free',
            )
          }
          while (ended.size < network.sent.length) {
            end(network.sent.findIndex((_, index) => !ended.has(index)))
            await flushPromises()
          }
          const all = await Promise.all(outcomes)
          assert.equal(
            numbers(),
            callers.map((_, n) => n).filter((n) => !left.has(n)),
          )
          assert.equal(
            all.map((one) => E.isLeft(one) && one.left._tag === 'Aborted'),
            callers.map((_, n) => left.has(n)),
          )
          assert.is(
            callers.flatMap(({ signal }, n) =>
              left.has(n) ? [] : getEventListeners(signal, 'abort').slice(1),
            ).length,
            0,
          )
        },
      ),
      { numRuns: 100 },
    ))
  table(test, [[0], [-1], [NaN]] as const, (most) =>
    assert.throws(() => concurrencyLimit(most), RangeError),
  )
})
