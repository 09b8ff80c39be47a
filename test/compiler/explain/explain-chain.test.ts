import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import {
  get,
  handle,
  mapError,
  mapTagged,
  next,
  nonBlocking,
  path,
  priority,
  produces,
  reply,
  requestFilter,
  responseFilter,
  routes,
  slot,
  text,
  unwrap,
  withFilter,
  withHeader,
  withMapper,
} from '../../../src/index.ts'
import { describeChain } from '../../../src/compiler/explain/explain-chain.ts'
import { describe } from '../../support/describe.ts'
import { plansOf } from '../../support/plan.ts'

const User = slot<string>()('user')
const hello = pipe(
  path('/hello'),
  get(),
  produces(text),
  handle(() => 'Hello'),
)
const knows = (): ReturnType<typeof next<{ who: string }>> => next({ who: 'ann' })
const api = pipe(
  routes({ hello }),
  withMapper(
    mapError(RangeError, () => reply(400)),
    mapTagged({ Late: () => reply(409) }),
  ),
  withFilter(
    pipe(
      requestFilter({ gives: { who: User }, fails: { 401: text } }, knows),
      priority(1000),
      nonBlocking,
    ),
    requestFilter(() => undefined),
    pipe(responseFilter(withHeader('X', 'y')), priority(1)),
  ),
  withMapper(
    unwrap(TypeError),
    mapError(
      (error): error is string => typeof error === 'string',
      () => reply(400),
    ),
  ),
)

describe('explainChain', (test) => {
  test('says what a request meets, in order', () => {
    const [plan] = plansOf(api)
    assert.equal(plan && describeChain(plan.chain, false), [
      '  early filter knows, priority 1000, gives user, answers 401',
      '  filter, priority 5000',
      '  response filter, priority 1',
      '  maps RangeError',
      '  maps the error Late',
      '  maps the cause of TypeError, ifUnmapped',
      '  maps what a guard accepts',
    ])
  })
})
