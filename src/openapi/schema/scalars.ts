/** Describes codecs that contain no other codecs. */
import type { Codec } from '../../codec/codec.ts'
import type { JsonSchema } from '../../codec/json-schema.ts'
import { isLosslessNumber } from '../../codec/json-number.ts'
import { jsonArray, jsonObject, jsonStructure, jsonValue } from '../../codec/json/json-value.ts'
import { lastEventId, uuid } from '../../codec/scalar.ts'
import { duration } from '../../codec/temporal/duration.ts'
import { children } from '../../codec/codec-structure.ts'
import * as t from 'io-ts'
import { anyOf, anything, literals, nothing } from './combine-schemas.ts'
import { dateSchema } from './dates.ts'
import type { Use } from './fold.ts'

/** Describes a codec without inner codecs. Returns `undefined` for an opaque codec. */
export const scalarSchema = (codec: Codec, use: Use): JsonSchema | undefined =>
  predefinedSchema(codec, use) ?? dateSchema(codec) ?? byTag(codec)

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
  // without a pattern, as dates
  [uuid.validate, { type: 'string', format: 'uuid' }],
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
  switch (codec._tag) {
    case 'StringType':
      return { type: 'string' }
    case 'NumberType':
      return { type: 'number' }
    case 'BooleanType':
      return { type: 'boolean' }
    case 'NullType':
      return { type: 'null' }
    case 'UndefinedType':
    case 'VoidType':
    case 'NeverType':
    case 'FunctionType':
      return nothing
    case 'UnknownType':
    case 'AnyType':
      return anything
    case 'AnyDictionaryType':
      return { type: 'object' }
    case 'AnyArrayType':
      return { type: 'array' }
    case 'ObjectType':
      return { type: ['object', 'array'] }
    case 'LiteralType':
      return 'value' in codec ? literalsSchema([codec.value]) : undefined
    case 'EnumType':
      return 'values' in codec && t.UnknownArray.is(codec.values)
        ? literalsSchema(codec.values)
        : undefined
    case 'KeyofType':
      return 'keys' in codec && t.UnknownRecord.is(codec.keys)
        ? literalsSchema(Object.keys(codec.keys))
        : undefined
    default:
      return undefined
  }
}

const literalsSchema = (values: ReadonlyArray<unknown>): JsonSchema =>
  anyOf(
    [...new Set(values.map((value) => typeof value))].map((type) =>
      literals(
        type,
        values.filter((value) => typeof value === type),
      ),
    ),
  )
