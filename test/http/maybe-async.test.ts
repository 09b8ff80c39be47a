import * as assert from 'uvu/assert'
import { whenSettled } from '../../src/http/platform-value.ts'
import { describe, table } from '../support/describe.ts'

const error = new Error('a')

/** Returns the callbacks that `whenSettled` has called synchronously and in total. */
const callbacksOf = async (
  result: unknown,
  then: (value: unknown) => void = () => undefined,
): Promise<{
  readonly sync: ReadonlyArray<unknown>
  readonly all: ReadonlyArray<unknown>
}> => {
  const events: unknown[] = []
  whenSettled(
    result,
    (value) => {
      events.push(['then', value])
      then(value)
    },
    (failure) => events.push(['failed', failure]),
  )
  const sync = [...events]
  await new Promise((resolve) => setImmediate(resolve))
  return { sync, all: events }
}

const withThen = (then: unknown): object => Object.fromEntries(new Map([['then', then]]))

/** Creates an object with a `then` method that is not a promise. */
const thenable = (
  then: (resolve: (value: unknown) => void, reject: (reason: unknown) => void) => void,
) => withThen(then)

describe('whenSettled', (test) => {
  table<readonly [name: string, result: unknown, value: unknown]>(
    test,
    [
      ['a value', 1, 1],
      ['undefined', undefined, undefined],
      ['null', null, null],
      ['an object', error, error],
      ['an object whose then is not a function', withThen(1), withThen(1)],
      ['the result of a function', () => 1, 1],
    ],
    async (_, result, value) => {
      const { sync, all } = await callbacksOf(result)
      assert.equal(sync, [['then', value]])
      assert.equal(all, sync)
    },
  )
  table<
    readonly [name: string, create: () => unknown, event: readonly ['then' | 'failed', unknown]]
  >(
    test,
    [
      ['a promise', () => Promise.resolve(1), ['then', 1]],
      ['a rejected promise', () => Promise.reject(error), ['failed', error]],
      ['a Task', () => () => Promise.resolve(1), ['then', 1]],
      ['a Task that rejects', () => () => Promise.reject(error), ['failed', error]],
      ['a thenable', () => thenable((resolve) => resolve(1)), ['then', 1]],
      ['a thenable that rejects', () => thenable((_, reject) => reject(error)), ['failed', error]],
      [
        'a thenable that settles twice',
        () => thenable((resolve, reject) => [resolve(1), reject(error)]),
        ['then', 1],
      ],
    ],
    async (_, create, event) => {
      const { sync, all } = await callbacksOf(create())
      assert.equal(sync, [])
      assert.equal(all, [event])
    },
  )

  const throwing = (): never => {
    throw error
  }
  test('throws the synchronous errors of then', () => {
    assert.throws(() => whenSettled(1, throwing, () => assert.unreachable()), /a/)
  })
  test('throws the errors of a function', () => {
    assert.throws(
      () =>
        whenSettled(
          throwing,
          () => assert.unreachable(),
          () => assert.unreachable(),
        ),
      /a/,
    )
  })
  test('passes the asynchronous errors of then to failed', async () => {
    const { all } = await callbacksOf(Promise.resolve(1), throwing)
    assert.equal(all, [
      ['then', 1],
      ['failed', error],
    ])
  })
})
