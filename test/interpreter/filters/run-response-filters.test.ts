import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import type { AnyFilter, ResponseFilter } from '../../../src/endpoint/filter.ts'
import type { AnyReply } from '../../../src/endpoint/reply.ts'
import { reply, responseFilter, withHeader } from '../../../src/index.ts'
import type { ResponseContext } from '../../../src/endpoint/context.ts'
import { ResponseFilterChain } from '../../../src/interpreter/filters/run-response-filters.ts'
import type { ResponseValue } from '../../../src/interpreter/response/encode-response.ts'
import { describe } from '../../support/describe.ts'

const isResponseFilter = (filter: AnyFilter): filter is ResponseFilter =>
  filter._tag === 'ResponseFilter'

/** Creates a chain of filters that records its results. */
const start = (...runs: ReadonlyArray<Parameters<typeof responseFilter>[0]>) => {
  const chain = new ResponseFilterChain(
    runs.map((run) => responseFilter(run)).filter((filter) => isResponseFilter(filter)),
  )
  const results: ResponseValue[] = []
  const failures: unknown[] = []
  return {
    chain,
    results,
    failures,
    run: (response: ResponseValue, failure?: unknown): void =>
      chain.run(response, {
        context: {} as ResponseContext, // not used by these filters
        failure,
        onDone: (result) => void results.push(result),
        onError: (error) => void failures.push(error),
      }),
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const addName = (name: string) => (response: AnyReply) => pipe(response, withHeader('X-By', name))
const throwError = (): never => {
  throw new Error('in a filter')
}
const valuesOf = ({ headers }: ResponseValue): ReadonlyArray<string> =>
  headers.filter((_, index) => index % 2 === 1)

describe('ResponseFilterChain.run', (test) => {
  test('passes a response on unchanged without filters', () => {
    const { run, results, chain } = start()
    const response = reply(200, 'a')
    assert.ok(chain.isDone)
    run(response)
    assert.is(results[0], response)
  })
  test('runs synchronous filters synchronously', () => {
    const { run, results, chain } = start(addName('a'), () => undefined, addName('b'))
    assert.not.ok(chain.isDone)
    run(reply(200))
    assert.equal(results.map(valuesOf), [['a', 'b']])
    assert.ok(chain.isDone)
  })
  test('waits for asynchronous filters', async () => {
    const { run, results } = start(
      (response) => Promise.resolve(addName('a')(response)),
      addName('b'),
      (response) => () => Promise.resolve(addName('c')(response)),
    )
    run(reply(200))
    assert.equal(results, [])
    await nextTurn()
    assert.equal(results.map(valuesOf), [['a', 'b', 'c']])
  })
  test('passes the failure to filters', () => {
    const received: unknown[] = []
    const { run } = start((_reply, _context, failure) => void received.push(failure))
    run(reply(500), 'failure')
    assert.equal(received, ['failure'])
  })
  test('after an exception, the next response passes the remaining filters with the added headers', () => {
    const { run, results, chain } = start(addName('a'), throwError, addName('c'))
    assert.throws(() => run(pipe(reply(200), withHeader('X-By', 'handler'))), /in a filter/)
    assert.not.ok(chain.isDone)
    run(reply(500))
    assert.equal(
      results.map((result) => [result.status, valuesOf(result)]),
      [[500, ['a', 'c']]],
    )
  })
  test('passes asynchronous errors to onError', async () => {
    const { run, results, failures } = start(
      () => Promise.reject('rejected'),
      () => Promise.resolve('not a reply' as never),
      addName('c'),
    )
    run(reply(200))
    await nextTurn()
    run(reply(500))
    await nextTurn()
    assert.equal(failures.map(String), [
      'rejected',
      'TypeError: a response filter must return a reply or nothing',
    ])
    run(reply(500))
    assert.equal(results.map(valuesOf), [['c']])
  })
})
