import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { fromString } from '../../src/codec/from-string.ts'
import { describe, law, roundTrip, table } from '../support/describe.ts'

interface Point {
  readonly x: number
  readonly y: number
}

const point = fromString(
  'a point, such as 1;2',
  (text): Point | undefined => {
    const [, x, y] = /^(-?\d+);(-?\d+)$/.exec(text) ?? []
    return x === undefined || y === undefined ? undefined : { x: Number(x), y: Number(y) }
  },
  ({ x, y }) => `${x};${y}`,
)

describe('fromString', (test) => {
  table(
    test,
    [
      ['1;2', E.right({ x: 1, y: 2 })],
      ['-1;0', E.right({ x: -1, y: 0 })],
    ] as const,
    (text, expected) => assert.equal(point.decode(text), expected),
  )
  table(test, [['1'], [''], [1], [undefined], [null], [{ x: 1, y: 2 }]] as const, (value) => {
    const result = point.decode(value)
    assert.equal(E.isLeft(result) && result.left.map((error) => error.value), [value])
  })
  test('what parse throws goes to the caller', () => {
    const broken = fromString(
      'broken',
      (): string => {
        throw new RangeError('mine')
      },
      String,
    )
    assert.throws(
      () => broken.decode('x'),
      (error: unknown) => error instanceof RangeError,
    )
  })
  test('a value that is empty or false is a value', () => {
    assert.equal(fromString('empty', () => '', String).decode('x'), E.right(''))
    assert.equal(fromString('no', () => false, String).decode('x'), E.right(false))
    assert.equal(fromString('null', () => null, String).decode('x'), E.right(null))
  })
  test('format is given the value and nothing else', () => {
    const money = fromString('money', Number, (value: number, digits = 2) => value.toFixed(digits))
    assert.equal([1, 2].map(money.encode), ['1.00', '2.00'])
  })
  test('anything but undefined is a value, unless it is said otherwise', () => {
    assert.ok(point.is(0))
    assert.not(point.is(undefined))
    const told = fromString('told', Number, String, (value) => typeof value === 'number')
    assert.not(told.is('1'))
  })
  law(test, 'never throws on any value', fc.anything(), (value) => void point.decode(value))
  roundTrip(
    test,
    fc.record({ x: fc.integer(), y: fc.integer() }, { noNullPrototype: true }),
    point.encode,
    (text) => point.decode(text),
    (actual, value) => assert.equal(actual, E.right(value)),
  )
})
