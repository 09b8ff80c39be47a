/** Conversions between date fields and values with an offset or a time zone. */
import type { Temporal } from 'temporal-polyfill'
import { epochTime, setDate, setEpochTime, setTime } from './calendar.ts'
import type { DateFields, EpochTime } from './calendar.ts'
import { extendedOffsetSeconds, formatOffset } from './offset-elements.ts'
import { construct, inIsoCalendar, rejectOverflow, temporal } from './temporal-api.ts'

/**
 * Converts date fields to an exact time. Returns `undefined` if the fields are invalid, have no offset and no time zone, or have an
 * offset with seconds and no time zone, which Temporal does not support.
 */
export const epochTimeFromFields = (fields: DateFields): EpochTime | undefined => {
  const { timeZone, offset } = fields
  if (timeZone === undefined)
    return offset === undefined || offset % 60 !== 0 ? undefined : epochTime(fields, offset)
  const value = zonedFromFields(fields)
  return value && epochTimeOf(value)
}

type ExactTime = Pick<Temporal.Instant, 'epochMilliseconds' | 'epochNanoseconds'>

const epochTimeOf = ({ epochMilliseconds, epochNanoseconds }: ExactTime): EpochTime => {
  const rest = Number(epochNanoseconds % 1_000_000n)
  return { milliseconds: epochMilliseconds, nanoseconds: rest < 0 ? rest + 1_000_000 : rest }
}

const epochNanosecondsOf = ({ milliseconds, nanoseconds }: EpochTime): bigint =>
  BigInt(milliseconds) * 1_000_000n + BigInt(nanoseconds)

export const instantFromFields = (fields: DateFields): Temporal.Instant | undefined => {
  const time = epochTimeFromFields(fields)
  return time && new (temporal().Instant)(epochNanosecondsOf(time))
}

export const instantToFields = (fields: DateFields, value: Temporal.Instant): void =>
  setEpochTime(fields, epochTimeOf(value))

/**
 * Converts date fields to a value in their time zone, or in a time zone with their offset. Returns `undefined` if the time zone is
 * unknown, or has another offset at that time. `Z` is consistent with each time zone (RFC 9557, 3.4).
 */
export const zonedFromFields = (fields: DateFields): Temporal.ZonedDateTime | undefined => {
  const { timeZone, offset, isUtc } = fields
  if (offset === undefined) return timeZone === undefined ? undefined : fromLocal(fields, timeZone)
  const time = epochTime(fields, offset)
  const value = time && inZone(time, timeZone ?? formatOffset(offset, extendedOffsetSeconds))
  const isConsistent =
    timeZone === undefined || isUtc || value?.offsetNanoseconds === offset * 1_000_000_000
  return isConsistent ? value : undefined
}

/**
 * Returns `undefined` if the time zone is unknown. The constructor only accepts identifiers. `from` also accepts the text of a date or
 * time with an offset as a time zone.
 */
const inZone = (time: EpochTime, timeZone: string): Temporal.ZonedDateTime | undefined =>
  construct(({ ZonedDateTime }) => new ZonedDateTime(epochNanosecondsOf(time), timeZone))

/**
 * Converts a local time in a time zone. Returns the earlier time if the local time occurs twice, and `undefined` if clocks skip the local
 * time.
 */
const fromLocal = (fields: DateFields, timeZone: string): Temporal.ZonedDateTime | undefined => {
  if (inZone({ milliseconds: 0, nanoseconds: 0 }, timeZone) === undefined) return undefined
  return construct(({ PlainDateTime }) => {
    const local = PlainDateTime.from(fields, rejectOverflow)
    const earlier = local.toZonedDateTime(timeZone, { disambiguation: 'earlier' })
    const later = local.toZonedDateTime(timeZone, { disambiguation: 'later' })
    // in temporal-polyfill, the conversion to a local time takes 10 µs
    return earlier.equals(later) || earlier.toPlainDateTime().equals(local) ? earlier : undefined
  })
}

export const zonedToFields = (fields: DateFields, value: Temporal.ZonedDateTime): void => {
  const local = inIsoCalendar(value.toPlainDateTime())
  setDate(fields, local)
  setTime(fields, local)
  fields.offset = value.offsetNanoseconds / 1_000_000_000
  fields.timeZone = value.timeZoneId
}
