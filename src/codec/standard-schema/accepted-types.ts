/** Determines which types of values a schema accepts, as far as its library describes them with JSON Schema. */
import type { Codec } from '../codec.ts'
import { firstFound, isCodec } from '../codec-structure.ts'
import type { AnySchema, StandardSchema } from './schema-types.ts'
import { validateOrPending } from './asynchronous-results.ts'
import { expandSchemas, isObject, jsonSchemaOf, tryCall } from './json-schema-of.ts'

/** Whether a schema accepts arrays and no other values except `null`. A parameter with such a schema has a list of values. */
export const acceptsOnlyLists = (schema: AnySchema): boolean => hasOnly('array', schema)

export const acceptsOnlyBooleans = (schema: AnySchema): boolean => hasOnly('boolean', schema)

/** Whether a schema can accept text. A schema without JSON Schema decides for itself. */
export const acceptsText = (schema: AnySchema): boolean => inputTypes(schema)?.has('string') ?? true

/** Whether a schema accepts objects or arrays, and no text or other single values. */
export const acceptsOnlyStructures = (schema: AnySchema): boolean => {
  const types = inputTypes(schema)
  return types !== undefined && [...types].every((type) => type === 'object' || type === 'array')
}

/**
 * Whether a schema accepts objects or arrays, and no text or other single values. A schema without JSON Schema accepts objects if it
 * validates the members of an empty one.
 */
export const describesStructures = (schema: StandardSchema<unknown, unknown>): boolean => {
  if (inputTypes(schema) !== undefined) return acceptsOnlyStructures(schema)
  const validatesMembers = (value: unknown): boolean => {
    const validated = tryCall(() => validateOrPending(schema, value))?.value
    return validated?.issues?.some(({ path = [] }) => path.length > 0) ?? validated !== undefined
  }
  return emptyStructures.some(validatesMembers) && !validatesMembers('')
}

/** An empty object, and a list that contains one. */
export const emptyStructures: ReadonlyArray<unknown> = [{}, [{}]]

/** Returns the types of the outputs of a schema that its JSON Schema names, or `undefined` if they are not known. */
export const outputTypes = (schema: AnySchema): ReadonlySet<string> | undefined => {
  const types = typesOf(jsonSchemaOf(schema, 'output'))
  return types && new Set(types)
}

/**
 * Returns the names of the members that the outputs of a schema have according to its JSON Schema. Returns `undefined` if the JSON
 * Schema is missing, or does not describe only objects and `null`.
 */
export const memberNames = (schema: AnySchema): ReadonlyArray<string> | undefined => {
  const root = jsonSchemaOf(schema, 'output')
  const described = expandSchemas([root], root)
  const types = described.flatMap((part) => typesOf(part) ?? [])
  return types.includes('object') && types.every((type) => type === 'object' || type === 'null')
    ? described.flatMap(({ properties }) => (isObject(properties) ? Object.keys(properties) : []))
    : undefined
}

/** Whether a schema accepts a missing value, for example, because it has a default value. */
export const acceptsMissing = (schema: StandardSchema<unknown, unknown>): boolean => {
  const validated = tryCall(() => validateOrPending(schema, undefined))?.value
  return validated !== undefined && validated.issues === undefined
}

/**
 * Whether a schema validates at least one of several typical values asynchronously. Many libraries return a promise only if they
 * reach an asynchronous part of a schema, so that an asynchronous schema that rejects all these values is not detected.
 */
export const isAsynchronous = (schema: StandardSchema<unknown, unknown>): boolean =>
  [...typicalTexts, undefined, ...typicalTexts.map((text) => [text])].some((value) => {
    const validated = tryCall(() => validateOrPending(schema, value))
    return validated !== undefined && validated.value === undefined
  })

const typicalTexts = [
  '',
  'a',
  'abcdefgh',
  '0',
  '1',
  '100',
  'true',
  '2000-01-01',
  '2000-01-01T00:00:00Z',
  '00000000-0000-4000-8000-000000000000',
  'a@example.org',
  'https://example.org/',
]

