/**
 * Arithmetic of the proleptic ISO calendar and of exact times, within the ranges of Temporal.
 *
 * A text is validated here before a Temporal value is constructed: a `RangeError` of Temporal costs 5 to 10 µs, and its `from`
 * methods cost 1 to 20 µs more than its constructors.
 *
 * @see https://tc39.es/proposal-temporal/#sec-temporal-plaindate-objects
 */
import type { DateFields } from './date-fields.ts'

/** The days in 400 years, after which the calendar repeats. */
const cycle = 146_097
const daySeconds = 86_400

/** The last day that Temporal supports, in days since 1970-01-01. The first one is `-lastDay - 1`. */
const lastDay = 100_000_000
const lastMillisecond = lastDay * daySeconds * 1000

/** Returns the days from 1970-01-01 to a date. Years begin in March here, so that a leap day is the last of its year. */
export const epochDay = (year: number, month: number, day: number): number => {
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

/** Sets the date that is `days` after 1970-01-01: the inverse of {@link epochDay}. */
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

/** Returns 1 for Monday to 7 for Sunday. */
export const dayOfWeek = ({ year, month, day }: DateFields): number => {
  const rest = (epochDay(year, month, day) + 3) % 7
  return (rest < 0 ? rest + 7 : rest) + 1
}

const daysInMonth = (year: number, month: number): number => {
  if (month !== 2) return 30 + ((month + (month >> 3)) & 1)
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}

/** Whether the date exists and is in the range of `PlainDate`. */
export const isDate = ({ year, month, day }: DateFields): boolean => {
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return false
  const days = epochDay(year, month, day)
  return days >= -lastDay - 1 && days <= lastDay
}

/** Whether the month exists and is in the range of `PlainYearMonth`: which includes months that are only partly in the range of `PlainDate`. */
export const isMonth = ({ year, month }: DateFields): boolean => {
  if (month < 1 || month > 12) return false
  const months = year * 12 + month
  return months >= -271_821 * 12 + 4 && months <= 275_760 * 12 + 9
}

/** Whether the time exists. There is no leap second. */
export const isTime = ({ hour, minute, second }: DateFields): boolean =>
  hour < 24 && minute < 60 && second < 60

/** Whether the local date and time exists and is in the range of `PlainDateTime`, which excludes the first midnight. */
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

/** Returns the local date and time as seconds since 1970, as if it were in UTC. */
export const localSecond = (fields: DateFields): number =>
  epochDay(fields.year, fields.month, fields.day) * daySeconds + secondOfDay(fields)

/** An exact time: milliseconds since 1970 in UTC, plus 0 to 999,999 nanoseconds. */
export interface EpochTime {
  readonly milliseconds: number
  readonly nanoseconds: number
}

/** Returns the instant of a second since 1970 with the fraction of `fields`; `undefined` out of the range of `Instant`. */
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

/** Sets the local date and time of an instant, `offset` seconds from UTC. */
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
