import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as t from 'io-ts'
import * as assert from 'uvu/assert'
import * as Date from '../../src/codec/date.ts'
import { temporal } from '../../src/codec/temporal.ts'
import { describe, law, table, type Test } from '../support/describe.ts'

/** Rows of a text and what it is written as once it is read. */
const reads = <A>(
  test: Test,
  codec: t.Type<A, string>,
  rows: ReadonlyArray<readonly [text: string, written: string]>,
): void =>
  table(test, rows, (text, written) =>
    assert.equal(
      pipe(
        codec.decode(text),
        E.map((value) => [codec.is(value), codec.encode(value)]),
      ),
      E.right([true, written]),
    ),
  )

const refuses = <A>(test: Test, codec: t.Type<A, string>, texts: ReadonlyArray<string>): void =>
  table(
    test,
    texts.map((text) => [text] as const),
    (text) => assert.ok(E.isLeft(codec.decode(text))),
  )

/** What is read back is the value written, and nothing that is not a text of the form is read or throws. */
const laws = <A>(
  test: Test,
  codec: t.Type<A, string>,
  arbitrary: fc.Arbitrary<A>,
  identity: (value: A) => unknown = String,
): void => {
  law(test, 'reading what was written gives the value back', arbitrary, (value) =>
    assert.equal(
      pipe(codec.decode(codec.encode(value)), E.map(identity)),
      E.right(identity(value)),
    ),
  )
  law(test, 'what is read can be written and read again', nearMiss, (text) => {
    const written = pipe(codec.decode(text), E.map(codec.encode))
    assert.equal(pipe(written, E.chain(codec.decode), E.map(codec.encode)), written)
  })
  law(test, 'a value that is not a text is refused', fc.anything(), (value) =>
    assert.ok(typeof value === 'string' || E.isLeft(codec.decode(value))),
  )
  test('names itself by one word', () => assert.match(codec.name, /^[a-z][A-Za-z]+$/))
}

const nearMiss = fc.oneof(
  fc.string(),
  fc.stringMatching(
    /^[+-]?\d{4,6}(-[01]\d(-[0-3]\d)?)?([Tt ][0-2]\d:[0-6]\d(:[0-6]\d([.,]\d{0,10})?)?)?([Zz]|[+-]\d\d(:\d\d){0,2})?(\[[A-Za-z/]{1,8}\])?$/,
  ),
)

const { Instant, PlainDate, PlainTime, PlainDateTime, ZonedDateTime, PlainYearMonth } = temporal()

const anyInstant = fc
  .bigInt({ min: -(86_400n * 10n ** 17n), max: 86_400n * 10n ** 17n })
  .map((nanoseconds) => new Instant(nanoseconds))
const anyDateTime = anyInstant.map((value) => value.toZonedDateTimeISO('UTC').toPlainDateTime())
const anyDate = anyDateTime.map((value) => value.toPlainDate())
const anyTime = anyDateTime.map((value) => value.toPlainTime())
const anyOffset = fc.integer({ min: -1439, max: 1439 }).map((minutes) => {
  const two = (n: number): string => String(n).padStart(2, '0')
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
})
const farFromEnds = fc
  .bigInt({ min: -(86_300n * 10n ** 17n), max: 86_300n * 10n ** 17n })
  .map((nanoseconds) => new Instant(nanoseconds))
const atOffset = fc
  .tuple(farFromEnds, anyOffset)
  .map(([value, offset]) => value.toZonedDateTimeISO(offset))
const anyZone = fc.oneof(
  anyOffset,
  fc.constantFrom('UTC', 'GMT', 'Europe/Paris', 'America/St_Johns', 'Etc/GMT+5', 'Pacific/Apia'),
)
const zoned = fc.tuple(farFromEnds, anyZone).map(([value, zone]) => value.toZonedDateTimeISO(zone))

