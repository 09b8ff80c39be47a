/** Describes codecs for dates and times. */
import type { Codec } from '../../codec/codec.ts'
import type { JsonSchema } from '../../codec/json-schema.ts'
import { hasTextExpression } from '../../codec/temporal/date-codec.ts'
import { date } from '../../codec/temporal/date.ts'
import {
  instant,
  offsetDateTime,
  offsetTime,
  plainDate,
  plainDateTime,
  plainTime,
} from '../../codec/temporal/date-time.ts'
import { portablePattern } from '../../regex-safety/portable-pattern.ts'

/** Describes a codec for dates or times by its text format. Returns `undefined` for other codecs. */
export const dateSchema = (codec: Codec): JsonSchema | undefined => {
  if (!hasTextExpression(codec)) return undefined
  const format = formats.get(codec)
  const pattern = portablePattern(codec.textExpression)
  return {
    type: 'string',
    ...(format === undefined ? {} : { format }),
    ...(pattern === undefined ? {} : { pattern }),
  }
}

/** The registered formats of the standard text formats. */
const formats: ReadonlyMap<Codec, string> = new Map<Codec, string>([
  [plainDate, 'date'],
  [plainTime, 'time-local'],
  [offsetTime, 'time'],
  [plainDateTime, 'date-time-local'],
  [offsetDateTime, 'date-time'],
  [instant, 'date-time'],
  [date, 'date-time'],
])
