import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import * as assert from 'uvu/assert'
import type { Observable } from '../../../src/index.ts'
import { openSource } from '../../../src/body/stream/open-source.ts'
import { describe, table } from '../../support/describe.ts'

type Observer = Parameters<Observable<unknown>['subscribe']>[0]

/** An observable that says what it is told. */
const said = (say: (observer: Observer) => void) => {
  const counts = { left: 0 }
  const observable: Observable<unknown> = {
    subscribe: (observer) => {
      say(observer)
      return {
        unsubscribe: () => {
          counts.left++
        },
      }
    },
  }
  return { observable, counts }
}

describe('R-217: asked', (test) => {
  table(
    test,
    [
      ['a text', 'abc'],
      ['octets', new Uint8Array(3)],
      ['a number', 1],
      ['nothing', undefined],
      ['null', null],
      ['an object', {}],
      ['a function', () => []],
    ] as const,
    (_, source) => assert.throws(() => openSource(source), TypeError),
  )
  test('an observable that another thing stands for', async () => {
    const { observable } = said(({ next, complete }) => {
      next(1)
      complete()
    })
    const hidden = { '@@observable': () => observable }
    assert.equal(await openSource(hidden).next(), { done: false, value: 1 })
  })
  test('a stream that is waiting is destroyed when it is left', async () => {
    const stream = new Readable({ read: () => undefined })
    const source = openSource(stream)
    const next = Promise.resolve(source.next()).catch((error: unknown) => error)
    source.return?.()
    await next
    assert.ok(stream.destroyed)
  })
  test('a ReadableStream that is waiting is cancelled when it is left', async () => {
    let cancelled = 0
    const source = openSource(new ReadableStream({ cancel: () => void cancelled++ }))
    const next = source.next()
    source.return?.()
    assert.is((await next).done, true)
    assert.is(cancelled, 1)
  })
})

describe('R-217: an observable', (test) => {
  test('may say everything at once', async () => {
    const { observable } = said(({ next, complete }) => {
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
  test('may fail behind what it said', async () => {
    const { observable } = said(({ next, error }) => {
      next(1)
      error(new Error('it fails'))
    })
    const source = openSource(observable)
    assert.equal(await source.next(), { done: false, value: 1 })
    const error: unknown = await Promise.resolve(source.next()).catch((reason: unknown) => reason)
    assert.match(String(error), /it fails/)
  })
  for (const when of ['at once', 'later'])
    for (const [ahead, breaksOff] of [
      [9_999, false],
      [10_000, false],
      [10_001, true],
    ] as const)
      test(`that is ${ahead} values ahead ${when} ${breaksOff ? 'breaks off' : 'goes on'}`, async () => {
        const { observable, counts } = said((observer) => {
          const say = (): void => {
            for (let value = 0; value < ahead; value++) observer.next(value)
            observer.complete()
          }
          if (when === 'at once') say()
          else setTimeout(say, 1)
        })
        const source = openSource(observable)
        await wait(5)
        let count = 0
        const drain = async (): Promise<void> => {
          while ((await source.next()).done !== true) count++
        }
        const error = await drain().catch((reason: unknown) => reason)
        assert.is(error instanceof RangeError, breaksOff)
        assert.ok(count === ahead)
        assert.is(counts.left, breaksOff ? 1 : 0)
      })
  test('is left once, and heard no more', async () => {
    let observer: Observer | undefined
    const { observable, counts } = said((one) => (observer = one))
    const source = openSource(observable)
    const next = source.next()
    source.return?.()
    observer?.next(1)
    assert.equal(await next, { done: true, value: undefined })
    assert.is(counts.left, 1)
  })
})