describe('plainDate', (test) => {
  reads(test, Date.plainDate, [
    ['2024-01-31', '2024-01-31'],
    ['2024-02-29', '2024-02-29'], // divisible by four
    ['2000-02-29', '2000-02-29'], // by four hundred
    ['0000-02-29', '0000-02-29'], // 1 BC
    ['-0001-12-31', '-0001-12-31'],
    ['+10000-01-01', '+10000-01-01'],
    ['+002024-01-31', '2024-01-31'], // as ECMAScript writes a long year
    ['-000001-12-31', '-0001-12-31'],
    ['+275760-09-13', '+275760-09-13'], // the last day of Temporal
  ])
  refuses(test, Date.plainDate, [
    '2023-02-29',
    '1900-02-29', // divisible by a hundred
    '2024-02-30',
    '2024-04-31',
    '2024-13-01',
    '2024-00-01',
    '2024-01-00',
    '2024-01-32',
    '20240131', // the basic format of ISO 8601
    '2024-1-31',
    '24-01-31',
    '10000-01-01', // without a sign
    '+2024-01-31', // a sign where none is needed, as java.time has it
    '-0000-01-01', // no negative zero
    '-000000-01-01',
    '+275760-09-14',
    '2024-031', // the day of the year
    '2024-W05-3',
    '2024-01-31T00:00:00',
    '2024-01-31Z',
    '2024-01-31[u-ca=gregory]',
    '2024-01-31[u-ca=iso8601]',
    ' 2024-01-31',
    '2024-01-31\n',
    '２０２４-01-31', // digits, but not of ASCII
    '\u22122024-01-31', // U+2212 is a minus to ISO 8601
    '',
  ])
  laws(test, Date.plainDate, anyDate)

  test('writes a date of another calendar as its ISO date', () =>
    assert.is(
      Date.plainDate.encode(PlainDate.from('2024-01-31').withCalendar('gregory')),
      '2024-01-31',
    ))
})

describe('plainTime', (test) => {
  reads(test, Date.plainTime, [
    ['10:15:30', '10:15:30'],
    ['10:15', '10:15:00'],
    ['00:00', '00:00:00'],
    ['10:15:30.5', '10:15:30.5'],
    ['10:15:30.500', '10:15:30.5'],
    ['10:15:30.050', '10:15:30.05'],
    ['23:59:59.999999999', '23:59:59.999999999'],
    ['10:15:30.000000001', '10:15:30.000000001'],
  ])
  refuses(test, Date.plainTime, [
    '24:00',
    '10:60',
    '10:15:60', // Temporal would make it 59
    '10',
    '1015',
    '1:15',
    'T10:15',
    '10:15:30,5',
    '10:15:30.',
    '10:15.5',
    '10:15:30.1234567890',
    '10:15Z',
    '10:15 AM',
    '',
  ])
  laws(test, Date.plainTime, anyTime)
})

describe('plainDateTime', (test) => {
  reads(test, Date.plainDateTime, [
    ['2024-01-31T10:15:30', '2024-01-31T10:15:30'],
    ['2024-01-31t10:15', '2024-01-31T10:15:00'], // RFC 3339, 5.6: T may be lower case
    ['2024-02-29T23:59:59.123', '2024-02-29T23:59:59.123'],
  ])
  refuses(test, Date.plainDateTime, [
    '2024-01-31 10:15:30',
    '2024-01-31',
    '2024-01-31T',
    '2023-02-29T10:15:30',
    '2024-01-31T24:00:00',
    '2024-01-31T10:15:30Z',
    '2024-01-31T10:15:30+01:00',
    '2024-01-31T10:15:30[Europe/Paris]',
  ])
  laws(test, Date.plainDateTime, anyDateTime)

  test('writes a value of another calendar as its ISO date', () =>
    assert.is(
      Date.plainDateTime.encode(PlainDateTime.from('2024-01-31T10:15').withCalendar('gregory')),
      '2024-01-31T10:15:00',
    ))
})

