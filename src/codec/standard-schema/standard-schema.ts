/**
 * Creates codecs from the schemas of libraries that implement Standard Schema, such as Zod, Valibot and ArkType.
 *
 * Schemas can parse values, but cannot encode them. To encode a value, the codec converts it to an input value and parses this
 * input with the schema. Parsing strips undeclared members and rejects invalid values. Asynchronous validation is not supported
 * and causes a `TypeError`.
 *
 * @see https://standardschema.dev
 */
import * as t from 'io-ts'

type JsonSchema = Readonly<Record<string, unknown>>

/** Returns a function that copies a value without the members that the JSON Schema does not declare. */
export const stripByJsonSchema = (root: unknown): ((value: unknown) => unknown) => {
  const strip = (value: unknown, schemas: ReadonlyArray<unknown>): unknown => {
    const alternatives = expandSchemas(schemas, root)
    if (alternatives.length === 0) return value
    if (Array.isArray(value))
      return value.map((element, index) => strip(element, elementSchemas(alternatives, index)))
    if (!isPlain(value)) return value
    const objects = alternatives.filter(mayBeObject)
    if (objects.length === 0) return value
    const members = Object.entries(value).flatMap(([name, member]) => {
      const declared = objects.flatMap((schema) => memberSchemas(schema, name))
      return declared.length === 0 ? [] : [[name, strip(member, declared)] as const]
    })
    return Object.fromEntries(members)
  }
  return (value) => strip(value, [root])
}

