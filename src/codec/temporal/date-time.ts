/**
 * Codecs of dates and times, as ISO 8601 texts in the form that java.time gives them: `2024-01-31`, `10:15:30`,
 * `2024-01-31T10:15:30+01:00[Europe/Paris]`. `T` and `Z` may be read in lower case. What else Temporal reads is refused:
 * forms without separators, calendar annotations, a leap second. A year of more than four digits has a sign.
 *
 * A value of another calendar than ISO's is written as its ISO date.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3339#section-5.6
 * @see https://www.rfc-editor.org/rfc/rfc9557#section-4
 */
import type { Temporal } from 'temporal-polyfill'
import { isDate, isMonth, isTime } from './calendar.ts'
import { type DateCodec, dateCodec } from './date-codec.ts'
import { type DateElement, literal, number, time, year as yearElement } from './date-elements.ts'
import { type DateFields, setDate, setTime } from './date-fields.ts'
import { type DateForm, form } from './text-format.ts'
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

const iso = (...elements: ReadonlyArray<DateElement>): DateForm =>
  form(elements, { ignoreCase: true })

const inIsoCalendar = <A extends { readonly calendarId: string; withCalendar(id: string): A }>(
  value: A,
): A => (value.calendarId === 'iso8601' ? value : value.withCalendar('iso8601'))

/**
 * `2024-01-31`
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
 * assert.ok(E.isLeft(plainDate.decode('2023-02-29'))) // not moved to a day that there is
 * assert.ok(E.isLeft(plainDate.decode('20240229')))
 * ```
 */
export const plainDate: DateCodec<Temporal.PlainDate> = dateCodec(
  {
    name: 'plainDate',
    needs: ['y', 'M', 'd'],
    takes: 'E',
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
 * A time of day. Written with seconds, and with up to nine digits of their fraction when there is one.
 *
 * ```text
 * read           written
 * 10:15          10:15:00
 * 10:15:30       10:15:30
 * 10:15:30.500   10:15:30.5
 * 24:00          refused
 * 23:59:60       refused
 * ```
 */
export const plainTime: DateCodec<Temporal.PlainTime> = dateCodec(
  {
    name: 'plainTime',
    needs: ['Hh'],
    takes: 'amsS',
    is: isTemporal('PlainTime'),
    fromFields: plainTimeFromFields,
    toFields: setTime,
  },
  iso(time),
)

/** `2024-01-31T10:15:30`; the time as `plainTime` has it. With an offset or a space for the `T` it is refused. */
export const plainDateTime: DateCodec<Temporal.PlainDateTime> = dateCodec(
  {
    name: 'plainDateTime',
    needs: ['y', 'M', 'd', 'Hh'],
    takes: 'EamsS',
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
 * `2024-01-31T10:15:30+01:00[Europe/Paris]`; without brackets the zone is the offset.
 *
 * ```text
 * 2024-01-31T10:15:30+01:00[Europe/Paris]   in Europe/Paris
 * 2024-01-31T10:15:30+01:00                 in the zone +01:00
 * 2024-01-31T10:15:30+02:00[Europe/Paris]   refused: the zone has +01:00 then
 * 2024-01-31T10:15:30                       refused
 * ```
 */
export const zonedDateTime: DateCodec<Temporal.ZonedDateTime> = dateCodec(
  {
    name: 'zonedDateTime',
    needs: ['y', 'M', 'd', 'Hh', 'XV'],
    takes: 'EamsSXV',
    is: isTemporal('ZonedDateTime'),
    fromFields: zonedFromFields,
    toFields: zonedToFields,
  },
  iso(...isoLocal, offsetFromUtc, timeZoneSuffix),
)

/**
 * `2024-01-31T10:15:30+01:00`, a `ZonedDateTime` whose zone is the offset. Of another one the offset alone is written. A
 * text with a zone in brackets is refused.
 */
export const offsetDateTime: DateCodec<Temporal.ZonedDateTime> = dateCodec(
  {
    name: 'offsetDateTime',
    needs: ['y', 'M', 'd', 'Hh', 'X'],
    takes: 'EamsS',
    is: isTemporal('ZonedDateTime'),
    fromFields: zonedFromFields,
    toFields: zonedToFields,
  },
  iso(...isoLocal, offsetFromUtc),
)

/**
 * `2024-01-31T10:15:30Z`; read with any offset, written in UTC.
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
 * assert.ok(E.isLeft(instant.decode('2024-01-31T10:15:30'))) // no offset, no instant
 * ```
 */
export const instant: DateCodec<Temporal.Instant> = dateCodec(
  {
    name: 'instant',
    needs: ['y', 'M', 'd', 'Hh', 'XV'],
    takes: 'EamsSXV',
    is: isTemporal('Instant'),
    fromFields: instantFromFields,
    toFields: instantToFields,
  },
  iso(...isoLocal, offsetFromUtc),
)

/** A time of day with its offset from UTC, without a date. Temporal has no class for it. */
export interface OffsetTime {
  readonly time: Temporal.PlainTime
  /** `+02:00`; zero is `+00:00`. */
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

/** `10:15:30+01:00`, or `Z` for the offset zero; the time as `plainTime` has it. Without an offset it is refused. */
export const offsetTime: DateCodec<OffsetTime> = dateCodec(
  {
    name: 'offsetTime',
    needs: ['Hh', 'X'],
    takes: 'amsS',
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
 * A number of the proleptic ISO calendar, where 0 is 1 BC, as a text of four to nine digits, in JSON too.
 *
 * ```text
 * 2024     2024
 * -0001    -1
 * +12024   12024
 * 12024    refused: more than four digits have a sign
 * 24       refused
 * ```
 */
export const year: DateCodec<number> = dateCodec(
  {
    name: 'year',
    needs: ['y'],
    takes: '',
    is: (value): value is number =>
      typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 1e9,
    fromFields: (fields) => fields.year,
    toFields: (fields, value) => {
      fields.year = value
    },
  },
  iso(yearElement(4)),
)

/** `2024-01`; `2024-1` and `2024-13` are refused. */
export const yearMonth: DateCodec<Temporal.PlainYearMonth> = dateCodec(
  {
    name: 'yearMonth',
    needs: ['y', 'M'],
    takes: '',
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
