import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import * as Size from '../../src/codec/size.ts'
import { describe, law, roundTrip, table } from '../support/describe.ts'

describe('Size.parse', (test) => {
  table(
    test,
    [
      ['0', O.some(0)],
      ['2048', O.some(2048)],
      ['16K', O.some(16_384)],
      ['16k', O.some(16_384)],
      ['10240K', O.some(10_485_760)],
      ['10M', O.some(10_485_760)],
      ['1G', O.some(1_073_741_824)],
      ['9007199254740991', O.some(Number.MAX_SAFE_INTEGER)],
      ['9007199254740992', O.none], // integers from here on are not exact
      ['8388608G', O.none],
      ['10KB', O.none],
      ['10 K', O.none],
      ['1.5M', O.none],
      ['-1', O.none],
      ['1e3', O.none],
      ['K', O.none],
      ['', O.none],
    ] as const,
    (text, expected) => assert.equal(Size.parse(text), expected),
  )
})

describe('Size.format', (test) => {
  table(
    test,
    [
      [0, '0'],
      [1023, '1023'],
      [1024, '1K'],
      [1025, '1025'],
      [10_485_760, '10M'],
      [3 * 1024 ** 3, '3G'],
    ] as const,
    (bytes, expected) => assert.is(Size.format(bytes), expected),
  )

  const sizes = fc.oneof(
    fc.maxSafeNat(),
    fc.nat(4096).map((n) => n * 1024 ** 2),
  )
  roundTrip(test, sizes, Size.format, Size.parse, (actual, expected) =>
    assert.equal(actual, O.some(expected)),
  )
})

describe('Size.size', (test) => {
  table(
    test,
    [
      [2048, E.right(2048)],
      [' 2K ', E.right(2048)],
    ] as const,
    (value, expected) => assert.equal(Size.size.decode(value), expected),
  )
  table(test, [[-1], [1.5], [NaN], [2 ** 53], [null], [true], ['x']] as const, (value) =>
    assert.ok(E.isLeft(Size.size.decode(value))),
  )
  law(test, 'never throws', fc.anything(), (value) => {
    Size.size.decode(value)
  })
})
