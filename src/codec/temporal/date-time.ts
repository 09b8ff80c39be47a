/**
 * Codecs for dates and times. The text format is ISO 8601, as in java.time. Examples are `2024-01-31`, `10:15:30` and
 * `2024-01-31T10:15:30+01:00[Europe/Paris]`.
 *
 * Decoding also accepts what RFC 3339, RFC 9557 and common writers use: lower-case `t` and `z`, a space instead of `T`, offsets such as
 * `+0100` and `+01`, a comma before the fraction, and tags such as `[u-ca=iso8601]`. As in Temporal, a leap second is decoded as second
 * 59. Dates and times without separators are rejected. A year with more than four digits requires a sign.
 *
 * Values that use other calendars are encoded as dates in the ISO calendar, and tags with another calendar are ignored.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3339#section-5.6
 * @see https://www.rfc-editor.org/rfc/rfc9557#section-4
 */
import type { Temporal } from 'temporal-polyfill'
import { type DateFields, setDate, setEpochTime, setTime } from './calendar.ts'
import { fromString } from '../from-string.ts'
import { type DateCodec, type DateKind, dateCodec } from './date-codec.ts'
import { type TextFormat, textFormat } from './text-format.ts'
import {
  epochTimeFromFields,
  instantFromFields,
  instantToFields,
  zonedFromFields,
  zonedToFields,
} from './exact-time.ts'
import { type DateElement, literal, number, time, year as yearElement } from './date-elements.ts'
import {
  extendedOffsetSeconds,
  formatOffset,
  ignoredTimeZone,
  isoOffset,
  parseOffset,
  suffixTags,
  timeZoneSuffix,
  zuluOffset,
} from './offset-elements.ts'
import { construct, inIsoCalendar, isTemporal, rejectOverflow } from './temporal-api.ts'

const yyyyMM = [yearElement(4), literal('-'), number('month', 2)]
export const yyyyMMdd = [...yyyyMM, literal('-'), number('day', 2)]

/** The letter or space between date and time. */
const separator: DateElement = {
  source: '[Tt ]',
  digits: 'none',
  read: () => undefined,
  write: () => 'T',
}

export const isoLocal = [...yyyyMMdd, separator, time]
export const offsetFromUtc = zuluOffset(isoOffset, { ignoreCase: true })

/** The elements of an exact time, whose time zone is ignored. */
export const isoInstant = [...isoLocal, offsetFromUtc, ignoredTimeZone]

/** Creates a text format for ISO 8601, with the tags of RFC 9557 at the end. */
const iso = (...elements: ReadonlyArray<DateElement>): TextFormat =>
  textFormat([...elements, suffixTags])

/**
 * A codec for a date such as `2024-01-31`.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { plainDate } from 'espalier'
 *
 * const leapDay = plainDate.decode('2024-02-29')
 *
 * assert.deepEqual(pipe(leapDay, E.map(plainDate.encode)), E.right('2024-02-29'))
 * assert.ok(E.isLeft(plainDate.decode('2023-02-29'))) // not adjusted to an existing day
 * assert.ok(E.isLeft(plainDate.decode('20240229')))
 * ```
 */
export const plainDate: DateCodec<Temporal.PlainDate> = dateCodec(
  {
    name: 'plainDate',
    requires: ['y', 'M', 'd'],
    allows: 'EQ',
    is: isTemporal('PlainDate'),
    fromFields: (fields) => construct(({ PlainDate }) => PlainDate.from(fields, rejectOverflow)),
    toFields: (fields, value) => setDate(fields, inIsoCalendar(value)),
  },
  iso(...yyyyMMdd),
)

const plainTimeFromFields = (fields: DateFields): Temporal.PlainTime | undefined =>
  construct(({ PlainTime }) => PlainTime.from(fields, rejectOverflow))

/**
 * A codec for a time of day. The encoded text always contains seconds. If the fraction of a second is not zero, the text also
 * contains a fraction with up to nine digits.
 *
 * ```text
 * input          encoded
 * 10:15          10:15:00
 * 10:15:30       10:15:30
 * 10:15:30.500   10:15:30.5
 * 10:15:30,5     10:15:30.5
 * 23:59:60       23:59:59
 * 24:00          fails
 * ```
 */
export const plainTime: DateCodec<Temporal.PlainTime> = dateCodec(
  {
    name: 'plainTime',
    requires: ['Hh'],
    allows: 'amsS',
    is: isTemporal('PlainTime'),
    fromFields: plainTimeFromFields,
    toFields: setTime,
  },
  iso(time),
)

