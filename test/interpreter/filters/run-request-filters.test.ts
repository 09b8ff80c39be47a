/** How a request passes filters: what lets it go on, what ends it, and that nothing waits which need not. */
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

interface Passage {
  readonly call: RequestState
  readonly answers: EncodedResponse[]
  /** How often the request went on behind the last filter. */
  passed: number
}

const start = (): Passage => {
  const answers: EncodedResponse[] = []
  const exchange = exchangeOf({}, (answer) => answers.push(answer))
  return { call: new RequestState(program, exchange), answers, passed: 0 }
}

type Results = ReadonlyArray<() => unknown>
type Placed = (at: number) => number | undefined

/** Filters that return these, one after the other. */
const filters = (results: Results, indexOf: Placed): ReadonlyArray<CompiledFilter<unknown>> =>
  results.map((run, at) => ({
    run,
    encode: program.encodeUndeclared,
    index: indexOf(at),
    scheme: undefined,
  }))

const passing =
  (indexOf: Placed) =>
  (passage: Passage, ...results: Results): void =>
    runRequestFilters(
      filters(results, indexOf),
      passage.call,
      undefined,
      () => void passage.passed++,
    )

const through = passing((at) => at)
const beforeMatching = passing(() => undefined)

const unreached = (): void => assert.unreachable()
const later = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const promised = (value: unknown) => () => Promise.resolve(value)

describe('pass: what lets a request go on', (test) => {
  table<readonly [name: string, result: unknown]>(
    test,
    [
      ['nothing', undefined],
      ['null', null],
      ['none', O.none],
      ['some of nothing', O.some(undefined)],
      ['right', E.right(undefined)],
      ['right of none', E.right(O.none)],
      ['values', next({ a: 1 })],
      ['right of values', E.right(next({ a: 1 }))],
    ],
    async (_, result) => {
      const now = start()
      through(
        now,
        () => result,
        () => undefined,
      )
      assert.equal([now.passed, now.answers], [1, []])

      const inTheEnd = start()
      through(inTheEnd, promised(result), () => undefined, promised(result))
      assert.is(inTheEnd.passed, 0)
      await later()
      assert.equal([inTheEnd.passed, inTheEnd.answers], [1, []])
    },
  )
  test('no filters', () => {
    const passage = start()
    through(passage)
    assert.is(passage.passed, 1)
  })
  test('values are kept by the index of their filter', async () => {
    const passage = start()
    through(
      passage,
      () => undefined,
      () => next({ a: 1 }),
      promised(next({ b: 2 })),
    )
    await later()
    assert.equal(passage.call.provided[1], { a: 1 })
    assert.equal(passage.call.provided[2], { b: 2 })
  })
  test('a request that is rewritten before matching, also later', async () => {
    const passage = start()
    const changed = rewrite({ method: 'POST' })
    beforeMatching(passage, () => changed, promised(E.right(changed)))
    await later()
    assert.equal([passage.passed, passage.answers], [1, []])
  })
  test('a rewritten request is what the next filter sees', () => {
    const passage = start()
    const seen: string[] = []
    beforeMatching(
      passage,
      () => rewrite({ method: 'PUT', id: 'one' }),
      () => void seen.push(passage.call.exchange.method, passage.call.id),
    )
    assert.equal(seen, ['PUT', 'one'])
  })
})

describe('pass: what ends it', (test) => {
  table<readonly [name: string, result: unknown, status: number]>(
    test,
    [
      ['a reply', reply(409), 409],
      ['some reply', O.some(reply(409)), 409],
      ['left', E.left(reply(409)), 409],
      ['right of a reply', E.right(reply(409)), 409],
      ['an error with a status', new Forbidden(), 403],
      ['left of one', E.left(new Forbidden()), 403],
      ['left of another error', E.left(new Error()), 500],
      ['what is no reply', 'text', 500],
      ['a request that is rewritten too late', rewrite({ method: 'POST' }), 500],
      ['an object', { _tag: 'Some' }, 500],
    ],
    async (_, result, status) => {
      const answered = start()
      try {
        through(answered, () => result, unreached)
      } catch (error) {
        answered.call.fail(error) // as `interpret` does
      }
      const inTheEnd = start()
      through(inTheEnd, promised(result), unreached)
      await later()
      for (const { passed, answers } of [answered, inTheEnd]) {
        assert.is(passed, 0)
        assert.equal(
          answers.map((answer) => answer.status),
          [status],
        )
      }
    },
  )
  test('values that are given too early', () => {
    assert.throws(() => beforeMatching(start(), () => next({ a: 1 })), /must return a reply/)
  })
  test('a rejection', async () => {
    const passage = start()
    through(passage, () => Promise.reject(new Forbidden()))
    await later()
    assert.equal(
      passage.answers.map((answer) => answer.status),
      [403],
    )
  })
  test('what a later filter throws, once another has waited', async () => {
    const passage = start()
    through(passage, promised(undefined), () => {
      throw new Forbidden()
    })
    await later()
    assert.equal([passage.passed, passage.answers.map((answer) => answer.status)], [0, [403]])
  })
})

describe('pass: many filters', (test) => {
  test('do not fill the stack', () => {
    const passage = start()
    through(passage, ...Array.from({ length: 20_000 }, () => () => O.none))
    assert.is(passage.passed, 1)
  })
})
