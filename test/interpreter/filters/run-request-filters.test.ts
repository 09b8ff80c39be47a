import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { Forbidden, next, reply, rewrite, routes } from '../../../src/index.ts'
import type { CompiledFilter } from '../../../src/interpreter/filters/compiled-filters.ts'
import { RequestState } from '../../../src/interpreter/request-state.ts'
import { compile } from '../../../src/interpreter/program.ts'
import type { EncodedResponse } from '../../../src/interpreter/exchange.ts'
import { runRequestFilters } from '../../../src/interpreter/filters/run-request-filters.ts'
import { exchangeOf } from '../../support/exchange.ts'
import { describe, table } from '../../support/describe.ts'

const program = compile(routes({}))

interface FilterRun {
  readonly state: RequestState
  readonly responses: EncodedResponse[]
  /** Number of times that the request continued after the last filter. */
  completed: number
}

const start = (): FilterRun => {
  const responses: EncodedResponse[] = []
  const exchange = exchangeOf({}, (response) => responses.push(response))
  return { state: new RequestState(program, exchange), responses, completed: 0 }
}

type Results = ReadonlyArray<() => unknown>
type IndexOf = (position: number) => number | undefined

/** Creates filters that return these results. */
const filtersOf = (results: Results, indexOf: IndexOf): ReadonlyArray<CompiledFilter<unknown>> =>
  results.map((run, position) => ({
    run,
    encode: program.encodeUndeclared,
    index: indexOf(position),
    gives: [],
    scheme: undefined,
  }))

const runWith =
  (indexOf: IndexOf) =>
  (run: FilterRun, ...results: Results): void =>
    runRequestFilters(filtersOf(results, indexOf), run.state, undefined, () => void run.completed++)

const runFilters = runWith((position) => position)
const runPreMatching = runWith(() => undefined)

const unreached = (): void => assert.unreachable()
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const resolved = (value: unknown) => () => Promise.resolve(value)

describe('runRequestFilters with a filter that continues', (test) => {
  table<readonly [name: string, result: unknown]>(
    test,
    [
      ['undefined', undefined],
      ['null', null],
      ['a None', O.none],
      ['a Some of undefined', O.some(undefined)],
      ['a Right of undefined', E.right(undefined)],
      ['a Right of a None', E.right(O.none)],
      ['values of next', next({ a: 1 })],
      ['a Right of values', E.right(next({ a: 1 }))],
    ],
    async (_, result) => {
      const syncRun = start()
      runFilters(
        syncRun,
        () => result,
        () => undefined,
      )
      assert.equal([syncRun.completed, syncRun.responses], [1, []])

      const asyncRun = start()
      runFilters(asyncRun, resolved(result), () => undefined, resolved(result))
      assert.is(asyncRun.completed, 0)
      await nextTurn()
      assert.equal([asyncRun.completed, asyncRun.responses], [1, []])
    },
  )
  test('continues without filters', () => {
    const run = start()
    runFilters(run)
    assert.is(run.completed, 1)
  })
  test('stores values by the index of their filter', async () => {
    const run = start()
    runFilters(
      run,
      () => undefined,
      () => next({ a: 1 }),
      resolved(next({ b: 2 })),
    )
    await nextTurn()
    assert.equal(run.state.provided[1], { a: 1 })
    assert.equal(run.state.provided[2], { b: 2 })
  })
  test('a pre-matching filter may rewrite the request, also asynchronously', async () => {
    const run = start()
    const changed = rewrite({ method: 'POST' })
    runPreMatching(run, () => changed, resolved(E.right(changed)))
    await nextTurn()
    assert.equal([run.completed, run.responses], [1, []])
  })
  test('the next filter receives the rewritten request', () => {
    const run = start()
    const observed: string[] = []
    runPreMatching(
      run,
      () => rewrite({ method: 'PUT', id: 'request-1' }),
      () => void observed.push(run.state.exchange.method, run.state.id),
    )
    assert.equal(observed, ['PUT', 'request-1'])
  })
})

describe('runRequestFilters with a filter that responds', (test) => {
  table<readonly [name: string, result: unknown, status: number]>(
    test,
    [
      ['a reply', reply(409), 409],
      ['a Some of a reply', O.some(reply(409)), 409],
      ['a Left of a reply', E.left(reply(409)), 409],
      ['a Right of a reply', E.right(reply(409)), 409],
      ['an HttpError', new Forbidden(), 403],
      ['a Left of an HttpError', E.left(new Forbidden()), 403],
      ['a Left of another error', E.left(new Error()), 500],
      ['a string', 'text', 500],
      ['a rewrite after matching', rewrite({ method: 'POST' }), 500],
      ['an object with the tag of an Option', { _tag: 'Some' }, 500],
    ],
    async (_, result, status) => {
      const syncRun = start()
      try {
        runFilters(syncRun, () => result, unreached)
      } catch (error) {
        syncRun.state.fail(error) // as `interpret` does
      }
      const asyncRun = start()
      runFilters(asyncRun, resolved(result), unreached)
      await nextTurn()
      for (const { completed, responses } of [syncRun, asyncRun]) {
        assert.is(completed, 0)
        assert.equal(
          responses.map((response) => response.status),
          [status],
        )
      }
    },
  )
  test('a pre-matching filter must not return values', () => {
    assert.throws(() => runPreMatching(start(), () => next({ a: 1 })), /must return a reply/)
  })
  test('a rejected HttpError is the response', async () => {
    const run = start()
    runFilters(run, () => Promise.reject(new Forbidden()))
    await nextTurn()
    assert.equal(
      run.responses.map((response) => response.status),
      [403],
    )
  })
  test('an error after an asynchronous filter is the response', async () => {
    const run = start()
    runFilters(run, resolved(undefined), () => {
      throw new Forbidden()
    })
    await nextTurn()
    assert.equal([run.completed, run.responses.map((response) => response.status)], [0, [403]])
  })
})

describe('runRequestFilters with many filters', (test) => {
  test('does not exhaust the stack', () => {
    const run = start()
    runFilters(run, ...Array.from({ length: 20_000 }, () => () => O.none))
    assert.is(run.completed, 1)
  })
})
