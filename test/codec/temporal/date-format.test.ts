import * as E from 'fp-ts/lib/Either.js'
import * as assert from 'uvu/assert'
import { defaultFields } from '../../../src/codec/temporal/calendar.ts'
import * as DatePattern from '../../../src/codec/temporal/date-format.ts'
import { describe, table } from '../../support/describe.ts'
import * as fc from 'fast-check'
import { pipe } from 'fp-ts/lib/function.js'
import {
  plainDate,
  plainDateTime,
  plainTime,
  year,
  yearMonth,
} from '../../../src/codec/temporal/date-time.ts'
import { dateFormat } from '../../../src/codec/temporal/date-format.ts'
import { temporal } from '../../../src/codec/temporal/temporal-api.ts'
import { anyDate, anyTime } from './date-time-tables.ts'
import { bothWays, roundTrips, failsWith, decodesOnly } from './date-format-tables.ts'

const fields = {
  ...defaultFields(),
  year: 2024,
  month: 2,
  day: 3,
  dayOfWeek: 6,
  hour: 16,
  minute: 5,
  second: 7,
  millisecond: 89,
  offset: 19_800,
  timeZone: 'Asia/Kolkata',
}

/** Formats each part as its letter and its output, or as its error. */
const parts = (pattern: string): ReadonlyArray<string> =>
  DatePattern.parse(pattern).map(
    E.match(
      (error) => `! ${error}`,
      (part) => (typeof part === 'object' ? `${part.letters ?? ''}:${part.write(fields)}` : part),
    ),
  )

describe('DatePattern.parse', (test) => {
  table(
    test,
    [
      [
        'y yy yyy yyyy yyyyy',
        ['y:2024', ': ', 'y:24', ': ', 'y:2024', ': ', 'y:2024', ': ', 'y:02024'],
      ],
      ['u', ['y:2024']],
      ['M,MM,MMM,MMMM', ['M:2', ':,', 'M:02', ':,', 'M:Feb', ':,', 'M:February']],
      ['d-dd', ['d:3', ':-', 'd:03']],
      ['EEEE E', ['E:Saturday', ': ', 'E:Sat']],
      ['HH:mm:ss', ['H:16', '::', 'm:05', '::', 's:07']],
      ['h a', ['h:4', ': ', 'a:PM']],
      ['hh', ['h:04']],
      ['S.SS.SSS.SSSSSSSSS', ['S:0', ':.', 'S:08', ':.', 'S:089', ':.', 'S:089000000']],
      ['X/XX/XXX', ['X:+0530', ':/', 'X:+0530', ':/', 'X:+05:30']],
      ['x', ['X:+0530']],
      ['VV(z)', ['V:Asia/Kolkata', ':(', 'V:Asia/Kolkata', ':)']],
      ["'at' H", [':at', ': ', 'H:16']],
      ["h 'o''clock'", ['h:4', ': ', ":o'clock"]],
      ["''yy", [":'", 'y:24']],
      ["''''", [":'"]],
      ["'[yy]'", [':[yy]']],
      ['', []],
      ['b', ['! invalid pattern letters b: put literal text in quotes']],
      ['ddd', ['! invalid pattern letters ddd: put literal text in quotes']],
      ['V', ['! invalid pattern letters V: put literal text in quotes']],
      ['MMMMM', ['! invalid pattern letters MMMMM: put literal text in quotes']],
      ['T', ['! invalid pattern letters T: put literal text in quotes']],
      ["H'h", ['H:16', '! unclosed quote', 'h:4']],
      ['H[', ['H:16', '[']],
      ['H{', ['H:16', '! { is reserved: put it in quotes']],
    ] as const,
    (pattern, expected) => assert.equal(parts(pattern), [...expected]),
  )
})

const { PlainDate, PlainDateTime } = temporal()

/** Dates from 2000 to 2099. */
const thisCentury = fc.nat(36_524).map((days) => PlainDate.from('2000-01-01').add({ days }))

