import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as assert from 'uvu/assert'
import * as Date from '../../../src/codec/temporal/date-time.ts'
import { temporal } from '../../../src/codec/temporal/temporal-api.ts'
import {
  anyInstant,
  anyOffset,
  anyTime,
  anyZoned,
  atAnyOffset,
  laws,
  decodesTo,
  failsFor,
} from './date-time-tables.ts'
import { describe } from '../../support/describe.ts'

const { PlainTime, ZonedDateTime } = temporal()

describe('instant', (test) => {
  decodesTo(test, Date.instant, [
    ['2024-01-31T10:15:30Z', '2024-01-31T10:15:30Z'],
    ['2024-01-31t10:15:30z', '2024-01-31T10:15:30Z'],
    ['2024-01-31T10:15Z', '2024-01-31T10:15:00Z'],
    ['1985-04-12T23:20:50.52Z', '1985-04-12T23:20:50.52Z'], // the first two examples of RFC 3339, 5.8
    ['1996-12-19T16:39:57-08:00', '1996-12-20T00:39:57Z'],
    ['1937-01-01T12:00:27.87+00:20', '1937-01-01T11:40:27.87Z'], // the last example
    ['2024-01-31T10:15:30-00:00', '2024-01-31T10:15:30Z'], // RFC 3339, 4.3
    ['2024-01-01T00:30:00+01:00', '2023-12-31T23:30:00Z'],
    ['1990-12-31T23:59:60Z', '1990-12-31T23:59:59Z'], // RFC 3339, 5.8: leap seconds
    ['1990-12-31T15:59:60.25-08:00', '1990-12-31T23:59:59.25Z'],
    ['2024-01-31T10:15:30.000000+0000', '2024-01-31T10:15:30Z'], // %z of strftime, java.util.Date of Jackson
    ['2024-01-31T10:15:30+0130', '2024-01-31T08:45:30Z'],
    ['2024-01-31T10:15:30-01', '2024-01-31T11:15:30Z'],
    ['2024-01-31 10:15:30.123456+00', '2024-01-31T10:15:30.123456Z'], // PostgreSQL
    ['2024-01-31 10:15:30+00:00', '2024-01-31T10:15:30Z'], // str() of Python
    ['2024-01-31T10:15:30.1234567Z', '2024-01-31T10:15:30.1234567Z'], // .NET
    ['2024-01-31T10:15:30,5Z', '2024-01-31T10:15:30.5Z'], // ISO 8601
    ['2024-01-31T10:15:30+0100[Europe/Paris]', '2024-01-31T09:15:30Z'], // java.time.ZonedDateTime
    ['2024-01-31T10:15:30+02:00[Europe/Paris]', '2024-01-31T08:15:30Z'], // RFC 9557, 3.4: may be ignored
    ['2024-01-31T09:15:30Z[!Europe/Paris]', '2024-01-31T09:15:30Z'],
    ['2024-01-31T10:15:30Z[Europe/Atlantis]', '2024-01-31T10:15:30Z'],
    ['2024-01-31T10:15:30Z[u-ca=gregory][x-foo=bar]', '2024-01-31T10:15:30Z'],
    ['2024-01-31T10:15:30Z[!u-ca=iso8601]', '2024-01-31T10:15:30Z'],
    ['+002024-01-31T10:15:30Z', '2024-01-31T10:15:30Z'], // ECMAScript
    ['-271821-04-20T00:00:00Z', '-271821-04-20T00:00:00Z'], // the first instant of Temporal
    ['+275760-09-13T00:00:00Z', '+275760-09-13T00:00:00Z'], // the last
  ])
  failsFor(test, Date.instant, [
    '2024-01-31T10:15:30',
    '2024-01-31T10:15:30[Europe/Paris]',
    '2024-01-31T10:15:30+24:00',
    '2024-01-31T10:15:30+2400',
    '2024-01-31T10:15:30+01:0',
    '2024-01-31T10:15:30+010',
    '2024-01-31T10:15:30+1',
    '2024-01-31T10:15:30 +01:00',
    '2024-01-31T10:15:30.1234567890Z', // ten digits
    '2024-01-31  10:15:30Z',
    '2024-01-31T10:15:61Z',
    '2024-01-31T10:15:30+02:00[!Europe/Paris]', // RFC 9557, 3.4: inconsistent and critical
    '2024-01-31T10:15:30Z[!foo=bar]', // RFC 9557, 3.3: unknown and critical
    '2024-01-31T10:15:30Z[!u-ca=gregory]',
    '2024-01-31T10:15:30Z[u-ca=iso8601][Europe/Paris]',
    '2024-01-31T10:15:30Z[]',
    '20240131T101530Z',
    '2024-01-31T10:15:30+01:60',
    '2024-01-31T10:15:30+01:00:30', // no zone has such an offset today
    '2023-02-29T10:15:30Z',
    '+275760-09-13T00:00:01Z',
  ])
  laws(test, Date.instant, anyInstant)
})

