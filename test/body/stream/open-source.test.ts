import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import { multi } from '../../../src/index.ts'
import { concurrent, openSource } from '../../../src/body/stream/open-source.ts'
import type { PullIterator } from '../../../src/body/stream/open-source.ts'
import { describe, table } from '../../support/describe.ts'
import { Readable } from 'node:stream'
import type { Observable } from '../../../src/index.ts'

/** A source whose elements arrive after these milliseconds. A negative delay results in an error. */
const delayedSource = (...delays: ReadonlyArray<number>) => {
  const counts = { reads: 0, pending: 0, maxPending: 0, closes: 0 }
  const source: PullIterator = {
    next: async () => {
      const delay = delays[counts.reads++]
      if (delay === undefined) return { done: true, value: undefined }
      counts.maxPending = Math.max(counts.maxPending, ++counts.pending)
      await wait(Math.abs(delay))
      counts.pending--
      if (delay < 0) throw new Error(`failed after ${-delay}`)
      return { done: false, value: delay }
    },
    return: () => {
      counts.closes++
    },
  }
  return { source, counts }
}

const drain = async (source: PullIterator): Promise<ReadonlyArray<unknown>> => {
  const elements: unknown[] = []
  for (;;) {
    const { done, value } = await source.next()
    if (done === true) return elements
    elements.push(value)
  }
}

describe('concurrent', (test) => {
  test('returns elements in the order of their arrival', async () => {
    const { source, counts } = delayedSource(60, 30, 1, 90)
    assert.equal(await drain(concurrent(source, 3)), [1, 30, 60, 90])
    assert.is(counts.maxPending, 3)
  })
  for (const demand of [2, 5])
    test(`a demand of ${demand} is used and never exceeded`, async () => {
      const { source, counts } = delayedSource(...Array.from({ length: 20 }, () => 2))
      assert.is((await drain(concurrent(source, demand))).length, 20)
      assert.is(counts.maxPending, demand)
    })
  test('unread elements count towards the demand', async () => {
    const { source, counts } = delayedSource(...Array.from({ length: 20 }, () => 1))
    const iterator = concurrent(source, 3)
    await iterator.next()
    await wait(30)
    assert.is(counts.reads, 3)
    await iterator.next()
    await wait(30)
    // two elements were read; the second one made room before it was returned
    assert.is(counts.reads, 4)
  })
  test('waits for pending elements at the end', async () => {
    let reads = 0
    const source: PullIterator = {
      next: async () => {
        const index = ++reads
        if (index > 2) return { done: true, value: undefined }
        await wait(10 * index)
        return { done: false, value: index }
      },
    }
    assert.equal(await drain(concurrent(source, 5)), [1, 2])
    assert.is(reads, 5)
  })
  test('returns the elements before a failure and closes the source once', async () => {
    const { source, counts } = delayedSource(1, -20, 50, 50)
    const iterator = concurrent(source, 3)
    assert.equal(await iterator.next(), { done: false, value: 1 })
    const error = await Promise.resolve(iterator.next()).catch((reason: unknown) => reason)
    assert.match(String(error), /failed after 20/)
    assert.is(counts.closes, 1)
    iterator.return?.()
    assert.is(counts.closes, 1)
  })
  test('rejects with a synchronous error of the source', async () => {
    const iterator = concurrent(
      {
        next: () => {
          throw new Error('at once')
        },
      },
      2,
    )
    const error = await Promise.resolve(iterator.next()).catch((reason: unknown) => reason)
    assert.match(String(error), /at once/)
  })
  test('reads synchronous sources', async () => {
    assert.equal(await drain(concurrent(openSource([1, 2, 3]), 2)), [1, 2, 3])
    assert.equal(await drain(concurrent(openSource([]), 2)), [])
  })
  test('return ends a pending read and closes the source', async () => {
    const { source, counts } = delayedSource(10, 10, 10)
    const iterator = concurrent(source, 2)
    const next = iterator.next()
    iterator.return?.()
    assert.equal(await next, { done: true, value: undefined })
    await wait(20)
    assert.equal([counts.reads, counts.closes], [2, 1])
  })
  test('multi accepts a demand from 1 to 1,000', () => {
    for (const demand of [1, 2, 999, 1000]) assert.is(multi([], { demand }).entity.demand, demand)
    for (const demand of [0, -1, 1.5, 1001, Infinity, NaN])
      assert.throws(() => multi([], { demand }), RangeError)
  })
})

