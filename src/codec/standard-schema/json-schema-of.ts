/** Reads the JSON Schemas that libraries provide for their schemas, and removes the members of a value that a JSON Schema does not declare. */
import type { AnySchema } from './schema-types.ts'
import { isPlainObject } from '../../http/platform-value.ts'

/**
 * Returns the JSON Schema of the values that a schema accepts or returns. Returns `undefined` if the schema cannot be converted to
 * JSON Schema.
 *
 * @see https://standardschema.dev/json-schema
 */
export const jsonSchemaOf = (schema: AnySchema, direction: 'input' | 'output'): unknown => {
  const properties: object = schema['~standard']
  const converter: unknown = 'jsonSchema' in properties ? properties.jsonSchema : undefined
  const convert: unknown =
    typeof converter === 'object' && converter !== null
      ? Reflect.get(converter, direction)
      : undefined
  if (typeof convert !== 'function') return undefined
  // by default, Zod and ArkType throw an error for types without a JSON Schema form, such as dates
  const libraryOptions = { unrepresentable: 'any', fallback: () => ({}) }
  return tryCall(() =>
    Reflect.apply(convert, converter, [{ target: 'draft-2020-12', libraryOptions }]),
  )?.value
}

/**
 * Calls a function provided by the application. Returns `undefined` if the function throws, for example for an unexpected
 * value.
 */
export const tryCall = <A>(run: () => A): { readonly value: A } | undefined => {
  try {
    return { value: run() }
  } catch {
    return undefined
  }
}

type JsonSchema = Readonly<Record<string, unknown>>

/**
 * Returns a function that copies a value without the members that the JSON Schema does not declare.
 *
 * `dropsAdditional` determines whether `additionalProperties: true` declares members. In the JSON Schemas of Effect, it only states that
 * undeclared members are ignored; a schema that keeps them has another object instead.
 */
export const stripByJsonSchema = (
  root: unknown,
  dropsAdditional = false,
): ((value: unknown) => unknown) => {
  const strip = (value: unknown, schemas: ReadonlyArray<unknown>): unknown => {
    const alternatives = expandSchemas(schemas, root)
    if (alternatives.length === 0) return value
    if (Array.isArray(value))
      return value.map((element, index) => strip(element, elementSchemas(alternatives, index)))
    if (!isPlain(value)) return value
    const objects = alternatives.filter(mayBeObject)
    if (objects.length === 0) return value
    const members = Object.entries(value).flatMap(([name, member]) => {
      const declared = objects.flatMap((schema) => memberSchemas(schema, name, dropsAdditional))
      return declared.length === 0 ? [] : [[name, strip(member, declared)] as const]
    })
    return Object.fromEntries(members)
  }
  return (value) => strip(value, [root])
}

/** Returns the given schemas together with all schemas that they reference or combine. */
export const expandSchemas = (
  schemas: ReadonlyArray<unknown>,
  root: unknown,
): ReadonlyArray<JsonSchema> => {
  const found = new Set<JsonSchema>()
  const add = (schema: unknown): void => {
    if (schema === true) return add(anything)
    if (!isObject(schema) || found.has(schema)) return
    found.add(schema)
    if (typeof schema['$ref'] === 'string') add(resolveReference(schema['$ref'], root))
    for (const combinator of combinators) {
      const subschemas = schema[combinator]
      if (Array.isArray(subschemas)) subschemas.forEach(add)
    }
  }
  schemas.forEach(add)
  return [...found]
}

const anything: JsonSchema = {}
const combinators = ['anyOf', 'oneOf', 'allOf']

/**
 * Resolves a reference that consists of a JSON Pointer fragment, such as `#/$defs/a`. Any other reference resolves to a schema
 * that allows all values.
 */
export const resolveReference = (reference: string, root: unknown): unknown => {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return anything
  const steps = reference.slice(2).split('/')
  return steps.reduce<unknown>((at, step) => {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    return isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
  }, root)
}

const elementSchemas = (
  alternatives: ReadonlyArray<JsonSchema>,
  index: number,
): ReadonlyArray<unknown> =>
  alternatives.flatMap(({ prefixItems, items }) => {
    const prefixItem: unknown = Array.isArray(prefixItems) ? prefixItems[index] : undefined
    return prefixItem === undefined ? [items] : [prefixItem]
  })

/** Returns the schemas that apply to a member, or an empty array if the member is undeclared. */
const memberSchemas = (
  schema: JsonSchema,
  name: string,
  dropsAdditional: boolean,
): ReadonlyArray<unknown> => {
  const { properties, patternProperties, additionalProperties } = schema
  if (isObject(properties) && Object.hasOwn(properties, name)) return [properties[name]]
  const matching = isObject(patternProperties)
    ? Object.entries(patternProperties).filter(([pattern]) => new RegExp(pattern, 'u').test(name))
    : []
  if (matching.length > 0) return matching.map(([, member]) => member)
  if (additionalProperties !== undefined)
    return additionalProperties === false || (dropsAdditional && additionalProperties === true)
      ? []
      : [additionalProperties]
  return allowsAnyMember(schema) ? [anything] : []
}

/** Whether a schema contains no keywords that declare object members. Such a schema allows arbitrary members. */
const allowsAnyMember = (schema: JsonSchema): boolean =>
  [...combinators, '$ref', 'properties', 'patternProperties'].every(
    (keyword) => schema[keyword] === undefined,
  )

const mayBeObject = ({ type }: JsonSchema): boolean =>
  type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'))

export const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a value is a plain object. Class instances are excluded, because they can define their own JSON form. */
export const isPlain = (value: unknown): value is JsonSchema => isPlainObject(value)