describe('offsetDateTime', (test) => {
  decodesTo(test, Date.offsetDateTime, [
    ['2024-01-31T10:15:30+01:00', '2024-01-31T10:15:30+01:00'],
    ['2024-01-31T10:15:30-09:30', '2024-01-31T10:15:30-09:30'],
    ['2024-01-31T10:15Z', '2024-01-31T10:15:00Z'],
    ['2024-01-31T10:15:30+00:00', '2024-01-31T10:15:30Z'],
    ['2024-01-31T10:15:30+23:59', '2024-01-31T10:15:30+23:59'],
    ['2024-01-31 10:15:30,25+0100', '2024-01-31T10:15:30.25+01:00'],
    ['2024-01-31T10:15:30-09', '2024-01-31T10:15:30-09:00'],
    ['2024-01-31T10:15:30+01:00[u-ca=iso8601]', '2024-01-31T10:15:30+01:00'],
  ])
  failsFor(test, Date.offsetDateTime, [
    '2024-01-31T10:15:30',
    '2024-01-31T10:15:30+01:00[Europe/Paris]',
    '2024-02-30T10:15:30+01:00',
  ])
  laws(test, Date.offsetDateTime, atAnyOffset)

  test('the zone of a decoded value is its offset', () =>
    assert.equal(
      pipe(
        Date.offsetDateTime.decode('2024-01-31T10:15:30Z'),
        E.map(({ timeZoneId }) => timeZoneId),
      ),
      E.right('+00:00'),
    ))
  test('encoding writes only the offset of other zones', () =>
    assert.is(
      Date.offsetDateTime.encode(ZonedDateTime.from('2024-07-01T10:15:30+02:00[Europe/Paris]')),
      '2024-07-01T10:15:30+02:00',
    ))
})

