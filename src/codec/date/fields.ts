/**
 * A date and time field by field: what a text says, before it is known to be possible, and what a value has to say in a
 * text. Every text form (`form.ts`) and every kind of value (`codec.ts`) meets the others here.
 *
 * The names are Temporal's, so that a record is a property bag for its `from`.
 */
export interface DateFields {
  /** Of the proleptic ISO calendar: 0 is 1 BC. */
  readonly year: number
  /** From 1. */
  readonly month: number
  /** Of the month, from 1. */
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly millisecond: number
  /** Of the millisecond. */
  readonly microsecond: number
  /** Of the microsecond. */
  readonly nanosecond: number
  /** 1 is Monday, 7 is Sunday. */
  readonly dayOfWeek?: number
  /** From UTC, as `+01:00`; with seconds, `+00:09:21`, only when there are any. Zero is `+00:00`. */
  readonly offset?: string
  /** A name of the time zone database, or an offset. */
  readonly timeZone?: string
}

/** What holds of the fields that a text leaves out. */
export const unsaid: DateFields = {
  year: 0,
  month: 1,
  day: 1,
  hour: 0,
  minute: 0,
  second: 0,
  millisecond: 0,
  microsecond: 0,
  nanosecond: 0,
}

type Dated = Required<Pick<DateFields, 'year' | 'month' | 'day' | 'dayOfWeek'>>

type Timed = Pick<
  DateFields,
  'hour' | 'minute' | 'second' | 'millisecond' | 'microsecond' | 'nanosecond'
>

/** The date of a Temporal value of the ISO calendar, whose fields do not show when it is spread. */
export const dateOf = ({ year, month, day, dayOfWeek }: Dated): Dated => ({
  year,
  month,
  day,
  dayOfWeek,
})

/** The time of day of a Temporal value. */
export const timeOf = (value: Timed): Timed => ({
  hour: value.hour,
  minute: value.minute,
  second: value.second,
  millisecond: value.millisecond,
  microsecond: value.microsecond,
  nanosecond: value.nanosecond,
})
