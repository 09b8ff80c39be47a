import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as assert from 'uvu/assert'
import type { Verified } from '../../src/filter/authentication.ts'
import { toAuthenticationResult } from '../../src/filter/authentication.ts'
import { Forbidden, Unauthorized } from '../../src/index.ts'
import { describe, table } from '../support/describe.ts'

const ann = { name: 'ann', roles: [] }
const tagged = { _tag: 'User', name: 'ann', roles: [] }
const forbidden = new Forbidden()

describe('toAuthenticationResult', (test) => {
  table<[name: string, verified: Verified, expected: unknown]>(
    test,
    [
      ['a principal', ann, ann],
      ['a principal with a _tag', tagged, tagged],
      ['undefined', undefined, 'rejected'],
      ['null', null, 'rejected'],
      ['none', O.none, 'rejected'],
      ['some', O.some(ann), ann],
      ['right', E.right(ann), ann],
      ['left', E.left('expired'), 'rejected: expired'],
      ['left with a status', E.left(forbidden), forbidden],
      ['a promise', Promise.resolve(ann), ann],
      ['a promise of undefined', Promise.resolve(undefined), 'rejected'],
      ['a task', T.of(O.some(ann)), ann],
      ['a task of null', T.of(null), 'rejected'],
      ['a TaskEither', TE.right(ann), ann],
      ['a TaskEither with a left', TE.left('expired'), 'rejected: expired'],
      ['a TaskEither with a status', TE.left(forbidden), forbidden],
    ],
    async (_, verified, expected) => {
      const result = await toAuthenticationResult(
        verified,
        (_message, cause) =>
          new Unauthorized('A', typeof cause === 'string' ? `rejected: ${cause}` : 'rejected'),
      )
      if (typeof expected === 'string') {
        assert.instance(result, Unauthorized)
        assert.is('message' in result && result.message, expected)
      } else {
        assert.is('principal' in result ? result.principal : result, expected)
      }
    },
  )
  test('a synchronous verdict returns no promise', () => {
    assert.not.instance(
      toAuthenticationResult(ann, () => forbidden),
      Promise,
    )
  })
})
