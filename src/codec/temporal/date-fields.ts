/**
 * The fields of a date and time, from which text formats and kinds of values convert.
 *
 * The record is mutable, because a text format fills it element by element: a copy per element took 80 % of the time to
 * decode a date.
 */
export interface DateFields {
  /** Year of the proleptic ISO calendar: 0 is 1 BC. */
  year: number
  /** From 1. */
  month: number
  /** Day of the month, from 1. */
  day: number
  hour: number
  minute: number
  second: number
  millisecond: number
  /** Within the millisecond. */
  microsecond: number
  /** Within the microsecond. */
  nanosecond: number
  /** From 1 (Monday) to 7 (Sunday). Only patterns with a weekday set it; formatting ignores it. */
  dayOfWeek: number | undefined
  /** The offset from UTC, such as `+01:00`. Has seconds only if they are not zero, as in `+00:09:21`. Zero is `+00:00`. */
  offset: string | undefined
  /** A name of the IANA time zone database, or an offset. */
  timeZone: string | undefined
}

/** Creates a record with the defaults of fields for which a text format has no element. */
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
  offset: undefined,
  timeZone: undefined,
})

type DateMembers = Readonly<Pick<DateFields, 'year' | 'month' | 'day'>>

type TimeMembers = Readonly<
  Pick<DateFields, 'hour' | 'minute' | 'second' | 'millisecond' | 'microsecond' | 'nanosecond'>
>

/** Copies the date of a Temporal value in the ISO calendar. */
export const setDate = (fields: DateFields, { year, month, day }: DateMembers): void => {
  fields.year = year
  fields.month = month
  fields.day = day
}

/** Copies the time of day of a Temporal value. */
export const setTime = (fields: DateFields, value: TimeMembers): void => {
  fields.hour = value.hour
  fields.minute = value.minute
  fields.second = value.second
  fields.millisecond = value.millisecond
  fields.microsecond = value.microsecond
  fields.nanosecond = value.nanosecond
}
