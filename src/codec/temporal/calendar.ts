/**
 * Date and time fields, and date arithmetic in the proleptic ISO calendar, within the ranges supported by Temporal.
 *
 * Fields are validated here before a Temporal value is constructed, because throwing a `RangeError` in Temporal takes 5 to 10
 * µs. The `from` methods of Temporal classes are not used, because they take 1 to 20 µs longer than constructors.
 *
 * @see https://tc39.es/proposal-temporal/#sec-temporal-plaindate-objects
 */

/** The number of days in 400 years, after which the calendar repeats. */
const cycle = 146_097
const daySeconds = 86_400

/** The last day that Temporal supports, in days since 1970-01-01. The first supported day is `-lastDay - 1`. */
const lastDay = 100_000_000
const lastMillisecond = lastDay * daySeconds * 1000

/**
 * Returns the number of days from 1970-01-01 to a date. In this calculation, years begin in March. A leap day is therefore the
 * last day of a year.
 */
const epochDay = (year: number, month: number, day: number): number => {
  const marchYear = month > 2 ? year : year - 1
  const century = Math.floor(marchYear / 100)
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  return (
    365 * marchYear +
    Math.floor(marchYear / 4) -
    century +
    Math.floor(century / 4) +
    dayOfYear -
    719_468
  )
}

/** Sets date fields to the date that is `days` days after 1970-01-01. This is the inverse of {@link epochDay}. */
const setEpochDay = (fields: DateFields, days: number): void => {
  const shifted = days + 719_468
  const cycles = Math.floor(shifted / cycle)
  const dayOfCycle = shifted - cycles * cycle
  const yearOfCycle = Math.floor(
    (dayOfCycle -
      Math.floor(dayOfCycle / 1460) +
      Math.floor(dayOfCycle / 36_524) -
      Math.floor(dayOfCycle / 146_096)) /
      365,
  )
  const dayOfYear =
    dayOfCycle - (365 * yearOfCycle + Math.floor(yearOfCycle / 4) - Math.floor(yearOfCycle / 100))
  const month = Math.floor((5 * dayOfYear + 2) / 153)
  fields.day = dayOfYear - Math.floor((153 * month + 2) / 5) + 1
  fields.month = month < 10 ? month + 3 : month - 9
  fields.year = yearOfCycle + cycles * 400 + (month < 10 ? 0 : 1)
}

/** Returns the day of the year for a date, starting at 1. */
export const dayOfYear = ({ year, month, day }: DateFields): number =>
  epochDay(year, month, day) - epochDay(year, 1, 1) + 1

/** Sets the month and day to a day of the year. Returns whether the year has this day. */
export const setDayOfYear = (fields: DateFields, day: number): boolean => {
  const { year } = fields
  setEpochDay(fields, epochDay(year, 1, 1) + day - 1)
  return fields.year === year
}

/** Returns the day of the week for a date, from 1 (Monday) to 7 (Sunday). */
export const dayOfWeek = ({ year, month, day }: DateFields): number => {
  const rest = (epochDay(year, month, day) + 3) % 7
  return (rest < 0 ? rest + 7 : rest) + 1
}

const daysInMonth = (year: number, month: number): number => {
  if (month !== 2) return 30 + ((month + (month >> 3)) & 1)
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}

/** Whether a date exists and is in the range supported by `PlainDate`. */
export const isDate = ({ year, month, day }: DateFields): boolean => {
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return false
  const days = epochDay(year, month, day)
  return days >= -lastDay - 1 && days <= lastDay
}

/**
 * Whether a month exists and is in the range supported by `PlainYearMonth`. The range includes months that are only partly in
 * the range of `PlainDate`.
 */
export const isMonth = ({ year, month }: DateFields): boolean => {
  if (month < 1 || month > 12) return false
  const months = year * 12 + month
  return months >= -271_821 * 12 + 4 && months <= 275_760 * 12 + 9
}

/** Whether a time of day exists. */
export const isTime = ({ hour, minute, second }: DateFields): boolean =>
  hour < 24 && minute < 60 && second < 60

/**
 * Whether a date and time exist and are in the range supported by `PlainDateTime`. This range does not include midnight on the
 * first day.
 */
export const isDateTime = (fields: DateFields): boolean =>
  isDate(fields) &&
  isTime(fields) &&
  (epochDay(fields.year, fields.month, fields.day) > -lastDay - 1 ||
    secondOfDay(fields) > 0 ||
    nanosecondOfSecond(fields) > 0)

const secondOfDay = ({ hour, minute, second }: DateFields): number =>
  (hour * 60 + minute) * 60 + second

const nanosecondOfSecond = ({ millisecond, microsecond, nanosecond }: DateFields): number =>
  (millisecond * 1000 + microsecond) * 1000 + nanosecond