describe('instant', (test) => {
  reads(test, Date.instant, [
    ['2024-01-31T10:15:30Z', '2024-01-31T10:15:30Z'],
    ['2024-01-31t10:15:30z', '2024-01-31T10:15:30Z'],
    ['2024-01-31T10:15Z', '2024-01-31T10:15:00Z'],
    ['1985-04-12T23:20:50.52Z', '1985-04-12T23:20:50.52Z'], // RFC 3339, 5.8, the first two
    ['1996-12-19T16:39:57-08:00', '1996-12-20T00:39:57Z'],
    ['1937-01-01T12:00:27.87+00:20', '1937-01-01T11:40:27.87Z'], // the last
    ['2024-01-31T10:15:30-00:00', '2024-01-31T10:15:30Z'], // RFC 3339, 4.3
    ['2024-01-01T00:30:00+01:00', '2023-12-31T23:30:00Z'],
    ['-271821-04-20T00:00:00Z', '-271821-04-20T00:00:00Z'], // the first instant of Temporal
    ['+275760-09-13T00:00:00Z', '+275760-09-13T00:00:00Z'], // the last
  ])
  refuses(test, Date.instant, [
    '1990-12-31T23:59:60Z', // RFC 3339, 5.8: a leap second, which Temporal has not
    '1990-12-31T15:59:60-08:00',
    '2024-01-31T10:15:30',
    '2024-01-31T10:15:30+0100',
    '2024-01-31T10:15:30+01',
    '2024-01-31T10:15:30+24:00',
    '2024-01-31T10:15:30+01:60',
    '2024-01-31T10:15:30+01:00:30', // no zone has such an offset today
    '2024-01-31T10:15:30Z[UTC]',
    '2023-02-29T10:15:30Z',
    '+275760-09-13T00:00:01Z',
  ])
  laws(test, Date.instant, anyInstant)
})

describe('offsetDateTime', (test) => {
  reads(test, Date.offsetDateTime, [
    ['2024-01-31T10:15:30+01:00', '2024-01-31T10:15:30+01:00'],
    ['2024-01-31T10:15:30-09:30', '2024-01-31T10:15:30-09:30'],
    ['2024-01-31T10:15Z', '2024-01-31T10:15:00Z'],
    ['2024-01-31T10:15:30+00:00', '2024-01-31T10:15:30Z'],
    ['2024-01-31T10:15:30+23:59', '2024-01-31T10:15:30+23:59'],
  ])
  refuses(test, Date.offsetDateTime, [
    '2024-01-31T10:15:30',
    '2024-01-31T10:15:30+01:00[Europe/Paris]',
    '2024-02-30T10:15:30+01:00',
  ])
  laws(test, Date.offsetDateTime, atOffset)

  test('has the offset for its zone', () =>
    assert.equal(
      pipe(
        Date.offsetDateTime.decode('2024-01-31T10:15:30Z'),
        E.map(({ timeZoneId }) => timeZoneId),
      ),
      E.right('+00:00'),
    ))
  test('writes of another zone the offset alone', () =>
    assert.is(
      Date.offsetDateTime.encode(ZonedDateTime.from('2024-07-01T10:15:30+02:00[Europe/Paris]')),
      '2024-07-01T10:15:30+02:00',
    ))
})

