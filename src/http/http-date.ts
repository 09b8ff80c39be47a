/**
 * Parses and writes dates in headers. HTTP dates are in GMT and have a resolution of one second.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'

/**
 * Parses an HTTP date in one of the three allowed formats. The names of days and months are case-sensitive. Returns `none` if the
 * string is invalid, or if the day or time does not exist.
 *
 * ```text
 * IMF-fixdate  = day-name "," SP 2DIGIT SP month SP 4DIGIT SP time-of-day SP "GMT"
 * rfc850-date  = day-name-l "," SP 2DIGIT "-" month "-" 2DIGIT SP time-of-day SP "GMT"
 * asctime-date = day-name SP month SP ( 2DIGIT / ( SP DIGIT ) ) SP time-of-day SP 4DIGIT
 * time-of-day  = 00:00:00 to 23:59:60
 * ```
 *
 * The day name does not need to match the date. The leap second 23:59:60 is read as 23:59:59, because `Date` cannot represent
 * leap seconds. A date with a two-digit year resolves to the latest possible date that is at most 50 years after `now`. `now` is
 * in milliseconds since the epoch and defaults to the current time.
 */
export const parse = (text: string, now: number = Date.now()): O.Option<Date> => {
  const match = fixdate.exec(text) ?? asctime.exec(text)
  if (match?.groups !== undefined) return toDate(Number(match.groups['year']), match.groups)
  const shortMatch = rfc850.exec(text)
  return shortMatch?.groups === undefined ? O.none : latestDate(shortMatch.groups, new Date(now))
}

/** Writes a date as IMF-fixdate. Throws a `RangeError` if the `Date` is invalid, or if its year is not between 0 and 9999. */
export const format = (date: Date): string => {
  const year = date.getUTCFullYear()
  if (year >= 0 && year <= 9999) return date.toUTCString()
  throw new RangeError('invalid HTTP date: expected a valid Date with a year from 0 to 9999')
}

/** Rounds a date down to a full second, so that it can be compared with a date from a header. */
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

/** Resolves a date with a two-digit year to the latest possible date that is at most 50 years after `now`. */
const latestDate = (groups: Groups, now: Date): O.Option<Date> => {
  const horizon = now.getUTCFullYear() + 50
  const year = horizon - ((horizon - Number(groups['year'])) % 100)
  const limit = new Date(now).setUTCFullYear(horizon)
  return pipe(
    toDate(year, groups),
    O.filter((date) => date.getTime() <= limit),
    O.alt(() => toDate(year - 100, groups)),
  )
}

/** Creates a date. Returns `none` for a day that does not exist in the month. `Date` would roll over to the next month. */
const toDate = (
  year: number,
  { month = '', day, hour, minute, second }: Groups,
): O.Option<Date> => {
  const date = new Date(0)
  date.setUTCFullYear(year, months.indexOf(month), Number(day))
  date.setUTCHours(Number(hour), Number(minute), Math.min(Number(second), 59))
  return date.getUTCDate() === Number(day) ? O.some(date) : O.none
}
