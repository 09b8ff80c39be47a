/** Describes constraints and default values. */
import type { Constraint } from '../../codec/constraint.ts'
import { requiresIntegers } from '../../codec/constraint.ts'
import type { JsonSchema } from '../../codec/json-schema.ts'
import { compileCodec } from '../../codec/compiled/compiled-codec.ts'
import { interpretedBackEnd } from '../../codec/compiled/interpreted-back-end.ts'
import type { DefaultSchema, RefinementSchema } from '../../codec/schema/schema.ts'
import { fullVisibility } from '../../codec/visibility/visibility.ts'
import { numbersOf } from '../../body/json/json-rules.ts'
import { portablePattern } from '../../regex-safety/portable-pattern.ts'
import { allOf, withKeywords } from './combine-schemas.ts'
import { attemptTo } from './fold.ts'
import type { Use } from './fold.ts'

/** The range of safe integers. */
const safe = Number.MAX_SAFE_INTEGER

/** Adds the condition of a refinement to a schema. Conditions of the application are unknown. */
export const refine = (
  schema: JsonSchema,
  { holds, constraint }: Pick<RefinementSchema, 'holds' | 'constraint'>,
): JsonSchema => {
  if (constraint !== undefined) return constrain(schema, constraint)
  if (schema.type !== 'number' || !requiresIntegers(holds)) return schema
  return attemptTo(() => holds(safe + 1)) === true
    ? { ...schema, type: 'integer' }
    : { ...schema, type: 'integer', minimum: -safe, maximum: safe }
}

const constrain = (schema: JsonSchema, constraint: Constraint): JsonSchema => {
  const { minimum, maximum, minLength, maxLength, pattern, flags = '' } = constraint
  const portable = pattern === undefined ? undefined : portablePattern(new RegExp(pattern, flags))
  // strings that represent numbers have no keywords for bounds
  const prefix = schema.type === 'string' ? 'x-' : ''
  const keywords: JsonSchema = {
    ...lowerBound(`${prefix}minimum`, minimum),
    ...upperBound(`${prefix}maximum`, maximum),
    ...lowerBound('minLength', minLength),
    ...upperBound('maxLength', maxLength),
    ...(portable === undefined ? {} : { pattern: portable }),
  }
  return '$ref' in schema || 'allOf' in schema || 'anyOf' in schema
    ? allOf([schema, keywords])
    : withKeywords(...tightened(schema, keywords))
}

const lowerBound = (keyword: string, value: number | undefined): JsonSchema =>
  value === undefined || value === -Infinity ? {} : { [keyword]: value }

const upperBound = (keyword: string, value: number | undefined): JsonSchema =>
  value === undefined || value === Infinity ? {} : { [keyword]: value }

/** Merges numeric bounds into those of a schema. Returns the new schema and the remaining keywords. */
const tightened = (schema: JsonSchema, keywords: JsonSchema): readonly [JsonSchema, JsonSchema] => {
  const merged: Record<string, unknown> = { ...schema }
  const rest: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(keywords)) {
    const present = merged[keyword]
    if (typeof value !== 'number') rest[keyword] = value
    else if (typeof present !== 'number') merged[keyword] = value
    else
      merged[keyword] = keyword.includes('min')
        ? Math.max(present, value)
        : Math.min(present, value)
  }
  return [merged, rest]
}

/** Returns the keyword for a default value. Returns no keywords if the value has no JSON form. */
export const defaultOf = (
  { inner: { reported }, defaultValue }: DefaultSchema,
  { isText, isLossless }: Use,
): JsonSchema => {
  const numbers = numbersOf(reported, isText || isLossless)
  const { write } = compileCodec(reported, 'drop', interpretedBackEnd, fullVisibility, numbers)
  const text = attemptTo(() => write(defaultValue))
  const value: unknown = typeof text === 'string' ? JSON.parse(text) : undefined
  return value === undefined ? {} : { default: value }
}
