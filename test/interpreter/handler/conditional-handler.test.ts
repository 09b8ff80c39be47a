import { setImmediate as nextTurn } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { conditional, get, handle, path, produces, text } from '../../../src/index.ts'
import type { Headers } from '../../../src/http/headers.ts'
import type { HandlerResult } from '../../../src/interpreter/handler/handler-result.ts'
import { runConditionally } from '../../../src/interpreter/handler/handler-result.ts'
import { testContext } from '../../../src/testing.ts'
import { describe } from '../../support/describe.ts'
import { endpointPlan } from '../../support/plan.ts'

const changedAt = new Date(0)
const epoch = 'Thu, 01 Jan 1970 00:00:00 GMT'

type Validators = Parameters<typeof conditional<{ readonly path: {}; readonly method: 'GET' }>>[0]

type Received = readonly [status: number, ...headers: Headers] | undefined

/** Runs the handler of an operation with preconditions. Returns the status and the headers of the response. Throws its error. */
const run = (
  validators: Validators,
  headers: ReadonlyArray<string> = [],
  isLate = false,
): Received | Promise<Received> => {
  const endpoint = pipe(path('/'), get(), conditional(validators))
  const plan = endpointPlan(
    pipe(
      endpoint,
      produces(text),
      handle(() => 'note'),
    ),
  )
  const { preconditions } = plan
  if (preconditions === undefined) throw new Error('no preconditions')
  const context = testContext({ request: { headers } })
  const result = runConditionally(preconditions, plan, {}, context, { addedHeaders: [], isLate })
  return result instanceof Promise ? result.then(received) : received(result)
}

const received = (result: HandlerResult | undefined): Received => {
  if (result === undefined) return undefined
  if (E.isLeft(result)) throw result.left
  return [result.right.status, ...result.right.headers]
}

const failingEtag = () => {
  throw new Error('no connection')
}

describe('runConditionally', (test) => {
  test('responds synchronously if the validators are synchronous', () => {
    const validators = { etag: () => 'a', lastModified: () => changedAt }
    assert.equal(run(validators), [200, 'ETag', '"a"', 'Last-Modified', epoch])
    assert.equal(run(validators, ['If-None-Match', '"a"']), [304, 'ETag', '"a"'])
  })
  test('asynchronous functions run concurrently', async () => {
    const calls: string[] = []
    const response = run({
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
    assert.equal(calls, ['etag starts', 'date'])
    assert.equal(await response, [200, 'ETag', '"a"', 'Last-Modified', epoch])
  })
  test('a synchronous function runs before an asynchronous one', async () => {
    const response = run({ etag: () => 'a', lastModified: () => async () => changedAt })
    assert.equal(await response, [200, 'ETag', '"a"', 'Last-Modified', epoch])
  })
  test('an asynchronous error rejects the result', async () => {
    const response = run({
      etag: async () => {
        throw new Error('no connection')
      },
      lastModified: () => {
        throw new Error('no file')
      },
    })
    const error: unknown = await Promise.resolve(response).catch((reason: unknown) => reason)
    assert.match(String(error), /no (connection|file)/)
  })
  test('a synchronous error is thrown', () => {
    assert.throws(() => run({ etag: failingEtag }), /no connection/)
  })
  test('does not run the handler after the deadline', () =>
    assert.is(run({ etag: () => 'a' }, [], true), undefined))
})
