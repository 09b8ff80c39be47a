/** Describes codecs for dates and times, and the patterns of formats. */
import type { Codec } from '../../codec/codec.ts'
import type { JsonSchema } from '../../codec/json-schema.ts'
import { hasTextExpression } from '../../codec/temporal/date-codec.ts'
import {
  date,
  instant,
  offsetDateTime,
  offsetTime,
  plainDate,
  plainDateTime,
  plainTime,
} from '../../codec/temporal/date-time.ts'
import { portablePattern } from '../../regex-safety/portable-pattern.ts'
import { present } from './present.ts'

/**
 * Describes a codec for dates or times by its text format. Returns `undefined` for other codecs.
 *
 * The formats of JSON Schema have no pattern: the server reads a superset of them, and client generators convert the texts to other
 * values, with which generated code cannot match a pattern.
 */
export const dateSchema = (codec: Codec): JsonSchema | undefined => {
  const standard = standardFormats.get(codec.validate)
  if (standard !== undefined) return { type: 'string', format: standard }
  if (!hasTextExpression(codec)) return undefined
  const format = registeredFormats.get(codec.validate)
  return { type: 'string', ...present({ format, pattern: portablePattern(codec.expression) }) }
}

/** Formats of JSON Schema (JSON Schema Validation, 7.3.1). The text of `date` can also be a date without a time. */
const standardFormats: ReadonlyMap<Codec['validate'], string> = new Map<Codec['validate'], string>([
  [plainDate.validate, 'date'],
  [offsetTime.validate, 'time'],
  [offsetDateTime.validate, 'date-time'],
  [instant.validate, 'date-time'],
  [date.validate, 'date-time'],
])

/** Formats of the registry of OpenAPI, which few tools know. */
const registeredFormats: ReadonlyMap<Codec['validate'], string> = new Map<
  Codec['validate'],
  string
>([
  [plainTime.validate, 'time-local'],
  [plainDateTime.validate, 'date-time-local'],
])

const fullDate = '[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])'
const sixtieth = '[0-5][0-9]'
const hour = '([01][0-9]|2[0-3])'
const fullTime = `${hour}:${sixtieth}:(${sixtieth}|60)(\\.[0-9]{1,9})?([Zz]|[+-]${hour}:${sixtieth})`
const hex = '[0-9A-Fa-f]'

/** The patterns of formats that are described without one (RFC 3339, 5.6, and RFC 9562, 4). */
const patterns: ReadonlyMap<string, string> = new Map([
  ['date', `^${fullDate}$`],
  ['time', `^${fullTime}$`],
  ['date-time', `^${fullDate}[Tt]${fullTime}$`],
  ['uuid', `^${hex}{8}-(${hex}{4}-){3}${hex}{12}$`],
])

/** Returns the pattern of a schema, or of its format. Names of members are described by a pattern. */
export const patternOf = ({ pattern, format = '' }: JsonSchema): string | undefined =>
  pattern ?? patterns.get(format)
