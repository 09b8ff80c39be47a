import * as assert from 'uvu/assert'
import {
  createSemaphore,
  FifoQueue,
  concurrencyLimit,
} from '../../../src/client/policy/request-limits.ts'
import { cpuTime } from '../../support/cpu-time.ts'
import { describe, table } from '../../support/describe.ts'
import { getEventListeners } from 'node:events'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import type { SendResult } from '../../../src/client/policy/policy.ts'
import {
  fakeBody,
  expectError,
  manualTransport,
  requestTo,
  responseOf,
  expectResponse,
  fakeTransport,
  readText,
  networkError,
  statusOrTag,
} from '../fake-transport.ts'
import { flushPromises } from '../fake-clock.ts'

describe('createSemaphore', (test) => {
  test('acquire returns true while permits are free, and false when the queue is full', () => {
    const semaphore = createSemaphore(2, 0)
    assert.equal(
      [1, 2, 3].map(() => semaphore.acquire(undefined)),
      [true, true, false],
    )
    semaphore.release()
    assert.is(semaphore.acquire(undefined), true)
  })
  test('release passes the permit to the first request in the queue', async () => {
    const semaphore = createSemaphore(1, 2)
    assert.is(semaphore.acquire(undefined), true)
    const order: string[] = []
    const requests = ['first', 'second'].map(async (name) => {
      await semaphore.acquire(undefined)
      order.push(name)
    })
    semaphore.release()
    semaphore.release()
    await Promise.all(requests)
    assert.equal(order, ['first', 'second'])
    semaphore.release()
    assert.is(semaphore.acquire(undefined), true)
  })
})

describe('FifoQueue', (test) => {
  test('an aborted request leaves the queue', async () => {
    const queue = new FifoQueue()
    const controller = new AbortController()
    let abandoned = 0
    const first = queue.wait(controller.signal, () => abandoned++)
    const second = queue.wait(undefined)
    assert.is(queue.length, 2)
    controller.abort()
    assert.is(await first, 'aborted')
    assert.equal([queue.length, abandoned], [1, 1])
    assert.ok(queue.admitNext())
    assert.is(await second, 'admitted')
    assert.not(queue.admitNext())
  })
  test('requests are admitted in order, also after the queue was empty', async () => {
    const queue = new FifoQueue()
    const admitted: string[] = []
    const wait = async (name: string): Promise<void> => {
      await queue.wait(undefined)
      admitted.push(name)
    }
    const requests = [wait('a'), wait('b')]
    queue.admitNext()
    requests.push(wait('c'))
    while (queue.admitNext());
    assert.is(queue.length, 0)
    requests.push(wait('d'))
    assert.ok(queue.admitNext())
    await Promise.all(requests)
    assert.equal(admitted, ['a', 'b', 'c', 'd'])
  })
  test('admitting 100,000 requests takes linear time', () => {
    const queue = new FifoQueue()
    for (let n = 0; n < 100_000; n++) void queue.wait(undefined)
    const start = cpuTime()
    while (queue.admitNext());
    const elapsed = cpuTime() - start
    assert.ok(elapsed < 2000, `${elapsed} ms`)
  })
})

const numbered = (n: number, signal?: AbortSignal) =>
  requestTo(`http://books.test/books/${n}`, { signal })

