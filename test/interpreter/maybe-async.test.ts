import * as assert from 'uvu/assert'
import { whenSettled } from '../../src/interpreter/maybe-async.ts'
import { describe, table } from '../support/describe.ts'

const error = new Error('a')

/** What `settled` tells of a result: at once, and in the end. */
const told = async (
  result: unknown,
  then: (value: unknown) => void = () => undefined,
): Promise<{
  readonly atOnce: ReadonlyArray<unknown>
  readonly inTheEnd: ReadonlyArray<unknown>
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
  const atOnce = [...events]
  await new Promise((resolve) => setImmediate(resolve))
  return { atOnce, inTheEnd: events }
}

const withThen = (then: unknown): object => Object.fromEntries(new Map([['then', then]]))

/** No promise, but it has a `then`. */
const thenable = (
  act: (resolve: (value: unknown) => void, reject: (why: unknown) => void) => void,
) => withThen(act)

describe('settled', (test) => {
  table<readonly [name: string, result: unknown, value: unknown]>(
    test,
    [
      ['a value', 1, 1],
      ['nothing', undefined, undefined],
      ['null', null, null],
      ['an object', error, error],
      ['an object whose then is no function', withThen(1), withThen(1)],
      ['what a function returns', () => 1, 1],
    ],
    async (_, result, value) => {
      const { atOnce, inTheEnd } = await told(result)
      assert.equal(atOnce, [['then', value]])
      assert.equal(inTheEnd, atOnce)
    },
  )
  table<readonly [name: string, make: () => unknown, event: readonly ['then' | 'failed', unknown]]>(
    test,
    [
      ['a promise', () => Promise.resolve(1), ['then', 1]],
      ['a promise that is rejected', () => Promise.reject(error), ['failed', error]],
      ['a task', () => () => Promise.resolve(1), ['then', 1]],
      ['a task that rejects', () => () => Promise.reject(error), ['failed', error]],
      ['a thenable', () => thenable((resolve) => resolve(1)), ['then', 1]],
      ['one that rejects', () => thenable((_, reject) => reject(error)), ['failed', error]],
      [
        'one that settles twice',
        () => thenable((resolve, reject) => [resolve(1), reject(error)]),
        ['then', 1],
      ],
    ],
    async (_, make, event) => {
      const { atOnce, inTheEnd } = await told(make())
      assert.equal(atOnce, [])
      assert.equal(inTheEnd, [event])
    },
  )

  const throwing = (): never => {
    throw error
  }
  test('throws what `then` throws now', () => {
    assert.throws(() => whenSettled(1, throwing, () => assert.unreachable()), /a/)
  })
  test('throws what a function throws', () => {
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
  test('tells what `then` throws later', async () => {
    const { inTheEnd } = await told(Promise.resolve(1), throwing)
    assert.equal(inTheEnd, [
      ['then', 1],
      ['failed', error],
    ])
  })
})