type Observer = Parameters<Observable<unknown>['subscribe']>[0]

/** Creates an observable that runs `emit` for each subscription, and counts unsubscriptions. */
const observableOf = (emit: (observer: Observer) => void) => {
  const counts = { closes: 0 }
  const observable: Observable<unknown> = {
    subscribe: (observer) => {
      emit(observer)
      return {
        unsubscribe: () => {
          counts.closes++
        },
      }
    },
  }
  return { observable, counts }
}

describe('openSource', (test) => {
  table(
    test,
    [
      ['a string', 'abc'],
      ['bytes', new Uint8Array(3)],
      ['a number', 1],
      ['undefined', undefined],
      ['null', null],
      ['an object', {}],
      ['a function', () => []],
    ] as const,
    (_, source) => assert.throws(() => openSource(source), TypeError),
  )
  test('opens an object with an @@observable method', async () => {
    const { observable } = observableOf(({ next, complete }) => {
      next(1)
      complete()
    })
    const interoperable = { '@@observable': () => observable }
    assert.equal(await openSource(interoperable).next(), { done: false, value: 1 })
  })
  test('return destroys a Node.js stream during a read', async () => {
    const stream = new Readable({ read: () => undefined })
    const source = openSource(stream)
    const next = Promise.resolve(source.next()).catch((error: unknown) => error)
    source.return?.()
    await next
    assert.ok(stream.destroyed)
  })
  test('return cancels a ReadableStream during a read', async () => {
    let cancelled = 0
    const source = openSource(new ReadableStream({ cancel: () => void cancelled++ }))
    const next = source.next()
    source.return?.()
    assert.is((await next).done, true)
    assert.is(cancelled, 1)
  })
})

describe('openSource of an observable', (test) => {
  test('returns values that are emitted synchronously', async () => {
    const { observable } = observableOf(({ next, complete }) => {
      next(1)
      next(2)
      complete()
    })
    const source = openSource(observable)
    assert.equal(
      [await source.next(), await source.next(), await source.next()],
      [
        { done: false, value: 1 },
        { done: false, value: 2 },
        { done: true, value: undefined },
      ],
    )
  })
  test('returns the values before an error', async () => {
    const { observable } = observableOf(({ next, error }) => {
      next(1)
      error(new Error('source failed'))
    })
    const source = openSource(observable)
    assert.equal(await source.next(), { done: false, value: 1 })
    const error: unknown = await Promise.resolve(source.next()).catch((reason: unknown) => reason)
    assert.match(String(error), /source failed/)
  })
  for (const timing of ['synchronously', 'asynchronously'])
    for (const [values, isRejected] of [
      [9_999, false],
      [10_000, false],
      [10_001, true],
    ] as const)
      test(`${isRejected ? 'rejects' : 'accepts'} ${values} unread values that are emitted ${timing}`, async () => {
        const { observable, counts } = observableOf((observer) => {
          const emitAll = (): void => {
            for (let value = 0; value < values; value++) observer.next(value)
            observer.complete()
          }
          if (timing === 'synchronously') emitAll()
          else setTimeout(emitAll, 1)
        })
        const source = openSource(observable)
        await wait(5)
        let count = 0
        const countElements = async (): Promise<void> => {
          while ((await source.next()).done !== true) count++
        }
        const error = await countElements().catch((reason: unknown) => reason)
        assert.is(error instanceof RangeError, isRejected)
        assert.ok(count === values)
        assert.is(counts.closes, isRejected ? 1 : 0)
      })
  test('return unsubscribes once and ignores later values', async () => {
    let observer: Observer | undefined
    const { observable, counts } = observableOf((subscriber) => (observer = subscriber))
    const source = openSource(observable)
    const next = source.next()
    source.return?.()
    observer?.next(1)
    assert.equal(await next, { done: true, value: undefined })
    assert.is(counts.closes, 1)
  })
})