/** Dates and times from the years 1 to 9999, in seconds. */
const commonEra = fc
  .nat(315_537_897_599)
  .map((seconds) => PlainDateTime.from('0001-01-01').add({ seconds }))

describe('dateFormat with plainDate', (test) => {
  bothWays(test, plainDate, [
    ['dd/MM/yyyy', '31/01/2024', '2024-01-31'],
    ['dd/MM/yyyy', '29/02/2024', '2024-02-29'],
    ['dd/MM/yyyy', '29/02/2000', '2000-02-29'],
    ['dd/MM/uuuu', '31/01/2024', '2024-01-31'],
    ['d/M/yyyy', '3/2/2024', '2024-02-03'],
    ['d/M/yyyy', '31/12/2024', '2024-12-31'],
    ['yyyyMMdd', '20240131', '2024-01-31'],
    ['ddMMyyyy', '31012024', '2024-01-31'],
    ['yyMMdd', '240131', '2024-01-31'],
    ['dd.MM.yy', '31.12.99', '2099-12-31'],
    ['dd.MM.yy', '01.01.00', '2000-01-01'],
    ['dd MMM yyyy', '31 Jan 2024', '2024-01-31'],
    ['MMMM d, yyyy', 'May 1, 2024', '2024-05-01'],
    ['EEE, d MMM yyyy', 'Wed, 31 Jan 2024', '2024-01-31'],
    ['EEEE dd MMMM yyyy', 'Thursday 29 February 2024', '2024-02-29'],
    ['dMMMy', '1May2024', '2024-05-01'],
    ["d 'of' MMMM''yy", "1 of May'24", '2024-05-01'],
    ['yyyy-MM-dd', '-0001-12-31', '-0001-12-31'],
    ['yyyy-MM-dd', '+10000-01-01', '+10000-01-01'],
    ['yyyyMMdd', '+100000101', '+10000-01-01'],
    ['y-MM-dd', '-1-12-31', '-0001-12-31'],
    ['y-MM-dd', '10000-01-01', '+10000-01-01'],
    ['yyy-MM-dd', '024-01-31', '0024-01-31'],
    ['yyyyy-MM-dd', '02024-01-31', '2024-01-31'],
    ['yyyy.MM(dd)*+?^$|\\', '2024.01(31)*+?^$|\\', '2024-01-31'],
    ['uuuu-DDD', '2024-031', '2024-01-31'],
    ['uuuuDDD', '2024366', '2024-12-31'],
    ['D. y', '60. 2024', '2024-02-29'],
    ['D. y', '60. 2023', '2023-03-01'],
    ['yy-DD', '24-05', '2024-01-05'],
    ['yyyy-DDD', '-0001-365', '-0001-12-31'],
    ['LL/dd/yyyy', '01/31/2024', '2024-01-31'],
    ['d LLLL yyyy', '31 January 2024', '2024-01-31'],
    ["yyyy-'Q'Q-MM-dd", '2024-Q1-03-31', '2024-03-31'],
    ['QQQ yyyy MM dd', 'Q2 2024 04 01', '2024-04-01'],
    ['qqqq, d MMM yyyy', '4th quarter, 31 Dec 2024', '2024-12-31'],
  ])
  decodesOnly(test, plainDate, [
    ['d/M/yyyy', '03/02/2024', '2024-02-03'],
    ['y-MM-dd', '0024-01-31', '0024-01-31'],
  ])
  failsWith(test, plainDate, [
    ['dd/MM/yyyy', '29/02/2023'],
    ['dd/MM/yyyy', '31/04/2024'],
    ['dd/MM/yyyy', '00/01/2024'],
    ['dd/MM/yyyy', '01/13/2024'],
    ['dd/MM/yyyy', '1/02/2024'],
    ['dd/MM/yyyy', '01/02/24'],
    ['dd/MM/yyyy', '01/02/10000'],
    ['dd/MM/yyyy', '2024-02-01'],
    ['dd/MM/yyyy', ' 01/02/2024'],
    ['dd/MM/yyyy', '01/02/2024\n'],
    ['dd/MM/yyyy', ''],
    ['d/M/yyyy', '001/1/2024'],
    ['dd.MM.yyyy', '01/02/2024'], // a dot is literal
    ['dd MMM yyyy', '31 jan 2024'],
    ['dd MMM yyyy', '31 January 2024'],
    ['dd MMM yyyy', '31 Foo 2024'],
    ['EEE dd MMM yyyy', 'Tue 31 Jan 2024'], // a Wednesday
    ['yyyy-MM-dd', '-0000-01-01'],
    ['uuuu-DDD', '2024-000'],
    ['uuuu-DDD', '2023-366'],
    ['uuuu-DDD', '2024-367'],
    ['uuuu-DDD', '2024-31'],
    ['QQQ yyyy MM dd', 'Q1 2024 04 01'], // April is in the second quarter
  ])
  roundTrips(test, plainDate, anyDate, [
    'dd/MM/yyyy',
    'd/M/y',
    'yyyyMMdd',
    'EEEE, MMMM d, yyyy',
    'dMMMy',
    'uuuu-DDD',
    'D.y QQQQ',
  ])
  roundTrips(test, plainDate, thisCentury, ['yyMMdd', 'E d.M.yy'])
})