/** A codec for a date and time such as `2024-01-31T10:15:30`. Rejects text with an offset or a time zone. */
export const plainDateTime: DateCodec<Temporal.PlainDateTime> = dateCodec(
  {
    name: 'plainDateTime',
    requires: ['y', 'M', 'd', 'Hh'],
    allows: 'EQamsS',
    is: isTemporal('PlainDateTime'),
    fromFields: (fields) =>
      construct(({ PlainDateTime }) => PlainDateTime.from(fields, rejectOverflow)),
    toFields: (fields, value) => {
      setDate(fields, inIsoCalendar(value))
      setTime(fields, value)
    },
  },
  iso(...isoLocal),
)

/**
 * A codec for a date and time with a time zone, such as `2024-01-31T10:15:30+01:00[Europe/Paris]`. If the text contains no time
 * zone in brackets, the offset is used as the time zone.
 *
 * ```text
 * 2024-01-31T10:15:30+01:00[Europe/Paris]   in Europe/Paris
 * 2024-01-31T09:15:30Z[Europe/Paris]        the same
 * 2024-01-31T10:15:30+01:00                 in the zone +01:00
 * 2024-01-31T10:15:30+02:00[Europe/Paris]   fails: the zone has +01:00 at that time
 * 2024-01-31T10:15:30                       fails
 * ```
 */
export const zonedDateTime: DateCodec<Temporal.ZonedDateTime> = dateCodec(
  {
    name: 'zonedDateTime',
    requires: ['y', 'M', 'd', 'Hh', 'XV'],
    allows: 'EQamsSXV',
    is: isTemporal('ZonedDateTime'),
    fromFields: zonedFromFields,
    toFields: zonedToFields,
  },
  iso(...isoLocal, offsetFromUtc, timeZoneSuffix),
)

/**
 * A codec for a date and time with an offset, such as `2024-01-31T10:15:30+01:00`. The offset is used as the time zone.
 *
 * The encoded text contains only the offset, even if the value has a named time zone. Decoding rejects a time zone in brackets.
 */
export const offsetDateTime: DateCodec<Temporal.ZonedDateTime> = dateCodec(
  {
    name: 'offsetDateTime',
    requires: ['y', 'M', 'd', 'Hh', 'X'],
    allows: 'EQamsS',
    is: isTemporal('ZonedDateTime'),
    fromFields: zonedFromFields,
    toFields: zonedToFields,
  },
  iso(...isoLocal, offsetFromUtc),
)

/**
 * A codec for an instant such as `2024-01-31T10:15:30Z`. Decoding accepts any offset, and ignores a time zone in brackets unless it is
 * critical, as in `[!Europe/Paris]`. The encoded text is in UTC.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import { instant } from 'espalier'
 *
 * const read = instant.decode('2024-01-31T10:15:30+01:00')
 *
 * assert.deepEqual(pipe(read, E.map(instant.encode)), E.right('2024-01-31T09:15:30Z'))
 * assert.ok(E.isLeft(instant.decode('2024-01-31T10:15:30'))) // missing offset
 * ```
 */
export const instant: DateCodec<Temporal.Instant> = dateCodec(
  {
    name: 'instant',
    requires: ['y', 'M', 'd', 'Hh', 'XV'],
    allows: 'EQamsSXV',
    is: isTemporal('Instant'),
    fromFields: instantFromFields,
    toFields: instantToFields,
  },
  iso(...isoInstant),
)

/** A time of day with an offset from UTC. Temporal has no class for such values. */
export interface OffsetTime {
  readonly time: Temporal.PlainTime
  /** An offset such as `+02:00`. An offset of zero is `+00:00`. */
  readonly offset: string
}

const isPlainTime = isTemporal('PlainTime')

const isOffsetTime = (value: unknown): value is OffsetTime =>
  typeof value === 'object' &&
  value !== null &&
  'time' in value &&
  isPlainTime(value.time) &&
  'offset' in value &&
  typeof value.offset === 'string'

/** A codec for a time of day with an offset, such as `10:15:30+01:00` or `10:15:30Z`. The offset is required. */
export const offsetTime: DateCodec<OffsetTime> = dateCodec(
  {
    name: 'offsetTime',
    requires: ['Hh', 'X'],
    allows: 'amsS',
    is: isOffsetTime,
    fromFields: (fields) => {
      const value = plainTimeFromFields(fields)
      return (
        value && { time: value, offset: formatOffset(fields.offset ?? 0, extendedOffsetSeconds) }
      )
    },
    toFields: (fields, { time: value, offset }) => {
      setTime(fields, value)
      fields.offset = parseOffset(offset)
    },
  },
  iso(time, offsetFromUtc),
)

