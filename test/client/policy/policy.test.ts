import * as assert from 'uvu/assert'
import {
  applyPolicies,
  createPolicy,
  isPolicy,
  originOf,
} from '../../../src/client/policy/policy.ts'
import { retry } from '../../../src/client/policy/retry.ts'
import { describe, table } from '../../support/describe.ts'
import { fakeTransport, statusOrTag, requestTo, responseOf, send } from '../fake-transport.ts'

describe('createPolicy', (test) => {
  test('an exception or a rejected promise becomes a Defect', async () => {
    const network = fakeTransport(() => responseOf(200))
    const throwing = createPolicy(() => () => {
      throw new Error('oops')
    })
    const rejecting = createPolicy(() => () => () => Promise.reject(new Error('oops')))
    for (const policy of [throwing, rejecting])
      assert.is(statusOrTag(await send(policy, network)), 'Defect')
  })
  test('around is called once per client', () => {
    let count = 0
    const counted = createPolicy((next) => {
      count++
      return next
    })
    const passage = applyPolicies([counted], fakeTransport(() => responseOf(200)).passage)
    passage(requestTo())
    passage(requestTo())
    assert.is(count, 1)
  })
})

describe('isPolicy', (test) => {
  table(
    test,
    [
      ['a policy', retry({ times: 1 }), true],
      ['a function that creates a policy', retry, false],
      ['null', null, false],
      ['an object without around', { _tag: 'Policy' }, false],
    ] as const,
    (_, value, expected) => assert.is(isPolicy(value), expected),
  )
})

describe('originOf', (test) => {
  table(
    test,
    [
      ['http://books.test/a?b', 'http://books.test'],
      ['https://books.test:8443/', 'https://books.test:8443'],
      ['no URL', 'no URL'],
    ] as const,
    (url, origin) => assert.is(originOf(url), origin),
  )
})
