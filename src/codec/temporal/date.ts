/** A codec for `Date`, the class of JavaScript. Unlike the other codecs for dates and times, it does not need `Temporal`. */
import { fromString } from '../from-string.ts'
import { type DateFields, setEpochTime } from './calendar.ts'
import type { DateCodec, DateKind } from './date-codec.ts'
import { iso, isoInstant, yyyyMMdd } from './date-time.ts'
import { epochTimeFromFields } from './exact-time.ts'

const dateTime = iso(...isoInstant)
const dateOnly = iso(...yyyyMMdd)

const kind: DateKind<Date> = {
  name: 'date',
  requires: ['y', 'M', 'd', 'Hh', 'XV'],
  allows: 'EQamsSXV',
  is: (value): value is Date =>
    Object.prototype.toString.call(value) === '[object Date]' && !Number.isNaN(Number(value)),
  fromFields: (fields) => {
    const time = epochTimeFromFields(fields)
    return time && new Date(time.milliseconds)
  },
  toFields: (fields, value) =>
    setEpochTime(fields, { milliseconds: value.getTime(), nanoseconds: 0 }),
}

/** Parses a date and time with an offset, or a date, which is midnight in UTC as in ECMAScript. */
const parseFields = (text: string): DateFields | undefined => {
  const fields = dateTime.parse(text)
  if (fields !== undefined) return fields
  const day = dateOnly.parse(text)
  return day && { ...day, offset: 0 }
}

/**
 * A codec for a `Date`, encoded as ISO 8601 text in UTC, as in `2024-01-31T10:15:30.000Z`. Decoding accepts any offset.
 *
 * A date without a time is decoded as midnight in UTC. A time without an offset is rejected, because its meaning would depend
 * on the time zone of the server. A `Date` has a precision of milliseconds, so further digits are dropped. Use {@link instant}
 * to keep them.
 *
 * Invalid `Date` values cannot be encoded.
 *
 * ```text
 * 2024-01-31T10:15:30.5Z        2024-01-31T10:15:30.500Z
 * 2024-01-31T10:15+01:00        2024-01-31T09:15:00.000Z
 * 2024-01-31 10:15:30+0100      2024-01-31T09:15:30.000Z
 * 2024-01-31                    2024-01-31T00:00:00.000Z
 * 2024-01-31T10:15:30           fails, as do 31 Jan 2024 and 1706696130000
 * ```
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { date } from 'espalier'
 *
 * const read = date.decode('2024-01-31T10:15:30+01:00')
 *
 * assert.deepEqual(read, E.right(new Date('2024-01-31T09:15:30Z')))
 * assert.equal(date.encode(new Date(0)), '1970-01-01T00:00:00.000Z')
 * assert.ok(E.isLeft(date.decode('2024-02-30')))
 * ```
 */
export const date: DateCodec<Date> = Object.assign(
  fromString(
    kind.name,
    (text) => {
      const fields = parseFields(text)
      return fields && kind.fromFields(fields)
    },
    (value) => value.toISOString(),
    kind.is,
  ),
  { kind },
)
