/**
 * Codecs of dates and times as ISO 8601 texts in the formats of java.time: `2024-01-31`, `10:15:30`,
 * `2024-01-31T10:15:30+01:00[Europe/Paris]`.
 *
 * Decoding accepts `t` and `z` in lower case. Other formats of Temporal fail: without separators, with calendar annotations,
 * with a leap second. A year of more than four digits requires a sign.
 *
 * Values of other calendars are encoded as ISO dates.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3339#section-5.6
 * @see https://www.rfc-editor.org/rfc/rfc9557#section-4
 */
import type { Temporal } from 'temporal-polyfill'
import { isDate, isMonth, isTime } from './calendar.ts'
import { type DateCodec, dateCodec } from './date-codec.ts'
import { type DateElement, literal, number, time, year as yearElement } from './date-elements.ts'
import { type DateFields, setDate, setTime } from './date-fields.ts'
import { type TextFormat, textFormat } from './text-format.ts'
import { isTemporal, temporal } from './temporal-api.ts'
import {
  instantFromFields,
  instantToFields,
  plainDateTimeFromFields,
  zonedFromFields,
  zonedToFields,
} from './exact-time.ts'
import { extendedOffsetSeconds, timeZoneSuffix, zuluOffset } from './zone-elements.ts'

const yyyyMM = [yearElement(4), literal('-'), number('month', 2)]
const yyyyMMdd = [...yyyyMM, literal('-'), number('day', 2)]
const isoLocal = [...yyyyMMdd, literal('T'), time]
const offsetFromUtc = zuluOffset(extendedOffsetSeconds)

const iso = (...elements: ReadonlyArray<DateElement>): TextFormat =>
  textFormat(elements, { ignoreCase: true })

const inIsoCalendar = <A extends { readonly calendarId: string; withCalendar(id: string): A }>(
  value: A,
): A => (value.calendarId === 'iso8601' ? value : value.withCalendar('iso8601'))

/**
 * A date such as `2024-01-31`.
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
    allows: 'E',
    is: isTemporal('PlainDate'),
    fromFields: (fields) =>
      isDate(fields)
        ? new (temporal().PlainDate)(fields.year, fields.month, fields.day)
        : undefined,
    toFields: (fields, value) => setDate(fields, inIsoCalendar(value)),
  },
  iso(...yyyyMMdd),
)

const plainTimeFromFields = (fields: DateFields): Temporal.PlainTime | undefined =>
  isTime(fields)
    ? new (temporal().PlainTime)(
        fields.hour,
        fields.minute,
        fields.second,
        fields.millisecond,
        fields.microsecond,
        fields.nanosecond,
      )
    : undefined

/**
 * A time of day. Encoding adds seconds, and up to nine digits of their fraction if it is not zero.
 *
 * ```text
 * decoded        encoded
 * 10:15          10:15:00
 * 10:15:30       10:15:30
 * 10:15:30.500   10:15:30.5
 * 24:00          fails
 * 23:59:60       fails
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

/** A date and time such as `2024-01-31T10:15:30`. Fails with an offset, and with a space instead of `T`. */
export const plainDateTime: DateCodec<Temporal.PlainDateTime> = dateCodec(
  {
    name: 'plainDateTime',
    requires: ['y', 'M', 'd', 'Hh'],
    allows: 'EamsS',
    is: isTemporal('PlainDateTime'),
    fromFields: plainDateTimeFromFields,
    toFields: (fields, value) => {
      setDate(fields, inIsoCalendar(value))
      setTime(fields, value)
    },
  },
  iso(...isoLocal),
)

/**
 * A date and time with a time zone, such as `2024-01-31T10:15:30+01:00[Europe/Paris]`. Without brackets, the zone is the offset.
 *
 * ```text
 * 2024-01-31T10:15:30+01:00[Europe/Paris]   in Europe/Paris
 * 2024-01-31T10:15:30+01:00                 in the zone +01:00
 * 2024-01-31T10:15:30+02:00[Europe/Paris]   fails: the zone has +01:00 at that time
 * 2024-01-31T10:15:30                       fails
 * ```
 */
export const zonedDateTime: DateCodec<Temporal.ZonedDateTime> = dateCodec(
  {
    name: 'zonedDateTime',
    requires: ['y', 'M', 'd', 'Hh', 'XV'],
    allows: 'EamsSXV',
    is: isTemporal('ZonedDateTime'),
    fromFields: zonedFromFields,
    toFields: zonedToFields,
  },
  iso(...isoLocal, offsetFromUtc, timeZoneSuffix),
)

/**
 * A `ZonedDateTime` with its offset as the zone, such as `2024-01-31T10:15:30+01:00`.
 *
 * Encoding writes only the offset, also for other zones. Decoding fails for a zone in brackets.
 */
export const offsetDateTime: DateCodec<Temporal.ZonedDateTime> = dateCodec(
  {
    name: 'offsetDateTime',
    requires: ['y', 'M', 'd', 'Hh', 'X'],
    allows: 'EamsS',
    is: isTemporal('ZonedDateTime'),
    fromFields: zonedFromFields,
    toFields: zonedToFields,
  },
  iso(...isoLocal, offsetFromUtc),
)

/**
 * An instant such as `2024-01-31T10:15:30Z`. Decoding accepts any offset; encoding writes UTC.
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
    allows: 'EamsSXV',
    is: isTemporal('Instant'),
    fromFields: instantFromFields,
    toFields: instantToFields,
  },
  iso(...isoLocal, offsetFromUtc),
)

/** A time of day with an offset from UTC. Temporal has no class for it. */
export interface OffsetTime {
  readonly time: Temporal.PlainTime
  /** An offset such as `+02:00`. Zero is `+00:00`. */
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

/** A time of day with an offset, such as `10:15:30+01:00` or `10:15:30Z`. Fails without an offset. */
export const offsetTime: DateCodec<OffsetTime> = dateCodec(
  {
    name: 'offsetTime',
    requires: ['Hh', 'X'],
    allows: 'amsS',
    is: isOffsetTime,
    fromFields: (fields) => {
      const value = plainTimeFromFields(fields)
      return value && { time: value, offset: fields.offset ?? '+00:00' }
    },
    toFields: (fields, { time: value, offset }) => {
      setTime(fields, value)
      fields.offset = offset
    },
  },
  iso(time, offsetFromUtc),
)

/**
 * A year of the proleptic ISO calendar as a text of four to nine digits, also in JSON. 0 is 1 BC.
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
  iso(yearElement(4)),
)

/** A year and month such as `2024-01`. Fails for `2024-1` and `2024-13`. */
export const yearMonth: DateCodec<Temporal.PlainYearMonth> = dateCodec(
  {
    name: 'yearMonth',
    requires: ['y', 'M'],
    allows: '',
    is: isTemporal('PlainYearMonth'),
    fromFields: (fields) =>
      isMonth(fields) ? new (temporal().PlainYearMonth)(fields.year, fields.month) : undefined,
    toFields: (fields, value) => {
      const { year: y, month: M } =
        value.calendarId === 'iso8601' ? value : inIsoCalendar(value.toPlainDate({ day: 1 }))
      fields.year = y
      fields.month = M
    },
  },
  iso(...yyyyMM),
)