describe('dateFormat with plainTime', (test) => {
  bothWays(test, plainTime, [
    ['HH:mm', '23:59', '23:59:00'],
    ['H.mm', '9.05', '09:05:00'],
    ['HH', '23', '23:00:00'],
    ['HHmmss', '235907', '23:59:07'],
    ['Hmm', '905', '09:05:00'],
    ['Hmm', '2305', '23:05:00'],
    ['hh:mm a', '12:00 AM', '00:00:00'], // midnight
    ['hh:mm a', '01:30 AM', '01:30:00'],
    ['hh:mm a', '12:30 PM', '12:30:00'], // half past noon
    ['hh:mm a', '11:59 PM', '23:59:00'],
    ['a h:mm', 'PM 3:05', '15:05:00'],
    ['a h:mm', 'AM 12:05', '00:05:00'],
    ['hmma', '305PM', '15:05:00'],
    ["h 'o''clock' a", "3 o'clock PM", '15:00:00'],
    ['HH:mm:ss.S', '10:15:30.5', '10:15:30.5'],
    ['HH:mm:ss.SSS', '10:15:30.050', '10:15:30.05'],
    ['HH:mm:ss,SSSSSSSSS', '10:15:30,000000001', '10:15:30.000000001'],
    ['HHmmssSSS', '101530005', '10:15:30.005'],
    ['kk:mm', '24:30', '00:30:00'],
    ['k:mm', '9:30', '09:30:00'],
    ['k:mm', '23:30', '23:30:00'],
    ['K:mm a', '0:30 PM', '12:30:00'],
    ['KK:mm a', '11:59 AM', '11:59:00'],
    ['A', '86399999', '23:59:59.999'],
    ['AAAAAAAA', '00000001', '00:00:00.001'],
    ['N', '36930000000001', '10:15:30.000000001'],
    ['HH:mm:ss.nnnnnnnnn', '10:15:30.000000005', '10:15:30.000000005'],
    ['HH:mm:ss n', '10:15:30 5', '10:15:30.000000005'],
  ])
  failsWith(test, plainTime, [
    ['HH:mm', '24:00'],
    ['HH:mm', '23:60'],
    ['HH:mm:ss', '23:59:60'],
    ['hh:mm a', '00:30 AM'],
    ['hh:mm a', '13:00 PM'],
    ['hh:mm a', '3:00 PM'],
    ['h:mm a', '0:30 AM'],
    ['h:mm a', '3:00 pm'],
    ['h:mm a', '3:00'],
    ['kk:mm', '00:30'],
    ['kk:mm', '25:30'],
    ['K:mm a', '12:30 PM'],
    ['A', '86400000'],
    ['N', '86400000000000'],
    ['HH:mm:ss.SSS', '10:15:30.05'],
    ['HH:mm:ss.SSS', '10:15:30.0500'],
  ])
  roundTrips(test, plainTime, anyTime, [
    'HH:mm:ss.SSSSSSSSS',
    'h:mm:ss.SSSSSSSSS a',
    'a hhmmssSSSSSSSSS',
    'HmmssSSSSSSSSS',
    'N',
    'K:mm:ss.nnnnnnnnn a',
    'k:mm:ss n',
  ])
  test('encoding drops units that the pattern does not contain', () =>
    assert.equal(
      pipe(plainTime.decode('10:15:59.999'), E.map(dateFormat('HH:mm')(plainTime).encode)),
      E.right('10:15'),
    ))
})

