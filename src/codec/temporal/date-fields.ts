/**
 * The members of a date and time. Every text form (`form.ts`) and every kind of value (`codec.ts`) is defined in terms of
 * them.
 *
 * The record is mutable, because a text form fills it element by element: a copy per element took 80 % of the time to
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
  /** 1 is Monday, 7 is Sunday. Set by patterns with a weekday only, and not used to format. */
  dayOfWeek: number | undefined
  /** Offset from UTC, such as `+01:00`; with seconds, `+00:09:21`, only if there are any. Zero is `+00:00`. */
  offset: string | undefined
  /** A name of the time zone database, or an offset. */
  timeZone: string | undefined
}

/** Returns a new record with the defaults of members that a text form has no element for. */
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

/** Copies the date of a Temporal value of the ISO calendar. */
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
