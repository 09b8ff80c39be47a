import * as assert from 'uvu/assert'
import { openSource } from '../../../src/body/stream/open-source.ts'
import { describe, table } from '../../support/describe.ts'
import { Readable } from 'node:stream'
import type { Observable } from '../../../src/index.ts'
import { turns } from '../../support/wait-until.ts'

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
          else setImmediate(emitAll)
        })
        const source = openSource(observable)
        await turns()
        let count = 0
        const countElements = async (): Promise<void> => {
          while ((await source.next()).done !== true) count++
        }
        const error = await countElements().catch((reason: unknown) => reason)
        assert.is(error instanceof RangeError, isRejected)
        assert.ok(count === values)
        assert.is(counts.closes, isRejected ? 1 : 0)
      })
  test('an error unsubscribes once', () => {
    const { observable, counts } = observableOf((observer) => observer.error(new Error('over')))
    void openSource(observable).return?.()
    assert.is(counts.closes, 1)
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