describe('zonedDateTime', (test) => {
  reads(test, Date.zonedDateTime, [
    ['2024-01-31T10:15:30+01:00[Europe/Paris]', '2024-01-31T10:15:30+01:00[Europe/Paris]'],
    ['2024-07-01T10:15:30+02:00[Europe/Paris]', '2024-07-01T10:15:30+02:00[Europe/Paris]'],
    ['2024-10-27T02:30:00+02:00[Europe/Paris]', '2024-10-27T02:30:00+02:00[Europe/Paris]'], // the first half past two
    ['2024-10-27T02:30:00+01:00[Europe/Paris]', '2024-10-27T02:30:00+01:00[Europe/Paris]'], // the second
    ['2024-01-31T10:15:30+01:00[europe/paris]', '2024-01-31T10:15:30+01:00[Europe/Paris]'],
    ['1890-01-31T10:15:30+00:09:21[Europe/Paris]', '1890-01-31T10:15:30+00:09:21[Europe/Paris]'],
    ['2024-01-31T10:15:30Z[UTC]', '2024-01-31T10:15:30Z[UTC]'],
    ['2024-01-31T10:15:30+00:00[Europe/London]', '2024-01-31T10:15:30Z[Europe/London]'],
    ['2024-01-31T10:15:30-05:00[Etc/GMT+5]', '2024-01-31T10:15:30-05:00[Etc/GMT+5]'],
    ['2024-01-31T10:15:30+01:00[+01:00]', '2024-01-31T10:15:30+01:00'],
    ['2024-01-31T10:15:30+01:00', '2024-01-31T10:15:30+01:00'],
    ['2024-01-31T10:15Z', '2024-01-31T10:15:00Z'],
  ])
  refuses(test, Date.zonedDateTime, [
    '2024-01-31T10:15:30+02:00[Europe/Paris]', // not its offset on that day
    '2024-03-31T02:30:00+01:00[Europe/Paris]', // left out by the clocks
    '2024-03-31T02:30:00+02:00[Europe/Paris]',
    '1890-01-31T10:15:30+00:09[Europe/Paris]', // not quite
    '2024-01-31T10:15:30+01:00[Europe/Atlantis]',
    '2024-01-31T10:15:30[Europe/Paris]',
    '2024-01-31T10:15:30+01:00[Europe/Paris][u-ca=iso8601]',
    '2024-01-31T10:15:30+01:00[!Europe/Paris]',
    '2024-01-31T10:15:30Z[Z]',
    '2024-01-31T10:15:30Z[]',
    '2024-01-31T10:15:30',
  ])
  laws(test, Date.zonedDateTime, zoned, (value) => [String(value), value.epochNanoseconds])
})

describe('offsetTime', (test) => {
  reads(test, Date.offsetTime, [
    ['10:15:30+01:00', '10:15:30+01:00'],
    ['10:15-09:30', '10:15:00-09:30'],
    ['10:15:30.25Z', '10:15:30.25Z'],
    ['10:15:30-00:00', '10:15:30Z'],
  ])
  refuses(test, Date.offsetTime, ['10:15:30', '10:15:30+1', '24:00Z', '10:15:60Z', '10:15 Z'])
  laws(test, Date.offsetTime, fc.record({ time: anyTime, offset: anyOffset }), (value) => [
    String(value.time),
    value.offset,
  ])

  test('has its zero written one way', () =>
    assert.equal(
      pipe(
        Date.offsetTime.decode('10:15:30Z'),
        E.map(({ offset }) => offset),
      ),
      E.right('+00:00'),
    ))
  test('is not anything else', () => {
    assert.not(Date.offsetTime.is(PlainTime.from('10:15')))
    assert.not(Date.offsetTime.is({ time: '10:15', offset: '+01:00' }))
    assert.not(Date.offsetTime.is(null))
  })
})

describe('year', (test) => {
  reads(test, Date.year, [
    ['2024', '2024'],
    ['0000', '0000'],
    ['-0044', '-0044'],
    ['+10000', '+10000'],
    ['+999999999', '+999999999'],
  ])
  refuses(test, Date.year, [
    '24',
    '10000',
    '+2024',
    '-0000',
    '-00000',
    '+1000000000',
    '2024-01',
    '2e3',
    '',
  ])
  laws(test, Date.year, fc.integer({ min: -999_999_999, max: 999_999_999 }), (value) => value)

  test('is a whole number', () => {
    assert.ok(Date.year.is(2024))
    assert.not(Date.year.is(2024.5))
    assert.not(Date.year.is(1e9))
    assert.not(Date.year.is('2024'))
  })
})

describe('yearMonth', (test) => {
  reads(test, Date.yearMonth, [
    ['2024-01', '2024-01'],
    ['-0001-12', '-0001-12'],
    ['+10000-12', '+10000-12'],
  ])
  refuses(test, Date.yearMonth, ['2024-13', '2024-00', '2024-1', '202401', '2024', '2024-01-01'])
  laws(
    test,
    Date.yearMonth,
    anyDate.map((value) => value.toPlainYearMonth()),
  )

  test('writes a value of another calendar as its ISO month', () =>
    assert.is(
      Date.yearMonth.encode(PlainYearMonth.from({ year: 2024, month: 1, calendar: 'gregory' })),
      '2024-01',
    ))
})
