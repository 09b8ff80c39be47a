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
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import type { Temporal } from 'temporal-polyfill'
import { type DateCodec, dateCodec } from './codec.ts'
import { type DateElement, literal, number, time, year as yearElement } from './element.ts'
import { type DateFields, dateOf, timeOf, unsaid } from './fields.ts'
import { type DateForm, form } from './form.ts'
import { extendedOffsetSeconds, timeZoneSuffix, zuluOffset } from './zone-element.ts'
import { isTemporal, made } from './temporal.ts'

const yyyyMM = [yearElement(4), literal('-'), number('month', 2)]
const yyyyMMdd = [...yyyyMM, literal('-'), number('day', 2)]
const isoLocal = [...yyyyMMdd, literal('T'), time]
const offsetFromUtc = zuluOffset(extendedOffsetSeconds)

const iso = (...elements: ReadonlyArray<DateElement>): DateForm =>
  form(elements, { ignoreCase: true })

/** An impossible date is not moved to a possible one, and an offset that the time zone does not have is not dropped. */
const strict = { overflow: 'reject', offset: 'reject' } as const

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
    fromFields: (fields) => made((provider) => provider.PlainDate.from(fields, strict)),
    toFields: (value) => ({ ...unsaid, ...dateOf(value.withCalendar('iso8601')) }),
  },
  iso(...yyyyMMdd),
)

const plainTimeOf = (fields: DateFields): O.Option<Temporal.PlainTime> =>
  made((provider) => provider.PlainTime.from(fields, strict))

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
    fromFields: plainTimeOf,
    toFields: (value) => ({ ...unsaid, ...timeOf(value) }),
  },
  iso(time),
)

const plainDateTimeOf = (fields: DateFields): O.Option<Temporal.PlainDateTime> =>
  made((provider) => provider.PlainDateTime.from(fields, strict))

const fieldsOfLocal = (value: Temporal.PlainDateTime): DateFields => ({
  ...unsaid,
  ...dateOf(value.withCalendar('iso8601')),
  ...timeOf(value),
})

/** `2024-01-31T10:15:30`; the time as `plainTime` has it. With an offset or a space for the `T` it is refused. */
export const plainDateTime: DateCodec<Temporal.PlainDateTime> = dateCodec(
  {
    name: 'plainDateTime',
    needs: ['y', 'M', 'd', 'Hh'],
    takes: 'EamsS',
    is: isTemporal('PlainDateTime'),
    fromFields: plainDateTimeOf,
    toFields: fieldsOfLocal,
  },
  iso(...isoLocal),
)

/** The offset stands for the zone when there is none, and must be one that the zone has then when there is. */
const zonedOf = (fields: DateFields): O.Option<Temporal.ZonedDateTime> => {
  const { offset, timeZone } = fields
  return timeZone !== undefined && offset !== undefined
    ? made((provider) => provider.ZonedDateTime.from({ ...fields, timeZone }, strict))
    : pipe(
        O.Do,
        O.apS('local', plainDateTimeOf(fields)),
        O.apS('zone', O.fromNullable(timeZone ?? offset)),
        O.chain(({ local, zone }) => inZone(local, zone)),
      )
}

/** The earlier, where the local time occurs twice; `none` where the clocks leave it out. */
const inZone = (local: Temporal.PlainDateTime, zone: string): O.Option<Temporal.ZonedDateTime> =>
  pipe(
    O.tryCatch(() => local.toZonedDateTime(zone)),
    O.filter((value) => value.toPlainDateTime().equals(local)),
  )

const fieldsOfZoned = (value: Temporal.ZonedDateTime): DateFields => ({
  ...fieldsOfLocal(value.toPlainDateTime()),
  offset: value.offset,
  timeZone: value.timeZoneId,
})

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
    fromFields: zonedOf,
    toFields: fieldsOfZoned,
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
    fromFields: zonedOf,
    toFields: fieldsOfZoned,
  },
  iso(...isoLocal, offsetFromUtc),
)

/** In UTC. By way of `Date`, whose range is the same: a tenth of the time that the fields of a `ZonedDateTime` take. */
const fieldsOfInstant = ({ epochMilliseconds, epochNanoseconds }: Temporal.Instant): DateFields => {
  const date = new Date(epochMilliseconds)
  const below = Number(epochNanoseconds - BigInt(epochMilliseconds) * 1_000_000n)
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    millisecond: date.getUTCMilliseconds(),
    microsecond: Math.floor(below / 1000),
    nanosecond: below % 1000,
    dayOfWeek: date.getUTCDay() || 7,
    offset: '+00:00',
    timeZone: 'UTC',
  }
}

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
    fromFields: (fields) =>
      pipe(
        zonedOf(fields),
        O.map((value) => value.toInstant()),
      ),
    toFields: fieldsOfInstant,
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
    fromFields: (fields) =>
      pipe(
        plainTimeOf(fields),
        O.map((value) => ({ time: value, offset: fields.offset ?? '+00:00' })),
      ),
    toFields: (value) => ({ ...unsaid, ...timeOf(value.time), offset: value.offset }),
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
    fromFields: (fields) => O.some(fields.year),
    toFields: (value) => ({ ...unsaid, year: value }),
  },
  iso(yearElement(4)),
)

const inIsoCalendar = (value: Temporal.PlainYearMonth): Pick<DateFields, 'year' | 'month'> => {
  const { year: y, month: M } =
    value.calendarId === 'iso8601' ? value : value.toPlainDate({ day: 1 }).withCalendar('iso8601')
  return { year: y, month: M }
}

/** `2024-01`; `2024-1` and `2024-13` are refused. */
export const yearMonth: DateCodec<Temporal.PlainYearMonth> = dateCodec(
  {
    name: 'yearMonth',
    needs: ['y', 'M'],
    takes: '',
    is: isTemporal('PlainYearMonth'),
    fromFields: (fields) => made((provider) => provider.PlainYearMonth.from(fields, strict)),
    toFields: (value) => ({ ...unsaid, ...inIsoCalendar(value) }),
  },
  iso(...yyyyMM),
)
