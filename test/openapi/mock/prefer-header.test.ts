import * as assert from 'uvu/assert'
import type { MockPreferences } from '../../../src/openapi/mock/prefer-header.ts'
import { formatApplied, parsePrefer } from '../../../src/openapi/mock/prefer-header.ts'
import { describe, table } from '../../support/describe.ts'

const none: MockPreferences = { code: undefined, example: undefined, dynamic: false }

describe('parsePrefer', (test) => {
  table<readonly [header: string | undefined, expected: Partial<MockPreferences>]>(
    test,
    [
      [undefined, {}],
      ['', {}],
      ['respond-async, wait=10', {}],
      ['code=404', { code: 404 }],
      ['Code="404"', { code: 404 }],
      ['code=99', {}],
      ['code=600', {}],
      ['code=abc', {}],
      ['code=404, code=500', { code: 404 }],
      ['respond-async, code=404', { code: 404 }],
      ['code=404;example=gone', { code: 404, example: 'gone' }],
      ['example="two words", dynamic=true', { example: 'two words', dynamic: true }],
      ['dynamic=false', {}],
    ],
    (header, expected) => assert.equal(parsePrefer(header), { ...none, ...expected }),
  )
})

const example = (name: string) =>
  ({
    name,
    value: 1,
    summary: undefined,
    description: undefined,
    location: 'response',
    status: undefined,
  }) as const

describe('formatApplied', (test) => {
  table(
    test,
    [
      [undefined, undefined, undefined],
      [404, undefined, 'code=404'],
      [404, 'a', 'code=404, example=a'],
      [undefined, 'two words', 'example="two words"'],
      [undefined, 'Ω', undefined],
    ] as const,
    (code, name, expected) =>
      assert.is(formatApplied(code, name === undefined ? undefined : example(name)), expected),
  )
})
