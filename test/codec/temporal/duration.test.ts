import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import { duration } from '../../../src/codec/temporal/duration.ts'
import { temporal } from '../../../src/codec/temporal/temporal-api.ts'
import { describe, law, roundTrip, table } from '../../support/describe.ts'

describe('duration', (test) => {
  table(
    test,
    [
      ['P1Y2M3DT4H5M6S', E.right('P1Y2M3DT4H5M6S')],
      ['P1Y2M3W4D', E.right('P1Y2M3W4D')],
      ['PT36H', E.right('PT36H')], // not balanced to days
      ['PT0S', E.right('PT0S')],
      ['P0D', E.right('PT0S')],
      ['P1M', E.right('P1M')],
      ['PT1M', E.right('PT1M')],
      ['PT1.5S', E.right('PT1.5S')],
      ['PT1,5S', E.right('PT1.5S')],
      ['PT0.000000001S', E.right('PT0.000000001S')],
      ['pt1h', E.right('PT1H')],
      ['-P1DT2H', E.right('-P1DT2H')],
      ['+P1D', E.right('P1D')],
      ['PT-6H-3M', E.right('-PT6H3M')], // the notation of java.time
      ['-PT-6H', E.right('PT6H')],
      ['PT-0.5S', E.right('-PT0.5S')],
      ['P-0DT1H', E.right('PT1H')], // zero has no sign
      ['PT9007199254740991S', E.right('PT9007199254740991S')],
    ] as const,
    (text, expected) => assert.equal(pipe(duration.decode(text), E.map(duration.encode)), expected),
  )
  table(
    test,
    [
      ['P'],
      ['PT'],
      ['P1DT'],
      ['1D'],
      ['P1'],
      ['P1H'],
      ['PT1D'],
      ['P1D2M'], // out of order
      ['P1D1D'],
      ['PT1.5H'],
      ['PT1.S'],
      ['PT.5S'],
      ['PT1,5M'],
      ['PT1.1234567890S'],
      ['P1Y-1M'], // different signs
      ['P--1D'],
      ['P 1D'],
      ['PT9007199254740992S'], // out of Temporal's range
      ['P4294967296Y'],
      ['PT99999999999999999S'],
      [''],
    ] as const,
    (text) => assert.ok(E.isLeft(duration.decode(text))),
  )

  const amount = fc.nat(1_000_000)
  const anyDuration = fc
    .tuple(
      fc.record({
        years: amount,
        months: amount,
        weeks: amount,
        days: amount,
        hours: amount,
        minutes: amount,
        seconds: amount,
        nanoseconds: fc.nat(999_999_999),
      }),
      fc.boolean(),
    )
    .map(([parts, negative]) => {
      const value = temporal().Duration.from(parts)
      return negative ? value.negated() : value
    })
  roundTrip(
    test,
    anyDuration,
    duration.encode,
    (text) => pipe(duration.decode(text), E.map(String)),
    (actual, value) => assert.equal(actual, E.right(String(value))),
  )
  law(
    test,
    'a decoded duration can be encoded and decoded again',
    fc.stringMatching(/^-?P[-0-9YMWD]{0,8}(T[-0-9.HMS]{0,8})?$/),
    (text) => {
      const written = pipe(duration.decode(text), E.map(duration.encode))
      assert.equal(
        pipe(
          written,
          E.chain((again) => duration.decode(again)),
          E.map(duration.encode),
        ),
        written,
      )
    },
  )
  law(test, 'decoding fails for a value that is not a string', fc.anything(), (value) =>
    assert.ok(typeof value === 'string' || E.isLeft(duration.decode(value))),
  )
})
