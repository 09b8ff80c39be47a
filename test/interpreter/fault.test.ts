import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import * as assert from 'uvu/assert'
import type { Fault } from '../../src/http/failure.ts'
import { between, enumOf, int, list, optional } from '../../src/index.ts'
import * as Faults from '../../src/interpreter/fault.ts'
import { describe, law, table } from '../support/describe.ts'

const errors = (codec: t.Mixed, input: unknown): t.Errors => {
  const result = codec.decode(input)
  return E.isLeft(result) ? result.left : []
}

describe('ofParameter', (test) => {
  const place = { in: 'query', name: 'p' } as const
  table<readonly [string, t.Mixed, unknown, string]>(
    test,
    [
      ['what is missing is required', int, undefined, 'is required: an integer'],
      ['what is wrong has to be otherwise', int, 'x', 'has to be: an integer'],
      ['a bound is named', between(1, 9)(int), '10', 'has to be: an integer from 1 to 9'],
      ['alternatives are joined', t.union([t.number, t.null]), 'x', 'has to be: number or null'],
      ['the same is said once', t.union([t.number, t.number]), 'x', 'has to be: number'],
      ['that it may be missing is not said', optional(int), 'x', 'has to be: an integer'],
      ['a list has one fault', list(int), ['x', 'y', '1'], 'has to be: an integer'],
      ['a message of the codec is taken', enumOf('a', 'b'), 'c', 'has to be: one of a, b'],
    ],
    (_, codec, input, detail) =>
      assert.equal(Faults.ofParameter(place, errors(codec, input)), { ...place, detail }),
  )
})
