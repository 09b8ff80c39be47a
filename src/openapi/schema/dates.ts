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
  const expression = codec.validate === date.validate ? dateOrInstant : expressionOf(codec)
  if (expression === undefined) return undefined
  const format = formats.get(codec.validate)
  const pattern = portablePattern(expression)
  return {
    type: 'string',
    ...(format === undefined ? {} : { format }),
    ...(pattern === undefined ? {} : { pattern }),
  }
}

const expressionOf = (codec: Codec): RegExp | undefined =>
  hasTextExpression(codec) ? codec.expression : undefined

/** The text format of `date`, which accepts dates without a time. */
const dateOrInstant = new RegExp(
  [instant, plainDate].map((codec) => expressionOf(codec)?.source).join('|'),
)

/** The registered formats of the standard text formats. */
const formats: ReadonlyMap<Codec['validate'], string> = new Map<Codec['validate'], string>([
  [plainDate.validate, 'date'],
  [plainTime.validate, 'time-local'],
  [offsetTime.validate, 'time'],
  [plainDateTime.validate, 'date-time-local'],
  [offsetDateTime.validate, 'date-time'],
  [instant.validate, 'date-time'],
  [date.validate, 'date-time'],
])
