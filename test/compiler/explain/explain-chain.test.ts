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
import { describeChain } from '../../../src/compiler/explain.ts'
import { describe } from '../../support/describe.ts'
import { plansOf } from '../../support/plan.ts'

const User = slot<string>()('user')
const hello = pipe(
  path('/hello'),
  get(),
  produces(text),
  handle(() => 'Hello'),
)
const authenticate = (): ReturnType<typeof next<{ user: string }>> => next({ user: 'ann' })
const api = pipe(
  routes({ hello }),
  withMapper(
    mapError(RangeError, () => reply(400)),
    mapTagged({ Late: () => reply(409) }),
  ),
  withFilter(
    pipe(
      requestFilter({ gives: { user: User }, fails: { 401: text } }, authenticate),
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

describe('describeChain', (test) => {
  test('lists filters and mappers in order', () => {
    const [plan] = plansOf(api)
    assert.equal(plan && describeChain(plan.chain, false), [
      '  pre-matching filter authenticate, priority 1000, provides user, may respond with 401',
      '  request filter, priority 5000',
      '  response filter, priority 1',
      '  error mapper for RangeError',
      '  error mapper for errors tagged Late',
      '  error mapper for causes of TypeError, ifUnmapped',
      '  error mapper for errors accepted by a guard',
    ])
  })
})