/** Whether the JSON Schemas of a schema show that its outputs, or parts of them, have other types than its inputs. */
export const hasOtherOutputs = (schema: AnySchema): boolean =>
  areDisjoint(jsonSchemaOf(schema, 'input'), jsonSchemaOf(schema, 'output'))

const areDisjoint = (input: unknown, output: unknown): boolean => {
  if (!isObject(input) || !isObject(output)) return false
  const inputs = typesOf(input)
  const outputs = typesOf(output)
  if (inputs !== undefined && outputs?.some((type) => inputs.includes(type)) === false) return true
  const { properties } = output
  return (
    areDisjoint(input['items'], output['items']) ||
    (isObject(properties) &&
      isObject(input['properties']) &&
      Object.entries(input['properties']).some(([name, member]) =>
        areDisjoint(member, Object.hasOwn(properties, name) ? properties[name] : undefined),
      ))
  )
}

/**
 * Whether a schema rejects each text, and each list of texts, as `z.number()` does. The structure of the schema decides, because the
 * JSON Schema of zod does not distinguish `z.number()` and `z.coerce.number()`. Returns `false` for schemas of unknown structure.
 */
export const rejectsText = (schema: AnySchema): boolean => {
  const { vendor } = schema['~standard']
  // a schema of valibot to which a JSON Schema was added has no structure
  if (vendor === 'arktype' || (vendor === 'valibot' && !('type' in schema)))
    return rejectsTextByJsonSchema(jsonSchemaOf(schema, 'input'))
  return structuredVendors.has(vendor) && tryCall(() => rejects(schema))?.value === true
}

const structuredVendors: ReadonlySet<string> = new Set(['zod', 'valibot', 'effect'])

const rejectsTextByJsonSchema = (schema: unknown): boolean => {
  if (!isObject(schema)) return false
  const types = typesOf(schema) ?? ['string']
  return types.includes('array')
    ? rejectsTextByJsonSchema(schema['items'])
    : !types.includes('string')
}

const rejects = (schema: unknown): boolean => {
  const node = structureOf(schema)
  if (node === undefined || node['coerce'] === true || 'fallback' in node) return false
  const type = typeIn(node)
  if (textlessTypes.has(type)) return true
  if (type === 'catch' || type === 'success') return false
  const inner = wrapperMembers.find((name) => isStructure(node[name]))
  if (inner !== undefined) return rejects(node[inner])
  if (type === 'literal') return !literalsOf(node).some((value) => typeof value === 'string')
  const { options, types, entries, rest, items, left, right } = node
  if (type === 'intersection') return rejects(left) || rejects(right)
  // a tuple can omit elements with other types, such as optional ones
  if (Array.isArray(items))
    return items.some((item) => textlessTypes.has(typeIn(structureOf(item))) && rejects(item))
  const list = [options, types, type === 'arrays' ? rest : undefined].find(Array.isArray)
  if (list !== undefined)
    return list.every((option: unknown) =>
      isStructure(option) ? rejects(option) : typeof option !== 'string',
    )
  return (
    type === 'enum' &&
    isObject(entries) &&
    Object.values(entries).every((value) => typeof value !== 'string')
  )
}

/** Returns the type that a library gives to a schema, in lower case. */
const typeIn = (node: Readonly<Record<string, unknown>> | undefined): string => {
  const type = node?.['type'] ?? node?.['_tag']
  return typeof type === 'string' ? type.toLowerCase() : ''
}

const literalsOf = ({
  values,
  literal,
}: Readonly<Record<string, unknown>>): ReadonlyArray<unknown> =>
  Array.isArray(values) ? values : [literal]

/** The members of wrappers, lists and conversions of zod and valibot that contain the schema of the input. */
const wrapperMembers = ['innerType', 'wrapped', 'element', 'item', 'in']

/** The types of zod, valibot and effect that accept neither text nor lists. */
const textlessTypes: ReadonlySet<string> = new Set([
  'number',
  'bigint',
  'boolean',
  'date',
  'nan',
  'null',
  'undefined',
  'void',
  'never',
  'symbol',
  'object',
  'strict_object',
  'loose_object',
  'record',
  'map',
  'set',
  'file',
  'blob',
  'instance',
])