describe('concurrencyLimit', (test) => {
  test('a request that finds the queue full is rejected', async () => {
    const network = manualTransport()
    const passage = concurrencyLimit(1, { queue: 1 }).around(network.passage)
    const [first, second, third] = [1, 2, 3].map((n) => passage(numbered(n))())
    const failure = expectError((await third) ?? networkError)
    assert.ok(failure._tag === 'Rejected')
    assert.equal(
      [failure.policy, failure.message],
      [
        'concurrency-limit',
        'books.get: the request was not sent: concurrency limit of 1 and queue limit of 1 reached',
      ],
    )
    network.respond(0, responseOf(200))
    await flushPromises()
    network.respond(1, responseOf(201))
    assert.equal(
      [await first, await second].map((result) => result && statusOrTag(result)),
      [200, 201],
    )
    const fourth = passage(numbered(4))()
    await flushPromises()
    network.respond(2, responseOf(202))
    assert.is(statusOrTag(await fourth), 202)
  })
  test('a slot is occupied until the response body is read or cancelled', async () => {
    const contents = [fakeBody('a'), fakeBody('b', '…'), fakeBody('c')]
    const network = fakeTransport((_, n) => responseOf(200, [], contents[n]?.body ?? null))
    const passage = concurrencyLimit(1).around(network.passage)
    const [first, second, third] = [1, 2, 3].map((n) => passage(numbered(n))())
    const response = expectResponse((await first) ?? networkError)
    await flushPromises()
    assert.is(network.sent.length, 1)
    assert.is(await readText(response.body), 'a')
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
    const network = fakeTransport((_, n) => responseOf(200, [], n === 0 ? body : null))
    const passage = concurrencyLimit(1).around(network.passage)
    await passage(numbered(1))()
    const second = passage(numbered(2))()
    await flushPromises()
    assert.is(network.sent.length, 1)
    content?.error(new Error('lost'))
    assert.is(statusOrTag(await second), 200)
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
    network.respond(0, responseOf(200))
    await first
    await flushPromises()
    network.respond(1, responseOf(203))
    assert.is(statusOrTag(await third), 203)
    assert.equal(
      network.sent.map(({ url }) => url.at(-1)),
      ['1', '3'],
    )
    assert.is(statusOrTag(await passage(numbered(4, AbortSignal.abort()))()), 'Aborted')
    assert.is(network.sent.length, 2)
  })
  test('a slot is freed after an error and after a Defect', async () => {
    const network = fakeTransport((_, n) =>
      n === 0 ? Promise.reject(new Error('oops')) : networkError,
    )
    const passage = concurrencyLimit(1).around(network.passage)
    const names = []
    for (let n = 0; n < 3; n++) names.push(statusOrTag(await passage(numbered(n))()))
    assert.equal(names, ['Defect', 'NetworkError', 'NetworkError'])
  })
  test('property: at most the limit is in flight, requests are sent in order, no listeners remain', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.tuple(fc.constantFrom('end', 'begin', 'abort'), fc.nat({ max: 20 })), {
          maxLength: 60,
        }),
        async (limit, steps) => {
          const network = manualTransport()
          const passage = concurrencyLimit(limit, { queue: Infinity }).around(network.passage)
          const ended = new Set<number>()
          const callers: AbortController[] = []
          const left = new Set<number>()
          const results: Array<Promise<SendResult>> = []
          const running = (): number => network.sent.length - ended.size
          const end = (index: number): void => {
            if (index >= network.sent.length || ended.has(index)) return
            ended.add(index)
            network.respond(index, index % 2 === 0 ? responseOf(200) : networkError)
          }
          const numbers = (): ReadonlyArray<number> =>
            network.sent.map(({ url }) => Number(url.split('/').at(-1)))
          for (const [action, number] of steps) {
            if (action === 'begin') {
              const caller = new AbortController()
              results.push(passage(numbered(callers.length, caller.signal))())
              callers.push(caller)
            } else if (action === 'end') end(number)
            // only queued requests: a request in flight would settle by itself
            else if (number < callers.length && !numbers().includes(number)) {
              callers[number]?.abort()
              left.add(number)
            }
            await flushPromises()
            assert.ok(running() <= limit, `${running()} run`)
            const waiting = callers.length - network.sent.length - left.size
            assert.ok(
              waiting === 0 || running() === limit,
              'a request is queued although a slot is free',
            )
          }
          while (ended.size < network.sent.length) {
            end(network.sent.findIndex((_, index) => !ended.has(index)))
            await flushPromises()
          }
          const all = await Promise.all(results)
          assert.equal(
            numbers(),
            callers.map((_, n) => n).filter((n) => !left.has(n)),
          )
          assert.equal(
            all.map((result) => E.isLeft(result) && result.left._tag === 'Aborted'),
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
  table(test, [[0], [-1], [NaN]] as const, (limit) =>
    assert.throws(() => concurrencyLimit(limit), RangeError),
  )
})
