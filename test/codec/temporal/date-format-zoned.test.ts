import * as fc from 'fast-check'
import {
  instant,
  offsetDateTime,
  offsetTime,
  zonedDateTime,
} from '../../../src/codec/temporal/date-time.ts'
import { temporal } from '../../../src/codec/temporal/temporal-api.ts'
import { anyInstant } from './date-time-tables.ts'
import { bothWays, roundTrips, failsWith, decodesOnly } from './date-format-tables.ts'
import { describe } from '../../support/describe.ts'

const { Instant } = temporal()

/** Instants from the years 1 to 9999, in seconds. */
const inCommonEra = fc
  .integer({ min: -62_135_510_400, max: 253_402_214_400 })
  .map((seconds) => Instant.fromEpochMilliseconds(seconds * 1000))

const anyZone = fc.constantFrom(
  'UTC',
  '+00:00',
  '-09:30',
  'Asia/Kolkata',
  'Etc/GMT+5',
  'Europe/Paris',
)

describe('dateFormat with offsetDateTime', (test) => {
  bothWays(test, offsetDateTime, [
    ['yyyy-MM-dd HH:mmX', '2024-01-31 10:15+01', '2024-01-31T10:15:00+01:00'],
    ['yyyy-MM-dd HH:mmX', '2024-01-31 10:15+0130', '2024-01-31T10:15:00+01:30'],
    ['yyyy-MM-dd HH:mmX', '2024-01-31 10:15Z', '2024-01-31T10:15:00Z'],
    ['yyyy-MM-dd HH:mm XX', '2024-01-31 10:15 -0930', '2024-01-31T10:15:00-09:30'],
    ['yyyy-MM-dd HH:mm XX', '2024-01-31 10:15 +0100', '2024-01-31T10:15:00+01:00'],
    ['yyyy-MM-dd HH:mm XXX', '2024-01-31 10:15 +01:00', '2024-01-31T10:15:00+01:00'],
    ['yyyy-MM-dd HH:mm XXXX', '2024-01-31 10:15 +0100', '2024-01-31T10:15:00+01:00'],
    ['yyyy-MM-dd HH:mm XXXXX', '2024-01-31 10:15 Z', '2024-01-31T10:15:00Z'],
    ['yyyy-MM-dd HH:mmx', '2024-01-31 10:15+00', '2024-01-31T10:15:00Z'],
    ['yyyy-MM-dd HH:mmxx', '2024-01-31 10:15+0000', '2024-01-31T10:15:00Z'],
    ['yyyy-MM-dd HH:mmxxx', '2024-01-31 10:15+00:00', '2024-01-31T10:15:00Z'],
    ['yyyy-MM-dd HH:mmZ', '2024-01-31 10:15+0000', '2024-01-31T10:15:00Z'],
    ['yyyy-MM-dd HH:mm ZZZ', '2024-01-31 10:15 -0930', '2024-01-31T10:15:00-09:30'],
    ['yyyy-MM-dd HH:mm ZZZZ', '2024-01-31 10:15 GMT', '2024-01-31T10:15:00Z'],
    ['yyyy-MM-dd HH:mm ZZZZ', '2024-01-31 10:15 GMT-09:30', '2024-01-31T10:15:00-09:30'],
    ['yyyy-MM-dd HH:mmZZZZZ', '2024-01-31 10:15Z', '2024-01-31T10:15:00Z'],
    ['yyyy-MM-dd HH:mmZZZZZ', '2024-01-31 10:15+01:00', '2024-01-31T10:15:00+01:00'],
    ['yyyy-MM-dd HH:mm O', '2024-01-31 10:15 GMT+1', '2024-01-31T10:15:00+01:00'],
    ['yyyy-MM-dd HH:mm O', '2024-01-31 10:15 GMT-11:30', '2024-01-31T10:15:00-11:30'],
    ['yyyy-MM-dd HH:mm O', '2024-01-31 10:15 GMT+10', '2024-01-31T10:15:00+10:00'],
    ['yyyy-MM-dd HH:mm OOOO', '2024-01-31 10:15 GMT+01:00', '2024-01-31T10:15:00+01:00'],
    ['EEE MMM dd HH:mm:ss Z yyyy', 'Wed Jan 31 10:15:30 +0100 2024', '2024-01-31T10:15:30+01:00'],
    ['yyyy-MM-dd HH:mm[XXX][XX][X]', '2024-01-31 10:15+01:00', '2024-01-31T10:15:00+01:00'],
  ])
  decodesOnly(test, offsetDateTime, [
    ['yyyy-MM-dd HH:mmXXX', '2024-01-31 10:15+00:00', '2024-01-31T10:15:00Z'],
    ['yyyy-MM-dd HH:mmXXX', '2024-01-31 10:15-00:00', '2024-01-31T10:15:00Z'],
    ['yyyy-MM-dd HH:mmX', '2024-01-31 10:15+0100', '2024-01-31T10:15:00+01:00'],
    ['yyyy-MM-dd HH:mm[XXX][XX][X]', '2024-01-31 10:15+0100', '2024-01-31T10:15:00+01:00'],
    ['yyyy-MM-dd HH:mm[XXX][XX][X]', '2024-01-31 10:15+01', '2024-01-31T10:15:00+01:00'],
    ["yyyy-MM-dd'T'HH:mm[:ss]XXX", '2024-01-31T10:15Z', '2024-01-31T10:15:00Z'],
    ['yyyy-MM-dd HH:mm O', '2024-01-31 10:15 GMT+01:30', '2024-01-31T10:15:00+01:30'],
  ])
  failsWith(test, offsetDateTime, [
    ['yyyy-MM-dd HH:mmX', '2024-01-31 10:15+01:00'],
    ['yyyy-MM-dd HH:mmX', '2024-01-31 10:15z'],
    ['yyyy-MM-dd HH:mmXX', '2024-01-31 10:15+01'],
    ['yyyy-MM-dd HH:mmXXX', '2024-01-31 10:15+0100'],
    ['yyyy-MM-dd HH:mmXXX', '2024-01-31 10:15+24:00'],
    ['yyyy-MM-dd HH:mmx', '2024-01-31 10:15Z'],
    ['yyyy-MM-dd HH:mmZ', '2024-01-31 10:15+01:00'],
    ['yyyy-MM-dd HH:mmZ', '2024-01-31 10:15Z'],
    ['yyyy-MM-dd HH:mm O', '2024-01-31 10:15 GMT+24'],
    ['yyyy-MM-dd HH:mm O', '2024-01-31 10:15 +1'],
    ['yyyy-MM-dd HH:mm[XXX][XX]', '2024-01-31 10:15'], // no offset
    ['yyyy-MM-dd HH:mm[XXX][XX]', '2024-01-31 10:15+01:00+0100'],
  ])
  roundTrips(
    test,
    offsetDateTime,
    fc
      .tuple(inCommonEra, fc.constantFrom('+00:00', '+14:00', '-09:30', '-00:01'))
      .map(([value, offset]) => value.toZonedDateTimeISO(offset)),
    ['yyyyMMddHHmmssX', 'dd/MM/yyyy h:mm:ss a xxx', "EEEE dd/MM/yyyy HH'h'mm:ssXXXX"],
  )
})

