import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { attempt } from '../../../src/codec/parameter/attempt.ts'
import { describe, law, roundTrip, table } from '../../support/describe.ts'
import { hex, sample } from '../../support/sample.ts'

const codec = attempt(hex)

describe('attempt', (test) => {
  test('hands over the value', () => assert.equal(codec.decode('f'), E.right(E.right(15))))
  test('hands over the errors, with their place', () => {
    const result = codec.validate('?', [{ key: 'page', type: hex }])
    assert.ok(E.isRight(result) && E.isLeft(result.right))
    assert.equal(
      result.right.left.map(({ value, context }) => [value, context[0]?.key]),
      [['?', 'page']],
    )
  })
  test('a missing value is an error to judge, not a refusal', () => {
    const result = codec.decode(undefined)
    assert.ok(E.isRight(result) && E.isLeft(result.right))
  })
  test('writes nothing for errors', () => assert.is(codec.encode(E.left([])), undefined))
  table(
    test,
    [
      ['the value', E.right(15), true],
      ['errors', E.left([]), true],
      ['another value', E.right('f'), false],
      ['no errors', E.left('f'), false],
      ['an object that looks alike', { right: 15 }, false],
      ['the bare value', 15, false],
      ['nothing', null, false],
    ] as const,
    (_, value, expected) => assert.is(codec.is(value), expected),
  )
  law(test, 'never refuses', fc.tuple(sample, fc.anything()), ([{ codec: any }, input]) =>
    assert.ok(E.isRight(attempt(any).decode(input))),
  )
  roundTrip(
    test,
    fc.nat().map(E.right),
    codec.encode,
    (text) => codec.decode(text),
    (actual, value) => assert.equal(actual, E.right(value)),
  )
})