/**
 * A codec for a year in the proleptic ISO calendar. Values are encoded as strings with four to nine digits, even in JSON. The
 * year 0 is 1 BC.
 *
 * ```text
 * 2024     2024
 * -0001    -1
 * +12024   12024
 * 12024    fails: more than four digits require a sign
 * 24       fails
 * ```
 */
export const year: DateCodec<number> = dateCodec(
  {
    name: 'year',
    requires: ['y'],
    allows: '',
    is: (value): value is number =>
      typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 1e9,
    fromFields: (fields) => fields.year,
    toFields: (fields, value) => {
      fields.year = value
    },
  },
  textFormat([yearElement(4)]),
)

/** A codec for a year and month such as `2024-01`. Rejects text such as `2024-1` and `2024-13`. */
export const yearMonth: DateCodec<Temporal.PlainYearMonth> = dateCodec(
  {
    name: 'yearMonth',
    requires: ['y', 'M'],
    allows: 'Q',
    is: isTemporal('PlainYearMonth'),
    fromFields: (fields) =>
      construct(({ PlainYearMonth }) => PlainYearMonth.from(fields, rejectOverflow)),
    toFields: (fields, value) => {
      const { year: y, month: M } =
        value.calendarId === 'iso8601' ? value : inIsoCalendar(value.toPlainDate({ day: 1 }))
      fields.year = y
      fields.month = M
    },
  },
  iso(...yyyyMM),
)

const dateTime = iso(...isoInstant)
const dateOnly = iso(...yyyyMMdd)

const dateKind: DateKind<Date> = {
  name: 'date',
  requires: ['y', 'M', 'd', 'Hh', 'XV'],
  allows: 'EQamsSXV',
  is: (value): value is Date =>
    Object.prototype.toString.call(value) === '[object Date]' && !Number.isNaN(Number(value)),
  fromFields: (fields) => {
    const epoch = epochTimeFromFields(fields)
    return epoch && new Date(epoch.milliseconds)
  },
  toFields: (fields, value) =>
    setEpochTime(fields, { milliseconds: value.getTime(), nanoseconds: 0 }),
}

/** Parses a date and time with an offset, or a date, which is midnight in UTC as in ECMAScript. */
const parseFields = (text: string): DateFields | undefined => {
  const fields = dateTime.parse(text)
  if (fields !== undefined) return fields
  const day = dateOnly.parse(text)
  return day && { ...day, offset: 0 }
}

/**
 * A codec for a `Date`, the class of JavaScript, encoded as ISO 8601 text in UTC, as in `2024-01-31T10:15:30.000Z`. Decoding accepts any
 * offset. Unlike the other codecs for dates and times, it does not need `Temporal`.
 *
 * A date without a time is decoded as midnight in UTC. A time without an offset is rejected, because its meaning would depend
 * on the time zone of the server. A `Date` has a precision of milliseconds, so further digits are dropped. Use {@link instant}
 * to keep them.
 *
 * Invalid `Date` values cannot be encoded.
 *
 * ```text
 * 2024-01-31T10:15:30.5Z        2024-01-31T10:15:30.500Z
 * 2024-01-31T10:15+01:00        2024-01-31T09:15:00.000Z
 * 2024-01-31 10:15:30+0100      2024-01-31T09:15:30.000Z
 * 2024-01-31                    2024-01-31T00:00:00.000Z
 * 2024-01-31T10:15:30           fails, as do 31 Jan 2024 and 1706696130000
 * ```
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { date } from 'espalier'
 *
 * const read = date.decode('2024-01-31T10:15:30+01:00')
 *
 * assert.deepEqual(read, E.right(new Date('2024-01-31T09:15:30Z')))
 * assert.equal(date.encode(new Date(0)), '1970-01-01T00:00:00.000Z')
 * assert.ok(E.isLeft(date.decode('2024-02-30')))
 * ```
 */
export const date: DateCodec<Date> = Object.assign(
  fromString(
    dateKind.name,
    (text) => {
      const fields = parseFields(text)
      return fields && dateKind.fromFields(fields)
    },
    (value) => value.toISOString(),
    dateKind.is,
  ),
  { kind: dateKind },
)
