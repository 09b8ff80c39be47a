import * as fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import * as assert from 'uvu/assert'
import * as HttpDate from '../../src/http/http-date.ts'
import { describe, law, roundTrip, table } from '../support/describe.ts'
import { unicodeString } from '../support/unicode-string.ts'

const at = (iso: string): O.Option<Date> => O.some(new Date(iso))
const now = Date.UTC(2024, 5, 15, 12)

describe('HttpDate.parse', (test) => {
  table(
    test,
    [
      ['Sun, 06 Nov 1994 08:49:37 GMT', at('1994-11-06T08:49:37Z')], // the three formats of RFC 9110, 5.6.7
      ['Sunday, 06-Nov-94 08:49:37 GMT', at('1994-11-06T08:49:37Z')],
      ['Sun Nov  6 08:49:37 1994', at('1994-11-06T08:49:37Z')],
      ['Tue, 15 Nov 1994 12:45:26 GMT', at('1994-11-15T12:45:26Z')], // 8.8.2
      ['Wed Nov 16 08:49:37 1994', at('1994-11-16T08:49:37Z')], // 2DIGIT of date3
      ['Sun Nov 06 08:49:37 1994', at('1994-11-06T08:49:37Z')],
      ['Mon, 06 Nov 1994 08:49:37 GMT', at('1994-11-06T08:49:37Z')], // the name of another day
      ['Sat, 31 Dec 2016 23:59:60 GMT', at('2016-12-31T23:59:59Z')], // a leap second
      ['Thu, 29 Feb 2024 00:00:00 GMT', at('2024-02-29T00:00:00Z')],
      ['Tue, 29 Feb 2000 23:59:59 GMT', at('2000-02-29T23:59:59Z')],
      ['Thu, 01 Jan 0094 00:00:00 GMT', at('0094-01-01T00:00:00Z')], // a year with four digits is not abbreviated
      ['Fri, 31 Dec 9999 23:59:59 GMT', at('9999-12-31T23:59:59Z')],
      ['Wed, 29 Feb 2023 00:00:00 GMT', O.none], // days and times that do not exist
      ['Thu, 29 Feb 1900 00:00:00 GMT', O.none],
      ['Sat, 31 Feb 2024 00:00:00 GMT', O.none],
      ['Wed, 31 Apr 2024 00:00:00 GMT', O.none],
      ['Wed, 00 May 2024 00:00:00 GMT', O.none],
      ['Sun Nov 31 08:49:37 1994', O.none],
      ['Sun, 06 Nov 1994 24:00:00 GMT', O.none],
      ['Sun, 06 Nov 1994 08:60:00 GMT', O.none],
      ['Sun, 06 Nov 1994 08:49:60 GMT', O.none], // not a possible leap second
      ['Sun, 06 Nov 1994 23:59:61 GMT', O.none],
      ['sun, 06 nov 1994 08:49:37 gmt', O.none], // case-sensitive
      ['Son, 06 Nov 1994 08:49:37 GMT', O.none],
      ['06 Nov 1994 08:49:37 GMT', O.none],
      ['Sun, 6 Nov 1994 08:49:37 GMT', O.none],
      ['Sun, 06 Nov 94 08:49:37 GMT', O.none],
      ['Sun, 06 Nov 1994 8:49:37 GMT', O.none],
      ['Sun, 06 Nov 1994 08:49 GMT', O.none],
      ['Sun, 06 Nov 1994 08:49:37 UTC', O.none],
      ['Sun, 06 Nov 1994 08:49:37 +0000', O.none],
      ['Sun, 06 Nov 1994 08:49:37', O.none],
      ['Sun, 06 Nov 1994  08:49:37 GMT', O.none],
      [' Sun, 06 Nov 1994 08:49:37 GMT', O.none],
      ['Sun, 06 Nov 1994 08:49:37 GMT\n', O.none],
      ['Sun, 06-Nov-94 08:49:37 GMT', O.none], // the short name in the long form
      ['Sunday, 06-Nov-1994 08:49:37 GMT', O.none],
      ['Sun Nov 6 08:49:37 1994', O.none], // date3 pads to two columns
      ['1994-11-06T08:49:37Z', O.none], // Date.parse accepts it
      ['784111777', O.none],
      ['0', O.none],
      ['', O.none],
    ] as const,
    (text, expected) => assert.equal(HttpDate.parse(text, now), expected),
  )

  law(test, 'never throws', fc.tuple(unicodeString, fc.double()), ([text, time]) => {
    HttpDate.parse(text, time)
  })
})