describe('dateFormat with zonedDateTime', (test) => {
  bothWays(test, zonedDateTime, [
    [
      'dd/MM/yyyy HH:mm VV',
      '31/01/2024 10:15 Europe/Paris',
      '2024-01-31T10:15:00+01:00[Europe/Paris]',
    ],
    ['dd/MM/yyyy HH:mm z', '31/01/2024 10:15 UTC', '2024-01-31T10:15:00Z[UTC]'],
    ['dd/MM/yyyy HH:mm z', '31/01/2024 10:15 GMT', '2024-01-31T10:15:00Z[GMT]'],
    ['dd/MM/yyyy HH:mm VV', '31/01/2024 10:15 +05:30', '2024-01-31T10:15:00+05:30'],
    ['dd/MM/yyyy HH:mm VV', '31/01/2024 10:15 Z', '2024-01-31T10:15:00Z'],
    ['dd/MM/yyyy HH:mm XXX', '31/01/2024 10:15 +05:30', '2024-01-31T10:15:00+05:30'],
    [
      "dd/MM/yyyy HH:mmXXX'['VV']'",
      '27/10/2024 02:30+01:00[Europe/Paris]', // the second 02:30
      '2024-10-27T02:30:00+01:00[Europe/Paris]',
    ],
    [
      'dd/MM/yyyy HH:mm:ssXXXXX VV',
      '31/01/1890 10:15:30+00:09:21 Europe/Paris',
      '1890-01-31T10:15:30+00:09:21[Europe/Paris]',
    ],
    [
      'dd/MM/yyyy HH:mm:ssXXXX VV',
      '31/01/1890 10:15:30+000921 Europe/Paris',
      '1890-01-31T10:15:30+00:09:21[Europe/Paris]',
    ],
    [
      'dd/MM/yyyy HH:mm VV',
      '27/10/2024 02:30 Europe/Paris', // the earlier of two
      '2024-10-27T02:30:00+02:00[Europe/Paris]',
    ],
  ])
  failsWith(test, zonedDateTime, [
    ['dd/MM/yyyy HH:mm VV', '31/03/2024 02:30 Europe/Paris'], // skipped by the clocks
    ['dd/MM/yyyy HH:mm VV', '30/12/2011 10:15 Pacific/Apia'], // a day that the zone skipped
    ['dd/MM/yyyy HH:mm VV', '31/01/2024 10:15 Europe/Atlantis'],
    ['dd/MM/yyyy HH:mm VV', '31/01/2024 10:15 20240131T1015Z'],
    ['dd/MM/yyyy HH:mm VV', '31/01/2024 10:15 2024-01-31T10:15Z'], // Temporal extracts the zone from it
    ['dd/MM/yyyy HH:mmXXX VV', '31/01/2024 10:15+02:00 Europe/Paris'],
  ])
  roundTrips(
    test,
    zonedDateTime,
    fc.tuple(inCommonEra, anyZone).map(([value, zone]) => value.toZonedDateTimeISO(zone)),
    ["yyyy-MM-dd'T'HH:mm:ssXXXXX'['VV']'", 'VVEEE, dd MMM yyyy hh:mm:ss a XXXXX'],
  )
})

