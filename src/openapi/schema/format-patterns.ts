/** The patterns of formats that are described without one (RFC 3339, 5.6, and RFC 9562, 4). */
import type { JsonSchema } from '../../codec/json-schema.ts'

const fullDate = '[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])'
const sixtieth = '[0-5][0-9]'
const hour = '([01][0-9]|2[0-3])'
const fullTime = `${hour}:${sixtieth}:(${sixtieth}|60)(\\.[0-9]{1,9})?([Zz]|[+-]${hour}:${sixtieth})`
const hex = '[0-9A-Fa-f]'

const patterns: ReadonlyMap<string, string> = new Map([
  ['date', `^${fullDate}$`],
  ['time', `^${fullTime}$`],
  ['date-time', `^${fullDate}[Tt]${fullTime}$`],
  ['uuid', `^${hex}{8}-(${hex}{4}-){3}${hex}{12}$`],
])

/** Returns the pattern of a schema, or of its format. Names of members are described by a pattern. */
export const patternOf = ({ pattern, format = '' }: JsonSchema): string | undefined =>
  pattern ?? patterns.get(format)
