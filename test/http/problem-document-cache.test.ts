import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import * as Problem from '../../src/http/problem.ts'
import { describe, law } from '../support/describe.ts'

describe('Problem.withCachedDocument', (test) => {
  const location = { in: 'query', name: 'page' } as const
  const anyProblem: fc.Arbitrary<Problem.Problem> = fc
    .record({
      title: fc.constantFrom('Bad Request', 'Not Found'),
      status: fc.constantFrom(400, 404),
      detail: fc.constantFrom(undefined, 'Once.', 'Twice.'),
      truncated: fc.constantFrom(undefined, true as const),
      supported: fc.constantFrom(undefined, ['GET']),
      isSingle: fc.boolean(),
    })
    .map(({ title, status, detail, truncated, supported, isSingle }) => ({
      title,
      status,
      errors: isSingle ? [error] : [error, error],
      ...(detail === undefined ? {} : { detail }),
      ...(truncated === undefined ? {} : { truncated }),
      ...(supported === undefined ? {} : { supported }),
    }))
  const error = Problem.withCachedDocument({ ...location, detail: 'must be "int"' })
  law(test, 'cached documents equal newly written ones', fc.array(anyProblem), (problems) => {
    for (const problem of problems) {
      const copied = { ...problem, errors: (problem.errors ?? []).map((item) => ({ ...item })) }
      assert.is(Problem.toJson(problem, '#a'), Problem.toJson(copied, '#a'))
    }
  })
  test('the validation error is frozen', () =>
    assert.throws(() => Object.assign(error, { detail: 'else' }), TypeError))
})
