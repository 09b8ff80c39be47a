/**
 * The dates of header fields: one second exact, always in GMT. Not ISO 8601, and never read by the leniency of `Date`.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'

/**
 * Reads an HTTP date in any of its three forms; `none` when the text is not one, or names a day or a time that does
 * not exist. Letter case counts.
 *
 * ```text
 * IMF-fixdate  = day-name "," SP 2DIGIT SP month SP 4DIGIT SP time-of-day SP "GMT"
 * rfc850-date  = day-name-l "," SP 2DIGIT "-" month "-" 2DIGIT SP time-of-day SP "GMT"
 * asctime-date = day-name SP month SP ( 2DIGIT / ( SP DIGIT ) ) SP time-of-day SP 4DIGIT
 * time-of-day  = 00:00:00 to 23:59:60
 * ```
 *
 * The name of the day has to be one, but need not be that of the date: the RFC gives it no meaning of its own. The leap
 * second 23:59:60, which `Date` cannot hold, is read as 23:59:59. Two digits of a year stand for the latest such year
 * that is not more than 50 years after `now` (milliseconds since the epoch; the present by default).
 */
export const parse = (text: string, now: number = Date.now()): O.Option<Date> => {
  const full = fixdate.exec(text) ?? asctime.exec(text)
  if (full?.groups !== undefined) return instant(Number(full.groups['year']), full.groups)
  const short = rfc850.exec(text)
  return short?.groups === undefined ? O.none : nearest(short.groups, new Date(now))
}

/**
 * Writes a date as IMF-fixdate, without its milliseconds. Throws a `RangeError` for an invalid `Date` and for a year
 * that four digits cannot hold.
 */
export const format = (date: Date): string => {
  const year = date.getUTCFullYear()
  if (year >= 0 && year <= 9999) return date.toUTCString()
  throw new RangeError('an HTTP date is a valid date of the years 0 to 9999')
}

/** The date without its milliseconds: what comes back from a header, and so what validators are compared by. */
export const truncate = (date: Date): Date => new Date(Math.floor(date.getTime() / 1000) * 1000)

type Groups = Readonly<Record<string, string>>

const dayName = 'Mon|Tue|Wed|Thu|Fri|Sat|Sun'
const dayNameLong = 'Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday'
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const monthName = `(?<month>${months.join('|')})`
const time = String.raw`(?<hour>[01]\d|2[0-3]):(?<minute>[0-5]\d):(?<second>[0-5]\d|(?<=23:59:)60)`

const fixdate = RegExp(
  String.raw`^(?:${dayName}), (?<day>\d\d) ${monthName} (?<year>\d{4}) ${time} GMT$`,
)
const rfc850 = RegExp(
  String.raw`^(?:${dayNameLong}), (?<day>\d\d)-${monthName}-(?<year>\d\d) ${time} GMT$`,
)
const asctime = RegExp(
  String.raw`^(?:${dayName}) ${monthName} (?<day>\d\d| \d) ${time} (?<year>\d{4})$`,
)

/** The latest date with these two digits of a year that is at most 50 years ahead. */
const nearest = (groups: Groups, now: Date): O.Option<Date> => {
  const horizon = now.getUTCFullYear() + 50
  const year = horizon - ((horizon - Number(groups['year'])) % 100)
  const limit = new Date(now).setUTCFullYear(horizon)
  return pipe(
    instant(year, groups),
    O.filter((date) => date.getTime() <= limit),
    O.alt(() => instant(year - 100, groups)),
  )
}

/** `none` for a day that the month does not have, which `Date` would carry over to the next. */
const instant = (
  year: number,
  { month = '', day, hour, minute, second }: Groups,
): O.Option<Date> => {
  const date = new Date(0)
  date.setUTCFullYear(year, months.indexOf(month), Number(day))
  date.setUTCHours(Number(hour), Number(minute), Math.min(Number(second), 59))
  return date.getUTCDate() === Number(day) ? O.some(date) : O.none
}