/**
 * Returns the object of which the members describe a schema: the definition of zod, the syntax tree of effect, or the schema of valibot
 * itself. Returns `undefined` for other values, and for schemas of effect that convert their input.
 */
const structureOf = (schema: unknown): Readonly<Record<string, unknown>> | undefined => {
  if (!isStructure(schema)) return undefined
  const { _zod: zod, ast } = schema
  if (isStructure(zod)) return isStructure(zod['def']) ? zod['def'] : undefined
  const node = isStructure(ast) ? ast : schema
  return node['encoding'] === undefined ? node : undefined
}

// schemas of effect are functions
const isStructure = (schema: unknown): schema is Readonly<Record<string, unknown>> =>
  (typeof schema === 'object' || typeof schema === 'function') && schema !== null

/**
 * Returns a codec of io-ts inside of a schema, such as that in `z.object({ id: int })`. Libraries do not call it, or throw an error for
 * each value.
 */
export const codecInside = (schema: AnySchema): Codec | undefined => partInside(schema, isCodec)

/** Whether a schema of valibot keeps the undeclared members of an object. */
export const isLoose = (schema: AnySchema): boolean =>
  partInside(schema, isLooseObject) !== undefined

const isLooseObject = (part: unknown): part is object =>
  isStructure(part) && part['type'] === 'loose_object'

/** Returns the first part of a schema that matches. */
const partInside = <A>(schema: AnySchema, matches: (part: unknown) => part is A): A | undefined => {
  const seen = new Set<unknown>()
  const find = (value: unknown): A | undefined => {
    if (!isStructure(value) || seen.has(value)) return undefined
    seen.add(value)
    if (matches(value)) return value
    if (Array.isArray(value)) return firstFound(value, find)
    const zod = isStructure(value['_zod']) ? value['_zod']['def'] : undefined
    const node = isStructure(zod) ? zod : value
    return firstFound(
      partMembers.flatMap((name) => {
        const { [name]: part } = node
        return isMembers(part) ? [part, ...Object.values(part)] : [part]
      }),
      find,
    )
  }
  return tryCall(() => find(schema))?.value
}

/** The members of schemas of zod, valibot and effect that contain other schemas. Other members can be getters with side effects. */
const partMembers =
  'innerType element shape options left right in out keyType valueType items rest catchall wrapped item entries key value fields members from to schema'.split(
    ' ',
  )

/** Whether a value is the record of the members of an object schema. */
const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && !('~standard' in value) && !('_zod' in value) && !isCodec(value)

const hasOnly = (type: string, schema: AnySchema): boolean => {
  const types = inputTypes(schema)
  return (
    types?.has(type) === true && [...types].every((other) => other === type || other === 'null')
  )
}

/** Returns the types named by the JSON Schema of the inputs, or `undefined` if values of any type may be accepted. */
const inputTypes = (schema: AnySchema): ReadonlySet<string> | undefined => {
  const types = typesOf(jsonSchemaOf(schema, 'input'))
  return types === undefined ? undefined : new Set(types)
}

const typesOf = (schema: unknown): ReadonlyArray<string> | undefined => {
  if (!isObject(schema)) return undefined
  const { type, anyOf, oneOf, const: constant, enum: values } = schema
  if (typeof type === 'string') return [typeName(type)]
  if (Array.isArray(type)) return type.map(String).map(typeName)
  if (constant !== undefined) return [typeOf(constant)]
  if (Array.isArray(values)) return values.map(typeOf)
  const alternatives = [anyOf, oneOf].find((list) => Array.isArray(list))?.map(typesOf)
  return alternatives?.every((types) => types !== undefined) === true
    ? alternatives.flat()
    : undefined
}

const typeName = (type: string): string => (type === 'integer' ? 'number' : type)

const typeOf = (value: unknown): string => (value === null ? 'null' : typeof value)