// RFC 9110, 5.6.7. The current time is noon of 15 June 2024.
describe('HttpDate.parse with two-digit years', (test) => {
  table(
    test,
    [
      ['Saturday, 15-Jun-24 12:00:00 GMT', at('2024-06-15T12:00:00Z')],
      ['Sunday, 15-Jun-25 12:00:00 GMT', at('2025-06-15T12:00:00Z')],
      ['Friday, 15-Jun-74 12:00:00 GMT', at('2074-06-15T12:00:00Z')], // at most 50 years ahead
      ['Saturday, 15-Jun-74 12:00:01 GMT', at('1974-06-15T12:00:01Z')],
      ['Sunday, 15-Jun-75 12:00:00 GMT', at('1975-06-15T12:00:00Z')],
      ['Saturday, 01-Jan-00 00:00:00 GMT', at('2000-01-01T00:00:00Z')],
      ['Friday, 31-Dec-99 23:59:59 GMT', at('1999-12-31T23:59:59Z')],
      ['Tuesday, 29-Feb-00 00:00:00 GMT', at('2000-02-29T00:00:00Z')],
      ['Monday, 29-Feb-23 00:00:00 GMT', O.none],
    ] as const,
    (text, expected) => assert.equal(HttpDate.parse(text, now), expected),
  )

  test('a two-digit year may be in the next century', () =>
    assert.equal(
      HttpDate.parse('Friday, 01-Jan-05 00:00:00 GMT', Date.UTC(2099, 0)),
      at('2105-01-01T00:00:00Z'),
    ))

  test('now defaults to the current time', () => {
    const year = new Date().getUTCFullYear()
    const digits = String(year % 100).padStart(2, '0')
    assert.equal(
      HttpDate.parse(`Monday, 01-Jan-${digits} 00:00:00 GMT`),
      O.some(new Date(Date.UTC(year, 0))),
    )
  })
})

describe('HttpDate.format', (test) => {
  table(
    test,
    [
      ['1994-11-06T08:49:37Z', 'Sun, 06 Nov 1994 08:49:37 GMT'],
      ['1994-11-06T08:49:37.999Z', 'Sun, 06 Nov 1994 08:49:37 GMT'],
      ['1969-12-31T23:59:59.001Z', 'Wed, 31 Dec 1969 23:59:59 GMT'],
      ['0094-01-01T00:00:00Z', 'Fri, 01 Jan 0094 00:00:00 GMT'],
    ] as const,
    (iso, expected) => assert.is(HttpDate.format(new Date(iso)), expected),
  )

  table(
    test,
    [['an invalid date'], ['-000001-12-31T23:59:59Z'], ['+010000-01-01T00:00:00Z']] as const,
    (iso) => assert.throws(() => HttpDate.format(new Date(iso)), isRangeError),
  )
})

describe('HttpDate', (test) => {
  const dates = fc.date({
    min: new Date('0000-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  })
  roundTrip(test, dates, HttpDate.format, HttpDate.parse, (actual, date) =>
    assert.equal(actual, O.some(HttpDate.truncate(date))),
  )

  law(test, 'truncate drops less than a second and is idempotent', dates, (date) => {
    const whole = HttpDate.truncate(date)
    const dropped = date.getTime() - whole.getTime()
    assert.ok(dropped >= 0 && dropped < 1000)
    assert.equal(HttpDate.truncate(whole), whole)
  })
})

const isRangeError = (error: unknown): boolean => error instanceof RangeError
