import * as fc from 'fast-check'
import * as assert from 'uvu/assert'
import * as Date from '../../../src/codec/temporal/date-time.ts'
import { temporal } from '../../../src/codec/temporal/temporal-api.ts'
import { anyDate, anyDateTime, anyTime, laws, decodesTo, failsFor } from './date-time-tables.ts'
import { describe } from '../../support/describe.ts'

const { PlainDate, PlainDateTime, PlainYearMonth } = temporal()

describe('plainDate', (test) => {
  decodesTo(test, Date.plainDate, [
    ['2024-01-31', '2024-01-31'],
    ['2024-02-29', '2024-02-29'], // divisible by four
    ['2000-02-29', '2000-02-29'], // divisible by four hundred
    ['0000-02-29', '0000-02-29'], // 1 BC
    ['-0001-12-31', '-0001-12-31'],
    ['+10000-01-01', '+10000-01-01'],
    ['+002024-01-31', '2024-01-31'], // the notation of ECMAScript for long years
    ['-000001-12-31', '-0001-12-31'],
    ['+275760-09-13', '+275760-09-13'], // the last day of Temporal
  ])
  failsFor(test, Date.plainDate, [
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
    '+2024-01-31', // a sign for four digits, as in java.time
    '-0000-01-01', // negative zero
    '-000000-01-01',
    '+275760-09-14',
    '2024-031', // the day of the year
    '2024-W05-3',
    '2024-01-31T00:00:00',
    '2024-01-31Z',
    '2024-01-31[!u-ca=gregory]',
    '2024-01-31[Europe/Paris]',
    '2024-01-31[u-ca=]',
    ' 2024-01-31',
    '2024-01-31\n',
    '２０２４-01-31', // digits outside of ASCII
    '\u22122024-01-31', // U+2212 is a minus sign in ISO 8601
    '',
  ])
  laws(test, Date.plainDate, anyDate)

  test('encodes a date of another calendar as its ISO date', () =>
    assert.is(
      Date.plainDate.encode(PlainDate.from('2024-01-31').withCalendar('gregory')),
      '2024-01-31',
    ))
})

describe('plainTime', (test) => {
  decodesTo(test, Date.plainTime, [
    ['10:15:30', '10:15:30'],
    ['10:15', '10:15:00'],
    ['00:00', '00:00:00'],
    ['10:15:30.5', '10:15:30.5'],
    ['10:15:30.500', '10:15:30.5'],
    ['10:15:30.050', '10:15:30.05'],
    ['23:59:59.999999999', '23:59:59.999999999'],
    ['10:15:30.000000001', '10:15:30.000000001'],
    ['10:15:30,5', '10:15:30.5'], // ISO 8601
    ['10:15:60', '10:15:59'], // as in Temporal
    ['10:15[u-ca=iso8601]', '10:15:00'],
  ])
  failsFor(test, Date.plainTime, [
    '24:00',
    '10:60',
    '10:15:61',
    '10',
    '1015',
    '1:15',
    'T10:15',
    '10:15:30,',
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
  decodesTo(test, Date.plainDateTime, [
    ['2024-01-31T10:15:30', '2024-01-31T10:15:30'],
    ['2024-01-31t10:15', '2024-01-31T10:15:00'], // RFC 3339, 5.6: T may be lower case
    ['2024-02-29T23:59:59.123', '2024-02-29T23:59:59.123'],
    ['2024-01-31 10:15:30', '2024-01-31T10:15:30'], // RFC 3339, 5.6: a space
    ['2016-12-31T23:59:60', '2016-12-31T23:59:59'],
    ['2024-01-31T10:15[u-ca=hebrew]', '2024-01-31T10:15:00'], // RFC 9557, 3.3: elective
  ])
  failsFor(test, Date.plainDateTime, [
    '2024-01-31_10:15:30',
    '2024-01-31 ',
    '2024-01-31',
    '2024-01-31T',
    '2023-02-29T10:15:30',
    '2024-01-31T24:00:00',
    '2024-01-31T10:15:30Z',
    '2024-01-31T10:15:30+01:00',
    '2024-01-31T10:15:30[Europe/Paris]',
  ])
  laws(test, Date.plainDateTime, anyDateTime)

  test('encodes a value of another calendar as its ISO date', () =>
    assert.is(
      Date.plainDateTime.encode(PlainDateTime.from('2024-01-31T10:15').withCalendar('gregory')),
      '2024-01-31T10:15:00',
    ))
})

describe('year', (test) => {
  decodesTo(test, Date.year, [
    ['2024', '2024'],
    ['0000', '0000'],
    ['-0044', '-0044'],
    ['+10000', '+10000'],
    ['+999999999', '+999999999'],
  ])
  failsFor(test, Date.year, [
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

  test('is() requires an integer', () => {
    assert.ok(Date.year.is(2024))
    assert.not(Date.year.is(2024.5))
    assert.not(Date.year.is(1e9))
    assert.not(Date.year.is('2024'))
  })
})

describe('yearMonth', (test) => {
  decodesTo(test, Date.yearMonth, [
    ['2024-01', '2024-01'],
    ['-0001-12', '-0001-12'],
    ['+10000-12', '+10000-12'],
    ['2024-01[u-ca=iso8601]', '2024-01'],
  ])
  failsFor(test, Date.yearMonth, ['2024-13', '2024-00', '2024-1', '202401', '2024', '2024-01-01'])
  laws(
    test,
    Date.yearMonth,
    anyDate.map((value) => value.toPlainYearMonth()),
  )

  test('encodes a value of another calendar as its ISO month', () =>
    assert.is(
      Date.yearMonth.encode(PlainYearMonth.from({ year: 2024, month: 1, calendar: 'gregory' })),
      '2024-01',
    ))
})
