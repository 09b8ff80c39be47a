/** Combines JSON Schemas into alternatives and conjunctions, and simplifies the result. */
import type { JsonSchema } from '../../codec/json-schema.ts'
import { present } from './present.ts'

/** A schema that accepts every value. */
export const anything: JsonSchema = {}

/** A schema that rejects every value. */
export const nothing: JsonSchema = { not: {} }

export const isAnything = (schema: JsonSchema): boolean => Object.keys(schema).length === 0

const isNothing = ({ not, ...others }: JsonSchema): boolean =>
  not !== undefined && isAnything(not) && isAnything(others)

/**
 * Returns a schema that accepts the values of any of several schemas. Literals of one type become one `enum`, and `null` is added to
 * the `type` of a schema if possible.
 */
export const anyOf = (schemas: ReadonlyArray<JsonSchema>): JsonSchema => {
  const alternatives = withNull(mergeLiterals(distinct(schemas.flatMap(alternativesOf))))
  const [only, ...others] = alternatives
  if (only === undefined) return nothing
  if (alternatives.some(isAnything)) return anything
  return others.length === 0 ? only : { anyOf: alternatives }
}

const alternativesOf = (schema: JsonSchema): ReadonlyArray<JsonSchema> => {
  if (isNothing(schema)) return []
  const [keyword, ...others] = Object.keys(schema)
  return keyword === 'anyOf' && others.length === 0 ? (schema.anyOf ?? []) : [schema]
}

/** Returns JSON values without equal ones. */
export const distinct = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
]

/** Returns the literals of a schema that consists of literals of one type, or `undefined` for other schemas. */
const literalsOf = (schema: JsonSchema): ReadonlyArray<unknown> | undefined =>
  Object.keys(schema).every((keyword) => literalKeywords.has(keyword)) &&
  typeof schema.type === 'string'
    ? 'const' in schema
      ? [schema.const]
      : schema.enum
    : undefined

const literalKeywords: ReadonlySet<string> = new Set(['type', 'const', 'enum'])

/** Returns a schema for literals of one type. */
export const literals = (type: string, values: ReadonlyArray<unknown>): JsonSchema =>
  values.length === 1 ? { type, const: values[0] } : { type, enum: values }

/** Merges literals of the same type into the first schema with such literals. */
const mergeLiterals = (schemas: ReadonlyArray<JsonSchema>): ReadonlyArray<JsonSchema> => {
  const merged: JsonSchema[] = []
  for (const schema of schemas) {
    const values = literalsOf(schema)
    const at = merged.findIndex(
      (other) => other.type === schema.type && literalsOf(other) !== undefined,
    )
    const earlier = merged[at]
    if (values === undefined || earlier === undefined) merged.push(schema)
    else
      merged[at] = literals(String(schema.type), [
        ...new Set([...(literalsOf(earlier) ?? []), ...values]),
      ])
  }
  return merged
}

/** Adds `null` to the type of the other schema if there are two schemas, one of which is `null`. */
const withNull = (schemas: ReadonlyArray<JsonSchema>): ReadonlyArray<JsonSchema> => {
  const [other, ...rest] = schemas.filter(({ type }) => type !== 'null')
  if (rest.length > 0 || other === undefined || schemas.length === 1) return schemas
  if (typeof other.type !== 'string') return schemas
  const type = [other.type, 'null']
  if (other.enum !== undefined) return [{ ...other, type, enum: [...other.enum, null] }]
  if ('const' in other) {
    const { const: value, ...keywords } = other
    return [{ ...keywords, type, enum: [value, null] }]
  }
  return [{ ...other, type }]
}

/** Returns a schema that accepts the values that all of several schemas accept. */
export const allOf = (schemas: ReadonlyArray<JsonSchema>): JsonSchema => {
  const parts = mergeObjects(distinct(schemas.filter((schema) => !isAnything(schema))))
  const [only, ...others] = parts
  if (only === undefined) return anything
  return others.length === 0 ? only : { allOf: parts }
}

/** Merges plain object schemas. Object schemas that reject undeclared members are merged if they declare the same members. */
const mergeObjects = (schemas: ReadonlyArray<JsonSchema>): ReadonlyArray<JsonSchema> => {
  const merged: JsonSchema[] = []
  for (const schema of schemas) {
    const at = merged.findIndex((other) => areMergeable(other, schema))
    const earlier = merged[at]
    if (earlier === undefined) merged.push(schema)
    else merged[at] = mergePair(earlier, schema)
  }
  return merged
}

const mergePair = (a: JsonSchema, b: JsonSchema): JsonSchema => {
  const required = [...new Set([...(a.required ?? []), ...(b.required ?? [])])]
  const { properties: first = {} } = a
  const { properties: second = {} } = b
  const names = [...new Set([...Object.keys(first), ...Object.keys(second)])]
  return {
    type: 'object',
    properties: Object.fromEntries(
      names.map((name) => [name, allOf([first[name] ?? {}, second[name] ?? {}])]),
    ),
    ...present({ required }),
    ...('additionalProperties' in a ? { additionalProperties: false } : {}),
  }
}

const areMergeable = (a: JsonSchema, b: JsonSchema): boolean =>
  isPlainObject(a) &&
  isPlainObject(b) &&
  a.additionalProperties === b.additionalProperties &&
  (a.additionalProperties === undefined || namesOf(a) === namesOf(b))

const namesOf = ({ properties }: JsonSchema): string =>
  JSON.stringify(Object.keys(properties ?? {}).toSorted())

const isPlainObject = (schema: JsonSchema): boolean =>
  schema.type === 'object' &&
  typeof schema.additionalProperties !== 'object' &&
  Object.keys(schema).every((keyword) => objectKeywords.has(keyword))

const objectKeywords: ReadonlySet<string> = new Set([
  'type',
  'properties',
  'required',
  'additionalProperties',
])

/** Adds keywords to a schema. If the schema already has one of them, both schemas must accept a value. */
export const withKeywords = (schema: JsonSchema, keywords: JsonSchema): JsonSchema => {
  const names = Object.keys(keywords)
  if (names.length === 0) return schema
  return names.some((name) => Object.hasOwn(schema, name))
    ? allOf([schema, keywords])
    : { ...schema, ...keywords }
}

/** Adds annotations, such as a description, to a schema. They replace those of the schema. */
export const annotated = (schema: JsonSchema, annotations: JsonSchema): JsonSchema => ({
  ...schema,
  ...annotations,
})
