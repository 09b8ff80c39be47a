import { expectTypeOf } from 'expect-type'
import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import type { Temporal } from 'temporal-polyfill'
import * as assert from 'uvu/assert'
import {
  instant,
  offsetDateTime,
  type OffsetTime,
  offsetTime,
  plainDate,
  plainDateTime,
  plainTime,
  year,
  yearMonth,
  zonedDateTime,
} from '../../../src/codec/temporal/date-time.ts'
import type { DateCodec } from '../../../src/codec/temporal/date-codec.ts'
import { dateFormat } from '../../../src/codec/temporal/date-format.ts'
import { temporal } from '../../../src/codec/temporal/temporal-api.ts'
import { cpuTime } from '../../support/cpu-time.ts'
import { describe, type Test } from '../../support/describe.ts'

/** Registers a test for each row of a pattern and its errors. */
const throws = <A>(
  test: Test,
  codec: DateCodec<A>,
  rows: ReadonlyArray<readonly [pattern: string, errors: string]>,
): void =>
  rows.forEach(([pattern, errors]) =>
    test(`${codec.name} as ${pattern}`, () =>
      assert.throws(
        () => dateFormat(pattern)(codec),
        (error: unknown) =>
          error instanceof RangeError && error.message === `date pattern "${pattern}": ${errors}`,
      )),
  )

describe('dateFormat', (test) => {
  throws(test, plainDate, [
    ['dd/MM', 'plainDate requires year (y)'],
    ['', 'plainDate requires year (y); plainDate requires month (M); plainDate requires day (d)'],
    ['dd/MM/yyyy HH', 'plainDate does not support hour (H)'],
    ['dd/MM/yyyy XXX', 'plainDate does not support offset (X)'],
    ['dd dd/MM/yyyy', 'day (d) occurs twice'],
    ['MMM MM yyyy d', 'month (M) occurs twice'],
    ['yyyy uuuu MM d', 'year (y) occurs twice'],
    ['dM yyyy', 'adjacent numbers of variable length'],
    ['dMMyyyy', 'adjacent numbers of variable length'],
    ["d'1'M yyyy", 'adjacent numbers of variable length'],
    ['dd/bb/yyyy', 'invalid pattern letters bb: put literal text in quotes'],
    ["dd/MM/yyyy 'b", 'unclosed quote; invalid pattern letters b: put literal text in quotes'],
    ['dd/MM/yyyy[', 'brackets that are not balanced: put literal brackets in quotes'],
    ['dd/MM/yyyy]', 'brackets that are not balanced: put literal brackets in quotes'],
    ['dd/MM/yyyy[ HH]', 'plainDate does not support hour (H)'],
    ['dd[ dd]/MM/yyyy', 'day (d) occurs twice'],
    ['yyyy-DDD dd', 'day (d) occurs twice'],
    [
      "YYYY-'W'ww-d",
      'unsupported pattern letters YYYY: the weeks of a year depend on the locale; unsupported pattern letters ww: the weeks of a year depend on the locale',
    ],
    ['dd MMMMM yyyy', 'invalid pattern letters MMMMM: put literal text in quotes'],
    ['dd MMMMMM yyyy', 'invalid pattern letters MMMMMM: put literal text in quotes'],
  ])
  throws(test, plainDateTime, [
    ['dd/MM/yyyy', 'plainDateTime requires hour (H) or hour on a 12-hour clock (h)'],
  ])
  throws(test, plainTime, [
    ['HH:mm d', 'plainTime does not support day (d)'],
    ['HH:mm E', 'plainTime does not support weekday (E)'],
    ['h:mm', 'hour on a 12-hour clock (h) requires AM or PM (a)'],
    ['H:mm a', 'AM or PM (a) requires hour on a 12-hour clock (h)'],
    ['H h a', 'hour occurs twice, as H and as h'],
    ['HH ss', 'second (s) requires minute (m)'],
    ['HH:mm.SSS', 'fraction (S) requires second (s)'],
    ['mm', 'minute (m) requires hour (H) or hour on a 12-hour clock (h)'],
  ])
  throws(test, instant, [
    ['dd/MM/yyyy HH:mm', 'instant requires offset (X) or time zone (VV)'],
    ["dd/MM/yyyy HH:mm'Z'", 'instant requires offset (X) or time zone (VV)'],
  ])
  throws(test, zonedDateTime, [
    ['dd/MM/yyyy HH:mm', 'zonedDateTime requires offset (X) or time zone (VV)'],
    ['dd/MM/yyyy VVH', 'adjacent numbers of variable length'],
    [
      'HH:mm XVV',
      'zonedDateTime requires year (y); zonedDateTime requires month (M); zonedDateTime requires day (d)',
    ],
  ])
  throws(test, offsetDateTime, [
    [
      'dd/MM/yyyy HH:mm VV',
      'offsetDateTime requires offset (X); offsetDateTime does not support time zone (VV)',
    ],
  ])
  throws(test, offsetTime, [['HH:mm', 'offsetTime requires offset (X)']])
  throws(test, year, [['MM/yyyy', 'year does not support month (M)']])
  throws(test, yearMonth, [['yyyy', 'yearMonth requires month (M)']])

  test('the codec name contains the pattern', () =>
    assert.is(dateFormat('dd/MM/yyyy')(plainDate).name, 'plainDate as dd/MM/yyyy'))

  test('is of the formatted codec agrees with the original codec', () => {
    const french = dateFormat('dd/MM/yyyy')(plainDate)
    assert.ok(french.is(temporal().PlainDate.from('2024-01-31')))
    assert.not(french.is('31/01/2024'))
  })

  test('keeps the type of the codec', () => {
    expectTypeOf(dateFormat('dd/MM/yyyy')(plainDate)).toEqualTypeOf<
      t.Type<Temporal.PlainDate, string>
    >()
    expectTypeOf(dateFormat('HHX')(offsetTime)).toEqualTypeOf<t.Type<OffsetTime, string>>()
  })

  test('decodes a long text within the time limit', () => {
    const formatted = dateFormat("dd/MM/yyyy HH:mm VV'/'XXX")(zonedDateTime)
    const start = cpuTime()
    assert.ok(E.isLeft(formatted.decode(`31/01/2024 10:15 ${'A/'.repeat(500_000)}`)))
    assert.ok(E.isLeft(formatted.decode('1'.repeat(1_000_000))))
    assert.ok(cpuTime() - start < 1000)
  })
})
