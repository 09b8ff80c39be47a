import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import * as DurationMillis from '../../src/codec/duration-millis.ts'
import { describe, law, roundTrip, table } from '../support/describe.ts'

describe('DurationMillis.parse', (test) => {
  table(
    test,
    [
      ['PT30M', O.some(1_800_000)], // RFC 3339, appendix A: "PT" time
      ['pt30m', O.some(1_800_000)],
      ['PT1.5S', O.some(1500)],
      ['PT1,5S', O.some(1500)],
      ['PT1.001S', O.some(1001)],
      ['PT1H2M3S', O.some(3_723_000)],
      ['P1D', O.some(86_400_000)],
      ['P1DT1S', O.some(86_401_000)],
      ['PT0S', O.some(0)],
      ['P', O.none],
      ['PT', O.none],
      ['P1DT', O.none],
      ['PT1S2M', O.none], // out of order
      ['PT1.5M', O.none], // only seconds have a fraction
      ['PT0.0005S', O.none], // finer than a millisecond
      ['P1M', O.none], // a month has no fixed length
      ['PT-1S', O.none],
      ['60', O.some(60_000)], // a number without a unit is in seconds
      ['500ms', O.some(500)],
      ['10s', O.some(10_000)],
      ['5m', O.some(300_000)],
      ['30M', O.some(1_800_000)],
      ['1h', O.some(3_600_000)],
      ['2d', O.some(172_800_000)],
      ['2147483647ms', O.some(2_147_483_647)],
      ['2147483648ms', O.none],
      ['25d', O.none],
      ['1.5s', O.none],
      ['10 s', O.none],
      ['1h30m', O.none],
      ['s', O.none],
      ['-1', O.none],
      ['', O.none],
    ] as const,
    (text, expected) => assert.equal(DurationMillis.parse(text), expected),
  )
})

describe('DurationMillis.format', (test) => {
  table(
    test,
    [
      [0, '0ms'],
      [999, '999ms'],
      [1000, '1s'],
      [72_000, '72s'],
      [1_800_000, '30m'],
      [7_200_000, '2h'],
      [86_400_000, '24h'],
    ] as const,
    (millis, expected) => assert.is(DurationMillis.format(millis), expected),
  )

  const millis = fc.oneof(
    fc.nat(DurationMillis.maxDurationMillis),
    fc.nat(2_147_483).map((n) => n * 1000),
  )
  roundTrip(test, millis, DurationMillis.format, DurationMillis.parse, (actual, expected) =>
    assert.equal(actual, O.some(expected)),
  )
})

describe('DurationMillis.durationMillis', (test) => {
  table(
    test,
    [
      [60, E.right(60)], // a number is in milliseconds
      ['60', E.right(60_000)],
      [' 60s ', E.right(60_000)],
    ] as const,
    (value, expected) => assert.equal(DurationMillis.durationMillis.decode(value), expected),
  )
  table(test, [[-1], [0.5], [2 ** 31], [NaN], [null], ['soon']] as const, (value) =>
    assert.ok(E.isLeft(DurationMillis.durationMillis.decode(value))),
  )
  law(test, 'never throws', fc.anything(), (value) => {
    DurationMillis.durationMillis.decode(value)
  })
})
