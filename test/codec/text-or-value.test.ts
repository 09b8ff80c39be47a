import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import { textOrValue } from '../../src/codec/text-or-value.ts'
import { describe, table } from '../support/describe.ts'

const answer = textOrValue(
  'the answer',
  (u) => u === 42,
  (text) => (text === 'forty-two' ? O.some(42) : O.none),
  () => 'forty-two',
)

describe('textOrValue', (test) => {
  table(
    test,
    [
      [42, O.some(42)],
      ['forty-two', O.some(42)],
      [' forty-two\t', O.some(42)],
      ['42', O.none],
      [41, O.none],
      [undefined, O.none],
    ] as const,
    (value, expected) => assert.equal(O.fromEither(answer.decode(value)), expected),
  )

  test('refuses with one error, which says what was wanted', () => {
    const errors = E.swap(answer.decode('x'))
    assert.equal(
      O.fromEither(E.map((all: ReadonlyArray<{ value: unknown }>) => all.length)(errors)),
      O.some(1),
    )
    assert.is(answer.name, 'the answer')
  })
})
