import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import * as assert from 'uvu/assert'
import type { Verified } from '../../src/filter/verification.ts'
import { toAuthenticationResult } from '../../src/filter/verification.ts'
import { Forbidden, Unauthorized } from '../../src/index.ts'
import { describe, table } from '../support/describe.ts'

const ann = { name: 'ann', roles: [] }
const tagged = { _tag: 'User', name: 'ann', roles: [] }
const forbidden = new Forbidden()

describe('judged', (test) => {
  table<[name: string, verified: Verified, expected: unknown]>(
    test,
    [
      ['a principal', ann, ann],
      ['a principal with a tag of its own', tagged, tagged],
      ['undefined', undefined, 'refused'],
      ['null', null, 'refused'],
      ['none', O.none, 'refused'],
      ['some', O.some(ann), ann],
      ['right', E.right(ann), ann],
      ['left', E.left('expired'), 'refused: expired'],
      ['left with a status', E.left(forbidden), forbidden],
      ['a promise', Promise.resolve(ann), ann],
      ['a promise of nothing', Promise.resolve(undefined), 'refused'],
      ['a task', T.of(O.some(ann)), ann],
      ['a task of nothing', T.of(null), 'refused'],
      ['a TaskEither', TE.right(ann), ann],
      ['a TaskEither with a left', TE.left('expired'), 'refused: expired'],
      ['a TaskEither with a status', TE.left(forbidden), forbidden],
    ],
    async (_, verified, expected) => {
      const judgement = await toAuthenticationResult(
        verified,
        (_message, cause) =>
          new Unauthorized('A', typeof cause === 'string' ? `refused: ${cause}` : 'refused'),
      )
      if (typeof expected === 'string') {
        assert.instance(judgement, Unauthorized)
        assert.is('message' in judgement && judgement.message, expected)
      } else {
        assert.is('principal' in judgement ? judgement.principal : judgement, expected)
      }
    },
  )
  test('no promise is made for what is there', () => {
    assert.not.instance(
      toAuthenticationResult(ann, () => forbidden),
      Promise,
    )
  })
})