/** Converts a local date and time to seconds since 1970-01-01, as if the local time were in UTC. */
export const localSecond = (fields: DateFields): number =>
  epochDay(fields.year, fields.month, fields.day) * daySeconds + secondOfDay(fields)

/** An exact time, in milliseconds since the Unix epoch, plus 0 to 999,999 nanoseconds. */
export interface EpochTime {
  readonly milliseconds: number
  readonly nanoseconds: number
}

/**
 * Returns the exact time for a number of seconds since the Unix epoch, with the fraction of a second from `fields`. Returns
 * `undefined` if the time is not in the range supported by `Instant`.
 */
export const epochTime = (
  second: number,
  { millisecond, microsecond, nanosecond }: DateFields,
): EpochTime | undefined => {
  const milliseconds = second * 1000 + millisecond
  const nanoseconds = microsecond * 1000 + nanosecond
  return Math.abs(milliseconds) < lastMillisecond ||
    milliseconds === -lastMillisecond ||
    (milliseconds === lastMillisecond && nanoseconds === 0)
    ? { milliseconds, nanoseconds }
    : undefined
}

/** Sets date fields to the local date and time that correspond to an epoch time. `offset` is the UTC offset in seconds. */
export const setEpochTime = (
  fields: DateFields,
  { milliseconds, nanoseconds }: EpochTime,
  offset: number,
): void => {
  const second = Math.floor(milliseconds / 1000)
  const local = second + offset
  const days = Math.floor(local / daySeconds)
  const ofDay = local - days * daySeconds
  const minutes = Math.floor(ofDay / 60)
  setEpochDay(fields, days)
  fields.hour = Math.floor(minutes / 60)
  fields.minute = minutes % 60
  fields.second = ofDay % 60
  fields.millisecond = milliseconds - second * 1000
  fields.microsecond = Math.floor(nanoseconds / 1000)
  fields.nanosecond = nanoseconds % 1000
}

/**
 * The fields of a date and time. When decoding, text is parsed into fields, and a value is created from the fields. When
 * encoding, the value is converted to fields, and the fields are formatted as text.
 *
 * The object is mutable, because the elements of a text format set the fields one by one. If each element created a copy,
 * copying would take 80% of the time required to decode a date.
 */
export interface DateFields {
  /** The year in the proleptic ISO calendar. The year 0 is 1 BC. */
  year: number
  /** The month, from 1 to 12. */
  month: number
  /** The day of the month, starting at 1. */
  day: number
  hour: number
  minute: number
  second: number
  millisecond: number
  /** The microsecond within the millisecond, from 0 to 999. */
  microsecond: number
  /** The nanosecond within the microsecond, from 0 to 999. */
  nanosecond: number
  /** The weekday, from 1 (Monday) to 7 (Sunday). Only patterns with a weekday set this field. Formatting ignores it. */
  dayOfWeek: number | undefined
  /** The day of the year, starting at 1. Only patterns with a day of the year set this field. It replaces the month and day. */
  dayOfYear: number | undefined
  /** The quarter, from 1 to 4. Only patterns with a quarter set this field. Formatting ignores it. */
  quarter: number | undefined
  /** The offset from UTC in seconds. */
  offset: number | undefined
  /** Whether the offset is `Z` or `-00:00`, which do not state the offset of local time (RFC 9557, 2.2). */
  isUtc: boolean
  /** A name from the IANA time zone database, or an offset such as `+01:00`. */
  timeZone: string | undefined
}

/** Creates date fields with default values. A field keeps its default value if the text format has no element for it. */
export const defaultFields = (): DateFields => ({
  year: 0,
  month: 1,
  day: 1,
  hour: 0,
  minute: 0,
  second: 0,
  millisecond: 0,
  microsecond: 0,
  nanosecond: 0,
  dayOfWeek: undefined,
  dayOfYear: undefined,
  quarter: undefined,
  offset: undefined,
  isUtc: false,
  timeZone: undefined,
})

type DateMembers = Readonly<Pick<DateFields, 'year' | 'month' | 'day'>>

type TimeMembers = Readonly<
  Pick<DateFields, 'hour' | 'minute' | 'second' | 'millisecond' | 'microsecond' | 'nanosecond'>
>

/** Sets date fields to the date of a Temporal value, which must use the ISO calendar. */
export const setDate = (fields: DateFields, { year, month, day }: DateMembers): void => {
  fields.year = year
  fields.month = month
  fields.day = day
}

/** Sets the time-of-day fields from a Temporal value. */
export const setTime = (fields: DateFields, value: TimeMembers): void => {
  fields.hour = value.hour
  fields.minute = value.minute
  fields.second = value.second
  fields.millisecond = value.millisecond
  fields.microsecond = value.microsecond
  fields.nanosecond = value.nanosecond
}