describe('dateFormat with instant', (test) => {
  bothWays(test, instant, [
    ['dd/MM/yyyy HH:mm:ssX', '31/01/2024 10:15:30Z', '2024-01-31T10:15:30Z'],
    ['dd/MM/yyyy HH:mm:ss xxx', '31/01/2024 10:15:30 +00:00', '2024-01-31T10:15:30Z'],
    ['dd/MM/yyyy HH:mm:ss z', '31/01/2024 10:15:30 UTC', '2024-01-31T10:15:30Z'],
    ['EEE, dd MMM yyyy HH:mm:ss z', 'Sun, 06 Nov 1994 08:49:37 UTC', '1994-11-06T08:49:37Z'],
  ])
  decodesOnly(test, instant, [
    ['dd/MM/yyyy HH:mm:ssX', '01/01/2024 00:30:00+01', '2023-12-31T23:30:00Z'],
    ['E dd/MM/yyyy HH:mm:ssX', 'Mon 01/01/2024 00:30:00+01', '2023-12-31T23:30:00Z'], // Monday at that offset
    ['dd/MM/yyyy HH:mm z', '01/07/2024 02:00 Europe/Paris', '2024-07-01T00:00:00Z'],
  ])
  failsWith(test, instant, [['E dd/MM/yyyy HH:mm:ssX', 'Sun 01/01/2024 00:30:00+01']])
  roundTrips(test, instant, anyInstant, [
    'yyyy-MM-dd HH:mm:ss.SSSSSSSSSX',
    'yyyyMMddHHmmssSSSSSSSSSVV',
  ])
})

describe('dateFormat with offsetTime', (test) => {
  bothWays(test, offsetTime, [
    ['HH:mmXXX', '10:15+02:00', '10:15:00+02:00'],
    ['h:mm a X', '1:15 PM Z', '13:15:00Z'],
  ])
  failsWith(test, offsetTime, [['HH:mmXXX', '25:15+02:00']])
})