describe('dateFormat with plainDateTime', (test) => {
  bothWays(test, plainDateTime, [
    ['dd/MM/yyyy HH:mm', '31/01/2024 10:15', '2024-01-31T10:15:00'],
    ["yyyyMMdd'T'HHmmss", '20240131T101530', '2024-01-31T10:15:30'],
    ['yyyyMMddHHmmss', '20240131101530', '2024-01-31T10:15:30'],
    ['M/d/yy, h:mm a', '1/31/24, 12:15 PM', '2024-01-31T12:15:00'],
  ])
  failsWith(test, plainDateTime, [
    ['dd/MM/yyyy HH:mm', '29/02/2023 10:15'],
    ['EEE dd/MM/yyyy HH:mm', 'Thu 31/01/2024 10:15'],
  ])
  roundTrips(test, plainDateTime, commonEra, ['yyyyMMddHHmmss', 'E dd/MM/yyyy hh:mm:ss a'])
})

describe('dateFormat with year and yearMonth', (test) => {
  bothWays(test, year, [
    ['yy', '24', '2024'],
    ["'FY'y", 'FY2024', '2024'],
    ['y', '-44', '-0044'],
  ])
  bothWays(test, yearMonth, [
    ['MM/yyyy', '01/2024', '2024-01'],
    ['MMM yy', 'Dec 24', '2024-12'],
    ['yyyyMM', '202401', '2024-01'],
    ['LLLL yyyy', 'January 2024', '2024-01'],
  ])
  failsWith(test, yearMonth, [['MM/yyyy', '13/2024']])
})

describe('dateFormat with optional sections', (test) => {
  bothWays(test, plainDateTime, [
    ["yyyy-MM-dd'T'HH:mm[:ss]", '2024-01-31T10:15:30', '2024-01-31T10:15:30'],
    ['yyyy-MM-dd HH:mm[:ss[.SSS]]', '2024-01-31 10:15:30.250', '2024-01-31T10:15:30.25'],
  ])
  decodesOnly(test, plainDateTime, [
    ["yyyy-MM-dd'T'HH:mm[:ss]", '2024-01-31T10:15', '2024-01-31T10:15:00'],
    ['yyyy-MM-dd HH:mm[:ss[.SSS]]', '2024-01-31 10:15', '2024-01-31T10:15:00'],
    ['yyyy-MM-dd HH:mm[:ss[.SSS]]', '2024-01-31 10:15:30', '2024-01-31T10:15:30'],
    ["yyyy-MM-dd[' ']['T']HH", '2024-01-31 10', '2024-01-31T10:00:00'],
  ])
  bothWays(test, plainDate, [['[yyyy-MM-dd][dd/MM/yyyy]', '2024-01-31', '2024-01-31']])
  decodesOnly(test, plainDate, [['[yyyy-MM-dd][dd/MM/yyyy]', '31/01/2024', '2024-01-31']])
  failsWith(test, plainDateTime, [
    ['yyyy-MM-dd HH:mm[:ss[.SSS]]', '2024-01-31 10:15.250'],
    ['yyyy-MM-dd HH:mm[:ss]', '2024-01-31 10:15:'],
  ])
  failsWith(test, plainDate, [
    ['[yyyy-MM-dd][dd/MM/yyyy]', ''],
    ['[yyyy-MM-dd][dd/MM/yyyy]', '2024-01-3131/01/2024'],
  ])
  failsWith(test, plainTime, [['h:mm[ a]', '3:05']]) // morning or afternoon
})
