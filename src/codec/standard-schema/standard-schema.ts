/**
 * Codecs of zod, valibot, arktype and other libraries that implement Standard Schema.
 *
 * A schema only decodes. Encoded values are parsed by the schema too, which strips undeclared members and rejects invalid
 * values. A schema that validates asynchronously throws a `TypeError`.
 *
 * @see https://standardschema.dev
 */
import * as t from 'io-ts'
import { stripByJsonSchema, isPlain } from './strip-by-json-schema.ts'

/** The Standard Schema interface, from input type `I` to output type `O`. */
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

/** A codec of a Standard Schema. */
export class StandardType<I, O> extends t.Type<O, I> {
  readonly _tag = 'StandardType' as const
  readonly schema: StandardSchema<I, O>
  /** Whether the schema keeps undeclared members, so that it must not encode values. */
  readonly keepsUndeclared: () => boolean
  constructor(
    schema: StandardSchema<I, O>,
    accepts: (value: unknown) => boolean,
    encode: (value: O) => I,
    keepsUndeclared: () => boolean,
  ) {
    super(
      schema['~standard'].vendor,
      (value): value is O => accepts(value),
      (value, context) => {
        const result = parse(schema, value)
        return result.issues === undefined
          ? t.success(result.value)
          : t.failures(result.issues.map((issue) => at(issue, value, context)))
      },
      encode,
    )
    this.schema = schema
    this.keepsUndeclared = keepsUndeclared
  }
}

const parse = <O>(schema: StandardSchema<unknown, O>, value: unknown): StandardResult<O> => {
  const result = schema['~standard'].validate(value)
  if (!isPromise(result)) return result
  // the result is not used; without a handler, its rejection would end the process
  result.then(ignore, ignore)
  throw new TypeError(`the ${schema['~standard'].vendor} schema validates asynchronously`)
}

const isPromise = <A>(result: A | Promise<A>): result is Promise<A> =>
  typeof result === 'object' && result !== null && 'then' in result

const ignore = (): void => undefined

/** Converts an issue to a validation error. The message of the schema is not used, because it may repeat the value. */
const at = (
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
 * Makes a codec of a schema. If its output type differs from its input type, `encode` is required: it converts an output back to
 * an input that the schema accepts. A parameter is passed to the schema as text, digits too.
 *
 * A value is encoded as the schema parses it, which strips undeclared members, such as a password hash. Members that parsing
 * keeps, as arktype does, are stripped if the schema describes its output as JSON Schema and does not allow additional
 * properties explicitly; use the loose objects of the library to keep them. A schema without JSON Schema that keeps undeclared
 * members needs `encode`: without it, a response with such a schema is a configuration error (FW-RESP-001) if the schema accepts an
 * empty object or list, and encoding a value throws a `TypeError` otherwise. Encoding also throws for a value that the schema does
 * not accept.
 *
 * Validation errors tell where a value is invalid. The messages of the schema are not used, because they may repeat the value.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import * as E from 'fp-ts/lib/Either.js'
 * import { standard } from 'espalier'
 *
 * // a schema as zod, valibot or arktype make them
 * const validate = (value: unknown) =>
 *   typeof value === 'string' && value !== ''
 *     ? { value }
 *     : { issues: [{ message: 'has to be a name' }] }
 * const name = standard<string>({ '~standard': { version: 1, vendor: 'handmade', validate } })
 *
 * assert.deepEqual(name.decode('ann'), E.right('ann'))
 * assert.ok(E.isLeft(name.decode('')))
 * ```
 */
export function standard<A>(schema: StandardSchema<A, A>): StandardType<A, A>
export function standard<I, O>(
  schema: StandardSchema<I, O>,
  encode: (value: O) => I,
): StandardType<I, O>
export function standard(
  schema: StandardSchema<unknown, unknown>,
  own?: (value: unknown) => unknown,
): StandardType<unknown, unknown> {
  const { vendor } = schema['~standard']
  const encode = own ?? t.identity
  let described: Strip | undefined
  const strip = (): Strip => (described ??= jsonSchemaStrip(schema) ?? t.identity)
  /** Whether only parsing can strip undeclared members. */
  const isUndescribed = (): boolean => own === undefined && strip() === t.identity
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
          `the ${vendor} schema keeps undeclared members: give standard a function that returns the declared ones`,
        )
      const result = parse(schema, input)
      if (result.issues !== undefined)
        throw new TypeError(
          `the ${vendor} schema does not accept a value that is written: its output must be valid input, or give standard a function that encodes it`,
        )
      return encode(strip()(result.value))
    },
    () => isUndescribed() && (keeps({}) || keeps([{}])),
  )
}

type Strip = (value: unknown) => unknown

/** Calls a function of the application, which may throw for unexpected values. */
const tryCall = <A>(act: () => A): { readonly value: A } | undefined => {
  try {
    return { value: act() }
  } catch {
    return undefined
  }
}

/**
 * Returns a function that strips the undeclared members which parsing keeps. Returns `undefined` if the schema does not
 * describe its output.
 */
const jsonSchemaStrip = (
  schema: StandardSchema<unknown, unknown>,
): ((value: unknown) => unknown) | undefined => {
  const own: object = schema['~standard']
  const converter: unknown = 'jsonSchema' in own ? own.jsonSchema : undefined
  const output: unknown =
    typeof converter === 'object' && converter !== null
      ? Reflect.get(converter, 'output')
      : undefined
  if (typeof output !== 'function') return undefined
  // by default, zod and arktype throw for types without JSON Schema, such as dates
  const libraryOptions = { unrepresentable: 'any', fallback: () => ({}) }
  const described = tryCall(() =>
    Reflect.apply(output, converter, [{ target: 'draft-2020-12', libraryOptions }]),
  )
  return described === undefined ? undefined : stripByJsonSchema(described.value)
}

const name = 'espalier:undeclared'

/** A value that only a schema for arbitrary values accepts. */
const undeclared = Symbol(name)

/** Returns a copy of a value in which each object has an undeclared member. */
export const withUndeclared = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withUndeclared)
  if (!isPlain(value)) return value
  const members = Object.entries(value).map(([key, member]) => [key, withUndeclared(member)])
  return { ...Object.fromEntries(members), [name]: undeclared }
}

/** Whether a value contains a member that {@link withUndeclared} added. */
export const hasUndeclared = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(hasUndeclared)
    : isPlain(value) && (value[name] === undeclared || Object.values(value).some(hasUndeclared))
