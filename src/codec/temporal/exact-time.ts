/**
 * Converts exact times from and to fields: instants, and date-times with an offset or a time zone.
 *
 * The computation does not use Temporal, which only constructs the result: reading the fields of a `ZonedDateTime` takes 7 µs in
 * `temporal-polyfill`.
 */
import type { Temporal } from 'temporal-polyfill'
import { type EpochTime, epochTime, isDateTime, localSecond, setEpochTime } from './calendar.ts'
import type { DateFields } from './date-fields.ts'
import { temporal } from './temporal-api.ts'
import { offsetSeconds, offsetText, type TimeZone, timeZoneOf } from './time-zone.ts'

/** Returns `undefined` for an invalid date or time, like the other functions here. */
export const plainDateTimeFromFields = (fields: DateFields): Temporal.PlainDateTime | undefined =>
  isDateTime(fields)
    ? new (temporal().PlainDateTime)(
        fields.year,
        fields.month,
        fields.day,
        fields.hour,
        fields.minute,
        fields.second,
        fields.millisecond,
        fields.microsecond,
        fields.nanosecond,
      )
    : undefined

/** Returns the zone of the fields, or else that of the offset, which must not have seconds. */
const zoneOf = ({ timeZone, offset }: DateFields): TimeZone | undefined =>
  timeZoneOf(timeZone ?? offset ?? '')

/**
 * Returns the seconds since 1970, or `undefined` if the zone does not have the given offset at that time.
 *
 * Without an offset, returns the earlier second if the local time occurs twice, and `undefined` if the clocks skip it.
 */
const epochSecond = (fields: DateFields, zone: TimeZone): number | undefined => {
  const local = localSecond(fields)
  if (fields.offset !== undefined) {
    const second = local - offsetSeconds(fields.offset)
    return zone.localSecond(second) === local ? second : undefined
  }
  const day = 86_400
  const before = zone.localSecond(local - day) - (local - day)
  const after = zone.localSecond(local + day) - (local + day)
  const earlier = local - Math.max(before, after)
  if (zone.localSecond(earlier) === local) return earlier
  const later = local - Math.min(before, after)
  return zone.localSecond(later) === local ? later : undefined
}

const epochTimeOf = (fields: DateFields, zone: TimeZone): EpochTime | undefined => {
  if (!isDateTime(fields)) return undefined
  const second = epochSecond(fields, zone)
  return second === undefined ? undefined : epochTime(second, fields)
}

const epochNanoseconds = ({ milliseconds, nanoseconds }: EpochTime): bigint =>
  BigInt(milliseconds) * 1_000_000n + BigInt(nanoseconds)

export const instantFromFields = (fields: DateFields): Temporal.Instant | undefined => {
  const zone = zoneOf(fields)
  const time = zone && epochTimeOf(fields, zone)
  if (time === undefined) return undefined
  const { Instant } = temporal()
  return time.nanoseconds === 0
    ? Instant.fromEpochMilliseconds(time.milliseconds)
    : new Instant(epochNanoseconds(time))
}

export const zonedFromFields = (fields: DateFields): Temporal.ZonedDateTime | undefined => {
  const zone = zoneOf(fields)
  const time = zone && epochTimeOf(fields, zone)
  return time && new (temporal().ZonedDateTime)(epochNanoseconds(time), zone.id)
}

type ExactTime = Pick<Temporal.Instant, 'epochMilliseconds' | 'epochNanoseconds'>

const epochTimeOfValue = ({ epochMilliseconds, epochNanoseconds: total }: ExactTime): EpochTime => {
  const rest = Number(total % 1_000_000n)
  return { milliseconds: epochMilliseconds, nanoseconds: rest < 0 ? rest + 1_000_000 : rest }
}

/** Sets the date and time in UTC. */
export const instantToFields = (fields: DateFields, value: Temporal.Instant): void => {
  setEpochTime(fields, epochTimeOfValue(value), 0)
  fields.offset = '+00:00'
  fields.timeZone = 'UTC'
}

export const zonedToFields = (fields: DateFields, value: Temporal.ZonedDateTime): void => {
  const time = epochTimeOfValue(value)
  const { timeZoneId } = value
  const second = Math.floor(time.milliseconds / 1000)
  const zone = timeZoneOf(timeZoneId)
  const offset = zone ? zone.localSecond(second) - second : value.offsetNanoseconds / 1e9
  setEpochTime(fields, time, offset)
  fields.offset = offsetText(offset)
  fields.timeZone = timeZoneId
}