describe('zonedDateTime', (test) => {
  decodesTo(test, Date.zonedDateTime, [
    ['2024-01-31T10:15:30+01:00[Europe/Paris]', '2024-01-31T10:15:30+01:00[Europe/Paris]'],
    ['2024-07-01T10:15:30+02:00[Europe/Paris]', '2024-07-01T10:15:30+02:00[Europe/Paris]'],
    ['2024-10-27T02:30:00+02:00[Europe/Paris]', '2024-10-27T02:30:00+02:00[Europe/Paris]'], // the first 02:30
    ['2024-10-27T02:30:00+01:00[Europe/Paris]', '2024-10-27T02:30:00+01:00[Europe/Paris]'], // the second
    ['2024-01-31T10:15:30+01:00[europe/paris]', '2024-01-31T10:15:30+01:00[Europe/Paris]'],
    ['1890-01-31T10:15:30+00:09:21[Europe/Paris]', '1890-01-31T10:15:30+00:09:21[Europe/Paris]'],
    ['2024-01-31T10:15:30Z[UTC]', '2024-01-31T10:15:30Z[UTC]'],
    ['2024-01-31T10:15:30+00:00[Europe/London]', '2024-01-31T10:15:30Z[Europe/London]'],
    ['2024-01-31T10:15:30-05:00[Etc/GMT+5]', '2024-01-31T10:15:30-05:00[Etc/GMT+5]'],
    ['2024-01-31T10:15:30+01:00[+01:00]', '2024-01-31T10:15:30+01:00'],
    ['2024-01-31T10:15:30+0100[Europe/Paris]', '2024-01-31T10:15:30+01:00[Europe/Paris]'],
    ['2024-01-31T10:15:30+01[+0100]', '2024-01-31T10:15:30+01:00'],
    ['2024-01-31T10:15:30+01:00[!Europe/Paris]', '2024-01-31T10:15:30+01:00[Europe/Paris]'],
    ['2024-01-31T09:15:30Z[Europe/Paris]', '2024-01-31T10:15:30+01:00[Europe/Paris]'], // RFC 9557, 3.4
    ['2024-01-31T09:15:30-00:00[Europe/Paris]', '2024-01-31T10:15:30+01:00[Europe/Paris]'],
    [
      '2024-01-31T10:15:30+01:00[Europe/Paris][u-ca=iso8601]',
      '2024-01-31T10:15:30+01:00[Europe/Paris]',
    ],
    ['2024-01-31T10:15:30+01:00', '2024-01-31T10:15:30+01:00'],
    ['2024-01-31T10:15Z', '2024-01-31T10:15:00Z'],
  ])
  failsFor(test, Date.zonedDateTime, [
    '2024-01-31T10:15:30+02:00[Europe/Paris]', // not the offset on that day
    '2024-03-31T02:30:00+01:00[Europe/Paris]', // skipped by the clocks
    '2024-03-31T02:30:00+02:00[Europe/Paris]',
    '1890-01-31T10:15:30+00:09[Europe/Paris]', // the offset lacks seconds
    '2024-01-31T10:15:30+01:00[Europe/Atlantis]',
    '2024-01-31T10:15:30[Europe/Paris]',
    '2024-01-31T10:15:30+01:00[!Europe/Atlantis]',
    '2024-01-31T10:15:30+00:00[Europe/Paris]', // a local offset, unlike Z
    '2024-01-31T10:15:30+01:00[Europe/Paris][!u-ca=gregory]',
    '2024-01-31T10:15:30Z[Z]',
    '2024-01-31T10:15:30Z[]',
    '2024-01-31T10:15:30',
  ])
  laws(test, Date.zonedDateTime, anyZoned, (value) => [String(value), value.epochNanoseconds])
})

describe('offsetTime', (test) => {
  decodesTo(test, Date.offsetTime, [
    ['10:15:30+01:00', '10:15:30+01:00'],
    ['10:15-09:30', '10:15:00-09:30'],
    ['10:15:30.25Z', '10:15:30.25Z'],
    ['10:15:30-00:00', '10:15:30Z'],
    ['10:15:30,5+0100', '10:15:30.5+01:00'],
    ['23:59:60z', '23:59:59Z'],
    ['10:15-03', '10:15:00-03:00'],
  ])
  failsFor(test, Date.offsetTime, ['10:15:30', '10:15:30+1', '24:00Z', '10:15:61Z', '10:15 Z'])
  laws(test, Date.offsetTime, fc.record({ time: anyTime, offset: anyOffset }), (value) => [
    String(value.time),
    value.offset,
  ])

  test('encodes every zero offset as Z', () =>
    assert.equal(
      pipe(
        Date.offsetTime.decode('10:15:30Z'),
        E.map(({ offset }) => offset),
      ),
      E.right('+00:00'),
    ))
  test('is() is false for other values', () => {
    assert.not(Date.offsetTime.is(PlainTime.from('10:15')))
    assert.not(Date.offsetTime.is({ time: '10:15', offset: '+01:00' }))
    assert.not(Date.offsetTime.is(null))
  })
})