/** Returns the given schemas together with all schemas that they reference or combine. */
const expandSchemas = (
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
const resolveReference = (reference: string, root: unknown): unknown => {
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
const memberSchemas = (schema: JsonSchema, name: string): ReadonlyArray<unknown> => {
  const { properties, patternProperties, additionalProperties } = schema
  if (isObject(properties) && Object.hasOwn(properties, name)) return [properties[name]]
  const matching = isObject(patternProperties)
    ? Object.entries(patternProperties).filter(([pattern]) => new RegExp(pattern, 'u').test(name))
    : []
  if (matching.length > 0) return matching.map(([, member]) => member)
  if (additionalProperties !== undefined)
    return additionalProperties === false ? [] : [additionalProperties]
  return allowsAnyMember(schema) ? [anything] : []
}

/** Whether a schema contains no keywords that declare object members. Such a schema allows arbitrary members. */
const allowsAnyMember = (schema: JsonSchema): boolean =>
  [...combinators, '$ref', 'properties', 'patternProperties'].every(
    (keyword) => schema[keyword] === undefined,
  )

const mayBeObject = ({ type }: JsonSchema): boolean =>
  type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'))

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a value is a plain object. Class instances are excluded, because they can define their own JSON form. */
const isPlain = (value: unknown): value is JsonSchema => {
  if (!isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

/** A schema that implements Standard Schema. `I` is the input type, and `O` is the output type. */
export interface StandardSchema<I, O> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<O> | Promise<StandardResult<O>>
    readonly types?: { readonly input: I; readonly output: O } | undefined
  }
}

export type StandardResult<O> =
  | { readonly value: O; readonly issues?: undefined }
  | { readonly issues: ReadonlyArray<StandardIssue> }

export interface StandardIssue {
  readonly message: string
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
}

/** A codec that parses values with a Standard Schema. */
export class StandardType<I, O> extends t.Type<O, I> {
  readonly _tag = 'StandardType' as const
  readonly schema: StandardSchema<I, O>
  /** Whether encoded values are inputs of the schema rather than outputs, because an `encode` function converts them. */
  readonly encodesInputs: boolean
  /**
   * Returns whether the schema keeps undeclared members and the codec cannot strip them. Such a codec must not be used in a
   * response.
   */
  readonly keepsUndeclared: () => boolean
  constructor(
    schema: StandardSchema<I, O>,
    accepts: (value: unknown) => boolean,
    encode: (value: O) => I,
    keepsUndeclared: () => boolean,
    encodesInputs: boolean,
  ) {
    super(
      schema['~standard'].vendor,
      (value): value is O => accepts(value),
      (value, context) => {
        const result = parse(schema, value)
        return result.issues === undefined
          ? t.success(result.value)
          : t.failures(result.issues.map((issue) => toValidationError(issue, value, context)))
      },
      encode,
    )
    this.schema = schema
    this.keepsUndeclared = keepsUndeclared
    this.encodesInputs = encodesInputs
  }
}

const parse = <O>(schema: StandardSchema<unknown, O>, value: unknown): StandardResult<O> => {
  const result = schema['~standard'].validate(value)
  if (!isPromise(result)) return result
  // the result is ignored, but an unhandled rejection would terminate the process
  result.then(ignore, ignore)
  throw new TypeError(
    `invalid ${schema['~standard'].vendor} schema: asynchronous validation is not supported`,
  )
}

const isPromise = <A>(result: A | Promise<A>): result is Promise<A> =>
  typeof result === 'object' && result !== null && 'then' in result

const ignore = (): void => undefined

/**
 * Converts an issue to a validation error. The message from the schema is not used, because it can contain the invalid value.
 */
const toValidationError = (
  { path = [] }: StandardIssue,
  value: unknown,
  context: t.Context,
): t.ValidationError => {
  const keys = path.map((step) => String(typeof step === 'object' ? step.key : step))
  return {
    value,
    message: memberAt(value, keys) === undefined ? 'is required' : 'is invalid',
    context: [...context, ...keys.map((key) => ({ key, type: t.unknown }))],
  }
}

const memberAt = (value: unknown, keys: ReadonlyArray<string>): unknown =>
  keys.reduce<unknown>(
    (found, key) =>
      typeof found === 'object' && found !== null && Object.hasOwn(found, key)
        ? Reflect.get(found, key)
        : undefined,
    value,
  )

/**
 * Creates a codec from a schema that implements Standard Schema.
 *
 * If the output type differs from the input type, `encode` is required. It converts an output value to an input value that the
 * schema accepts. Parameters are passed to the schema as strings, even if they consist of digits.
 *
 * When the codec encodes a value, it also parses the result with the schema. Parsing strips undeclared members, such as a
 * password hash. Schemas of some libraries, such as ArkType, keep undeclared members. In this case, the codec strips these
 * members if the schema can be converted to JSON Schema and does not explicitly allow additional properties. To keep undeclared
 * members, use the loose object types of the library.
 *
 * `encode` is also required if a schema keeps undeclared members and cannot be converted to JSON Schema. Without `encode`,
 * using such a schema in a response is a configuration error (FW-RESP-001) if it accepts `{}` or `[{}]`. In other cases,
 * encoding a value throws a `TypeError`. Encoding also throws a `TypeError` if the schema rejects the value.
 *
 * Validation errors contain the location of the invalid value. Messages from the schema are not used, because they can contain
 * the value itself.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { fromStandardSchema } from 'espalier'
 *
 * // Zod, Valibot and ArkType create such schemas
 * const validate = (value: unknown) =>
 *   typeof value === 'string' && value !== ''
 *     ? { value }
 *     : { issues: [{ message: 'must be a name' }] }
 * const name = fromStandardSchema<string>({ '~standard': { version: 1, vendor: 'example', validate } })
 *
 * assert.deepEqual(name.decode('ann'), E.right('ann'))
 * assert.ok(E.isLeft(name.decode('')))
 * ```
 */
export function fromStandardSchema<A>(schema: StandardSchema<A, A>): StandardType<A, A>
export function fromStandardSchema<I, O>(
  schema: StandardSchema<I, O>,
  encode: (value: O) => I,
): StandardType<I, O>
export function fromStandardSchema(
  schema: StandardSchema<unknown, unknown>,
  customEncode?: (value: unknown) => unknown,
): StandardType<unknown, unknown> {
  const { vendor } = schema['~standard']
  const encode = customEncode ?? t.identity
  let memoized: Strip | undefined
  const strip = (): Strip => (memoized ??= jsonSchemaStrip(schema) ?? t.identity)
  /**
   * Whether the codec relies on parsing to strip undeclared members, because there is neither an `encode` function nor a JSON
   * Schema.
   */
  const isUndescribed = (): boolean => customEncode === undefined && strip() === t.identity
  const keeps = (value: unknown): boolean => {
    const result = tryCall(() => parse(schema, withUndeclared(value)))?.value
    return result !== undefined && result.issues === undefined && hasUndeclared(result.value)
  }
  return new StandardType(
    schema,
    (value) => {
      const input = tryCall(() => encode(value))
      return input !== undefined && parse(schema, input.value).issues === undefined
    },
    (value) => {
      const input = encode(value)
      if (isUndescribed() && keeps(input))
        throw new TypeError(
          `the ${vendor} schema keeps undeclared members: pass an encode function that returns only the declared ones`,
        )
      const result = parse(schema, input)
      if (result.issues !== undefined)
        throw new TypeError(
          `invalid value for the ${vendor} schema: if the schema does not accept its own output as input, pass an encode function`,
        )
      return encode(strip()(result.value))
    },
    () => isUndescribed() && (keeps({}) || keeps([{}])),
    customEncode !== undefined,
  )
}

type Strip = (value: unknown) => unknown

/**
 * Calls a function provided by the application. Returns `undefined` if the function throws, for example for an unexpected
 * value.
 */
const tryCall = <A>(run: () => A): { readonly value: A } | undefined => {
  try {
    return { value: run() }
  } catch {
    return undefined
  }
}

/**
 * Returns a function that removes undeclared members from values that the schema has parsed. Returns `undefined` if the schema
 * cannot be converted to JSON Schema.
 */
const jsonSchemaStrip = (
  schema: StandardSchema<unknown, unknown>,
): ((value: unknown) => unknown) | undefined => {
  const described = jsonSchemaOf(schema, 'output')
  return described === undefined ? undefined : stripByJsonSchema(described)
}

/**
 * Returns the JSON Schema of the values that a schema accepts or returns. Returns `undefined` if the schema cannot be converted to
 * JSON Schema.
 *
 * @see https://standardschema.dev/json-schema
 */
export const jsonSchemaOf = (
  schema: StandardSchema<unknown, unknown>,
  direction: 'input' | 'output',
): unknown => {
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

const name = 'espalier:undeclared'

/** The value of members added by {@link withUndeclared}. Only schemas that allow arbitrary values accept a symbol. */
const undeclared = Symbol(name)

/** Returns a copy of a value. An undeclared member is added to each object in the copy. */
const withUndeclared = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withUndeclared)
  if (!isPlain(value)) return value
  const members = Object.entries(value).map(([key, member]) => [key, withUndeclared(member)])
  return { ...Object.fromEntries(members), [name]: undeclared }
}

/** Whether a value contains a member added by {@link withUndeclared}. */
const hasUndeclared = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(hasUndeclared)
    : isPlain(value) && (value[name] === undeclared || Object.values(value).some(hasUndeclared))
