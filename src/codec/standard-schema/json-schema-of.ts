/** Reads the JSON Schemas that libraries provide for their schemas. */
import type { AnySchema } from './schema-types.ts'

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
