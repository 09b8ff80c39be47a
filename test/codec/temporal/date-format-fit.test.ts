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
import { computed } from '../../support/computed.ts'
import { describe, type Test } from '../../support/describe.ts'

/** Rows of a pattern and all that is wrong with it for the codec. */
const throws = <A>(
  test: Test,
  codec: DateCodec<A>,
  rows: ReadonlyArray<readonly [pattern: string, faults: string]>,
): void =>
  rows.forEach(([pattern, faults]) =>
    test(`${codec.name} as ${pattern}`, () =>
      assert.throws(
        () => dateFormat(pattern)(codec),
        (error: unknown) =>
          error instanceof RangeError && error.message === `date pattern "${pattern}": ${faults}`,
      )),
  )

describe('dateFormat', (test) => {
  throws(test, plainDate, [
    ['dd/MM', 'plainDate needs year (y)'],
    ['', 'plainDate needs year (y); plainDate needs month (M); plainDate needs day (d)'],
    ['dd/MM/yyyy HH', 'plainDate has no hour (H)'],
    ['dd/MM/yyyy XXX', 'plainDate has no offset (X)'],
    ['dd dd/MM/yyyy', 'day (d) stands twice'],
    ['MMM MM yyyy d', 'month (M) stands twice'],
    ['yyyy uuuu MM d', 'year (y) stands twice'],
    ['dM yyyy', 'two numbers of varying length stand in a row'],
    ['dMMyyyy', 'two numbers of varying length stand in a row'],
    ["d'1'M yyyy", 'two numbers of varying length stand in a row'],
    ['dd/bb/yyyy', 'bb has no meaning; a literal stands in quotes'],
    ["dd/MM/yyyy 'b", 'a quote is not closed; b has no meaning; a literal stands in quotes'],
    ['dd/MM/yyyy[', '[ is reserved and stands for itself in quotes'],
  ])
  throws(test, plainDateTime, [
    ['dd/MM/yyyy', 'plainDateTime needs hour (H) or hour of the half-day (h)'],
  ])
  throws(test, plainTime, [
    ['HH:mm d', 'plainTime has no day (d)'],
    ['HH:mm E', 'plainTime has no weekday (E)'],
    ['h:mm', 'hour of the half-day (h) stands without AM or PM (a)'],
    ['H:mm a', 'AM or PM (a) stands without hour of the half-day (h)'],
    ['H h a', 'hour stands twice, as H and as h'],
    ['HH ss', 'second (s) stands without minute (m)'],
    ['HH:mm.SSS', 'fraction (S) stands without second (s)'],
    ['mm', 'minute (m) stands without hour (H) or hour of the half-day (h)'],
  ])
  throws(test, instant, [
    ['dd/MM/yyyy HH:mm', 'instant needs offset (X) or time zone (VV)'],
    ["dd/MM/yyyy HH:mm'Z'", 'instant needs offset (X) or time zone (VV)'],
  ])
  throws(test, zonedDateTime, [
    ['dd/MM/yyyy HH:mm', 'zonedDateTime needs offset (X) or time zone (VV)'],
    ['dd/MM/yyyy VVH', 'two numbers of varying length stand in a row'],
    [
      'HH:mm XVV',
      'zonedDateTime needs year (y); zonedDateTime needs month (M); zonedDateTime needs day (d)',
    ],
  ])
  throws(test, offsetDateTime, [
    [
      'dd/MM/yyyy HH:mm VV',
      'offsetDateTime needs offset (X); offsetDateTime has no time zone (VV)',
    ],
  ])
  throws(test, offsetTime, [['HH:mm', 'offsetTime needs offset (X)']])
  throws(test, year, [['MM/yyyy', 'year has no month (M)']])
  throws(test, yearMonth, [['yyyy', 'yearMonth needs month (M)']])

  test('shows the pattern in the name', () =>
    assert.is(dateFormat('dd/MM/yyyy')(plainDate).name, 'plainDate as dd/MM/yyyy'))

  test('leaves what a value is to the codec', () => {
    const french = dateFormat('dd/MM/yyyy')(plainDate)
    assert.ok(french.is(temporal().PlainDate.from('2024-01-31')))
    assert.not(french.is('31/01/2024'))
  })

  test('keeps the type', () => {
    expectTypeOf(dateFormat('dd/MM/yyyy')(plainDate)).toEqualTypeOf<
      t.Type<Temporal.PlainDate, string>
    >()
    expectTypeOf(dateFormat('HHX')(offsetTime)).toEqualTypeOf<t.Type<OffsetTime, string>>()
  })

  test('reads a long text in no time', () => {
    const formatted = dateFormat("dd/MM/yyyy HH:mm VV'/'XXX")(zonedDateTime)
    const start = computed()
    assert.ok(E.isLeft(formatted.decode(`31/01/2024 10:15 ${'A/'.repeat(500_000)}`)))
    assert.ok(E.isLeft(formatted.decode('1'.repeat(1_000_000))))
    assert.ok(computed() - start < 1000)
  })
})
