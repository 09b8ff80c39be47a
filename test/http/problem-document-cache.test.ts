import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import type * as Problem from '../../src/http/problem.ts'
import * as ProblemDocument from '../../src/http/problem-document.ts'
import { describe, law } from '../support/describe.ts'

describe('Problem.keep', (test) => {
  const place = { in: 'query', name: 'page' } as const
  const one: fc.Arbitrary<Problem.Problem> = fc
    .record({
      title: fc.constantFrom('Bad Request', 'Not Found'),
      status: fc.constantFrom(400, 404),
      detail: fc.constantFrom(undefined, 'Once.', 'Twice.'),
      truncated: fc.constantFrom(undefined, true as const),
      supported: fc.constantFrom(undefined, ['GET']),
      alone: fc.boolean(),
    })
    .map(({ title, status, detail, truncated, supported, alone }) => ({
      title,
      status,
      errors: alone ? [fault] : [fault, fault],
      ...(detail === undefined ? {} : { detail }),
      ...(truncated === undefined ? {} : { truncated }),
      ...(supported === undefined ? {} : { supported }),
    }))
  const fault = ProblemDocument.withCachedDocument({ ...place, detail: 'has to be: "int"' })
  law(test, 'what was written before changes no document', fc.array(one), (problems) => {
    for (const problem of problems) {
      const copied = { ...problem, errors: (problem.errors ?? []).map((each) => ({ ...each })) }
      assert.is(ProblemDocument.toJson(problem, '#a'), ProblemDocument.toJson(copied, '#a'))
    }
  })
  test('nobody changes what will be told to others', () =>
    assert.throws(() => Object.assign(fault, { detail: 'else' }), TypeError))
})
