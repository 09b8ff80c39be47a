/** Describes codecs that contain no other codecs. */
import type { Codec } from '../../codec/codec.ts'
import type { JsonSchema } from '../../codec/json-schema.ts'
import { isLosslessNumber } from '../../codec/json-number.ts'
import { jsonArray, jsonObject, jsonStructure, jsonValue } from '../../codec/json/json-value.ts'
import { lastEventId, uuid } from '../../codec/scalar.ts'
import { duration } from '../../codec/temporal/duration.ts'
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
import { children } from '../../codec/codec-structure.ts'
import * as t from 'io-ts'
import { anyOf, anything, literals, nothing } from './combine-schemas.ts'
import type { Use } from './fold.ts'
import { present } from './present.ts'

/** Describes a codec without inner codecs. Returns `undefined` for an opaque codec. */
export const scalarSchema = (codec: Codec, use: Use): JsonSchema | undefined =>
  predefinedSchema(codec, use) ?? expressionSchema(codec) ?? byTag(codec)

const predefinedSchema = (
  codec: Codec,
  { isText, isLossless, direction }: Use,
): JsonSchema | undefined => {
  const isBigint = codec._tag === 'BigIntType'
  if (!isBigint && !isLosslessNumber(codec)) return predefined.get(codec.validate)
  // not by name, which `t.recursion` replaces
  const exact = isBigint || codec.is(0n) ? exactInteger : exactDecimal
  if (isText) return exact.asNumber
  if (!isLossless) return exact.asText
  return direction === 'output' ? exact.asNumber : anyOf([exact.asNumber, exact.asText])
}

/** The schemas of a number that is a string in JSON, and a number in lossless JSON and in text. */
interface ExactNumber {
  readonly asText: JsonSchema
  readonly asNumber: JsonSchema
}

/** The schemas of `bigint` and `t.bigint`. */
const exactInteger: ExactNumber = {
  asText: { type: 'string', pattern: '^[+-]?[0-9]{1,1000}$' },
  asNumber: { type: 'integer' },
}

/** The schemas of `decimal`. */
const exactDecimal: ExactNumber = {
  asText: {
    type: 'string',
    format: 'decimal',
    pattern: '^[+-]?[0-9]+(\\.[0-9]+)?([eE][+-]?0*[0-9]{1,4})?$',
  },
  asNumber: { type: 'number', format: 'decimal' },
}

const durationPart = (unit: string): string => `([+-]?[0-9]{1,16}[${unit}])?`

/** The grammar of durations: at least one part, and at least one part after `T`. */
const durationPattern = `^[+-]?[Pp](?!$)${['Yy', 'Mm', 'Ww', 'Dd'].map(durationPart).join('')}([Tt](?!$)${durationPart('Hh')}${durationPart('Mm')}([+-]?[0-9]{1,16}([.,][0-9]{1,9})?[Ss])?)?$`

/** Predefined codecs by their `validate` function, which annotated copies of a codec share. */
const predefined: ReadonlyMap<Codec['validate'], JsonSchema> = new Map<
  Codec['validate'],
  JsonSchema
>([
  // formats of JSON Schema (JSON Schema Validation, 7.3.1) have no pattern: the server reads a superset of them, and client generators
  // convert the texts to other values, with which generated code cannot match a pattern
  [uuid.validate, { type: 'string', format: 'uuid' }],
  [plainDate.validate, { type: 'string', format: 'date' }],
  [offsetTime.validate, { type: 'string', format: 'time' }],
  [offsetDateTime.validate, { type: 'string', format: 'date-time' }],
  [instant.validate, { type: 'string', format: 'date-time' }],
  // the text can also be a date without a time
  [date.validate, { type: 'string', format: 'date-time' }],
  [
    duration.validate,
    {
      type: 'string',
      format: 'duration',
      pattern: durationPattern,
    },
  ],
  [jsonValue.validate, anything],
  [jsonObject.validate, { type: 'object' }],
  [jsonArray.validate, { type: 'array' }],
  [jsonStructure.validate, { type: ['object', 'array'] }],
  ...children(lastEventId)
    .filter(({ _tag }) => _tag === undefined)
    .map(({ validate }) => [validate, { type: 'string' }] as const),
])

const byTag = (codec: Codec): JsonSchema | undefined => {
  if ('value' in codec && codec._tag === 'LiteralType') return literalsSchema([codec.value])
  if ('values' in codec && codec._tag === 'EnumType')
    return t.UnknownArray.is(codec.values) ? literalsSchema(codec.values) : undefined
  if ('keys' in codec && codec._tag === 'KeyofType')
    return t.UnknownRecord.is(codec.keys) ? literalsSchema(Object.keys(codec.keys)) : undefined
  return schemasByTag.get(codec._tag ?? '')
}

const schemasByTag: ReadonlyMap<string, JsonSchema> = new Map<string, JsonSchema>([
  ['StringType', { type: 'string' }],
  ['NumberType', { type: 'number' }],
  ['BooleanType', { type: 'boolean' }],
  ['NullType', { type: 'null' }],
  ['UndefinedType', nothing],
  ['VoidType', nothing],
  ['NeverType', nothing],
  ['FunctionType', nothing],
  ['UnknownType', anything],
  ['AnyType', anything],
  ['AnyDictionaryType', { type: 'object' }],
  ['AnyArrayType', { type: 'array' }],
  ['ObjectType', { type: ['object', 'array'] }],
])

const literalsSchema = (values: ReadonlyArray<unknown>): JsonSchema =>
  anyOf(
    [...new Set(values.map((value) => typeof value))].map((type) =>
      literals(
        type,
        values.filter((value) => typeof value === type),
      ),
    ),
  )

/** Describes a codec for dates or times by its regular expression. Returns `undefined` for other codecs. */
const expressionSchema = (codec: Codec): JsonSchema | undefined => {
  if (!hasTextExpression(codec)) return undefined
  const format = registeredFormats.get(codec.validate)
  return { type: 'string', ...present({ format, pattern: portablePattern(codec.expression) }) }
}

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
