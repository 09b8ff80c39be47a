import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import type { Decimal } from '../../src/codec/decimal.ts'
import {
  bigint,
  compareDecimals,
  decimal,
  formatDecimal,
  parseDecimal,
} from '../../src/codec/decimal.ts'
import { cpuTime } from '../support/cpu-time.ts'
import { describe, law, roundTrip, table } from '../support/describe.ts'

const of = (unscaled: bigint, scale = 0): Decimal => ({ unscaled, scale })
const nines = '9'.repeat(1000)

describe('parseDecimal', (test) => {
  table(
    test,
    [
      ['0', O.some(of(0n))],
      ['-0', O.some(of(0n))],
      ['12', O.some(of(12n))],
      ['+12', O.some(of(12n))],
      ['12.50', O.some(of(1250n, 2))],
      ['-12.50', O.some(of(-1250n, 2))],
      ['0.00', O.some(of(0n, 2))],
      ['-0.5', O.some(of(-5n, 1))],
      ['007', O.some(of(7n))],
      ['1e3', O.some(of(1n, -3))],
      ['1.5E+3', O.some(of(15n, -2))],
      ['1.5e-3', O.some(of(15n, 4))],
      ['1e-0', O.some(of(1n))],
      ['12345678901234567890.123456789', O.some(of(12345678901234567890123456789n, 9))],
      ['1e9999', O.some(of(1n, -9999))],
      ['1e00009999', O.some(of(1n, -9999))],
      [nines, O.some(of(10n ** 1000n - 1n))],
      ['1e10000', O.none],
      ['1e-10000', O.none],
      ['0.1e-9999', O.none], // a scale of 10000
      ['1e99999999999999999999', O.none],
      [`${nines}9`, O.none],
      [`${nines}.9`, O.none],
      ['.5', O.none],
      ['5.', O.none],
      ['1e', O.none],
      ['1e1.5', O.none],
      ['1,5', O.none],
      ['1_000', O.none],
      ['0x10', O.none],
      ['NaN', O.none],
      ['Infinity', O.none],
      ['--1', O.none],
      [' 1', O.none],
      ['1\n', O.none],
      ['', O.none],
    ] as const,
    (text, expected) => assert.equal(parseDecimal(text), expected),
  )
  test('rejects a million digits in less than a second', () => {
    const start = cpuTime()
    assert.equal(parseDecimal('9'.repeat(1_000_000)), O.none)
    assert.equal(parseDecimal(`1e${'9'.repeat(1_000_000)}`), O.none)
    assert.ok(cpuTime() - start < 1000)
  })
})

describe('formatDecimal', (test) => {
  table(
    test,
    [
      ['12.50', of(1250n, 2)],
      ['-12.50', of(-1250n, 2)],
      ['0.05', of(5n, 2)],
      ['-0.05', of(-5n, 2)],
      ['0.00', of(0n, 2)],
      ['0.000001', of(1n, 6)],
      ['1E-7', of(1n, 7)],
      ['1E3', of(1n, -3)],
      ['-15E2', of(-15n, -2)],
      [`${nines}E-1000`, of(BigInt(nines), 1000)], // plain notation would have more than 1000 digits
    ] as const,
    (text, value) => {
      assert.is(formatDecimal(value), text)
      assert.equal(parseDecimal(text), O.some(value))
    },
  )
  const anyDecimal = fc.record(
    { unscaled: fc.bigInt(), scale: fc.integer({ min: -9999, max: 9999 }) },
    { noNullPrototype: true },
  )
  roundTrip(test, anyDecimal, formatDecimal, parseDecimal, (actual, expected) =>
    assert.equal(actual, O.some(expected)),
  )
  law(
    test,
    'a parsed number equals the number parsed from its formatted text',
    fc.stringMatching(/^-?\d{1,20}(\.\d{1,20})?(e[+-]?\d{1,5})?$/),
    (text) => {
      const value = parseDecimal(text)
      assert.equal(O.chain(parseDecimal)(O.map(formatDecimal)(value)), value)
    },
  )
})

const thousandths = ({ unscaled, scale }: Decimal): bigint => unscaled * 10n ** BigInt(3 - scale)

describe('compareDecimals', (test) => {
  table(
    test,
    [
      ['12.50 and 12.5', of(1250n, 2), of(125n, 1), 0],
      ['1e3 and 1000', of(1n, -3), of(1000n), 0],
      ['0 and 0.00', of(0n), of(0n, 2), 0],
      ['-1 and 1', of(-1n), of(1n), -1],
      ['9 and 10', of(9n), of(10n), -1],
      ['-10 and -9', of(-10n), of(-9n), -1],
      ['0 and 1e-9999', of(0n), of(1n, 9999), -1],
      ['-1e-9999 and 0', of(-1n, 9999), of(0n), -1],
      ['12 and 13', of(12n), of(13n), -1],
      ['1.25 and 1.3', of(125n, 2), of(13n, 1), -1],
      ['1e-9999 and 1e9999', of(1n, 9999), of(1n, -9999), -1],
    ] as const,
    (_, a, b, expected) => {
      assert.is(compareDecimals(a, b), expected)
      assert.is(compareDecimals(b, a), 0 - expected)
    },
  )
  const small = fc.record({
    unscaled: fc.bigInt({ min: -1000n, max: 1000n }),
    scale: fc.integer({ min: -3, max: 3 }),
  })
  law(test, 'agrees with the same numbers in thousandths', fc.tuple(small, small), ([a, b]) => {
    const difference = thousandths(a) - thousandths(b)
    assert.is(compareDecimals(a, b), difference < 0n ? -1 : difference > 0n ? 1 : 0)
  })
})

describe('decimal', (test) => {
  test('decodes and encodes text', () => {
    assert.equal(decimal.decode('12.50'), E.right(of(1250n, 2)))
    assert.is(decimal.encode(of(1250n, 2)), '12.50')
  })
  test('is requires a bigint and an integer scale', () => {
    assert.ok(decimal.is(of(1n, -1)))
    assert.not(decimal.is({ unscaled: 1, scale: 0 }))
    assert.not(decimal.is({ unscaled: 1n, scale: 0.5 }))
    assert.not(decimal.is(null))
  })
  law(test, 'decodes only texts', fc.anything(), (value) =>
    assert.ok(typeof value === 'string' || E.isLeft(decimal.decode(value))),
  )
})

describe('bigint', (test) => {
  table(
    test,
    [
      ['0', 0n],
      ['-0', 0n],
      ['+7', 7n],
      ['007', 7n],
      ['-12345678901234567890', -12345678901234567890n],
      [nines, 10n ** 1000n - 1n],
    ] as const,
    (text, expected) => assert.equal(bigint.decode(text), E.right(expected)),
  )
  table(
    test,
    [
      [`${nines}9`],
      ['1.0'],
      ['1e3'],
      ['0x10'],
      ['0b1'],
      ['1n'],
      ['1_000'],
      [' 1'],
      ['1 '],
      ['- 1'],
      ['-'],
      [''],
    ] as const,
    (text) => assert.ok(E.isLeft(bigint.decode(text))),
  )
  roundTrip(
    test,
    fc.bigInt(),
    bigint.encode,
    (text) => bigint.decode(text),
    (actual, expected) => assert.equal(actual, E.right(expected)),
  )
})
