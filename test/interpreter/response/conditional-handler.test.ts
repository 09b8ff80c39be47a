import { setImmediate as nextTurn } from 'node:timers/promises'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { conditional, get, handle, path, produces, text } from '../../../src/index.ts'
import type { ResponseValue } from '../../../src/interpreter/response/encode-response.ts'
import { runConditionally } from '../../../src/interpreter/response/handler-result.ts'
import { testContext } from '../../../src/testing.ts'
import { describe } from '../../support/describe.ts'
import { endpointPlan } from '../../support/plan.ts'

const changedAt = new Date(0)
const epoch = 'Thu, 01 Jan 1970 00:00:00 GMT'

type Validators = Parameters<typeof conditional<{ readonly path: {}; readonly method: 'GET' }>>[0]

/** Runs the handler of an operation with preconditions. Returns the responses and errors that are received. */
const run = (validators: Validators, headers: ReadonlyArray<string> = [], isLate = false) => {
  const endpoint = pipe(path('/'), get(), conditional(validators))
  const plan = endpointPlan(
    pipe(
      endpoint,
      produces(text),
      handle(() => 'note'),
    ),
  )
  const received: unknown[] = []
  const respond = ({ status, headers: sent }: ResponseValue) => received.push([status, ...sent])
  const fail = (error: unknown) => received.push(error)
  const { preconditions } = plan
  if (preconditions === undefined) throw new Error('no preconditions')
  runConditionally(preconditions, plan, {}, testContext({ request: { headers } }), {
    respond,
    fail,
    addedHeaders: [],
    isLate,
  })
  return received
}

const failingEtag = () => {
  throw new Error('no connection')
}

describe('runConditionally', (test) => {
  test('responds synchronously if the validators are synchronous', () => {
    const validators = { etag: () => 'a', lastModified: () => changedAt }
    assert.equal(run(validators), [[200, 'ETag', '"a"', 'Last-Modified', epoch]])
    assert.equal(run(validators, ['If-None-Match', '"a"']), [[304, 'ETag', '"a"']])
  })
  test('asynchronous functions run concurrently', async () => {
    const calls: string[] = []
    const received = run({
      etag: async () => {
        calls.push('etag starts')
        await nextTurn()
        calls.push('etag ends')
        return 'a'
      },
      lastModified: () => {
        calls.push('date')
        return changedAt
      },
    })
    assert.equal([calls, received], [['etag starts', 'date'], []])
    await nextTurn()
    await nextTurn()
    assert.equal(received, [[200, 'ETag', '"a"', 'Last-Modified', epoch]])
  })
  test('a synchronous function runs before an asynchronous one', async () => {
    const received = run({ etag: () => 'a', lastModified: () => async () => changedAt })
    await nextTurn()
    assert.equal(received, [[200, 'ETag', '"a"', 'Last-Modified', epoch]])
  })
  test('an asynchronous error is received once', async () => {
    const error = new Error('no connection')
    const received = run({
      etag: async () => {
        throw error
      },
      lastModified: () => {
        throw new Error('ignored')
      },
    })
    await nextTurn()
    assert.equal(received, [error])
  })
  test('a synchronous error is thrown', () => {
    assert.throws(() => run({ etag: failingEtag }), /no connection/)
  })
  test('does not run the handler after the deadline', () =>
    assert.equal(run({ etag: () => 'a' }, [], true), []))
})
