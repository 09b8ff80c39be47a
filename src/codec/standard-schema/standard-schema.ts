/**
 * Creates codecs from the schemas of libraries that implement Standard Schema, such as zod, valibot and arktype.
 *
 * Schemas can parse values, but cannot encode them (`encode-input.ts`). Asynchronous validation is supported only where values are
 * decoded with the results of promises (`asynchronous-results.ts`).
 *
 * @see https://standardschema.dev
 */
import type { AnySchema, SchemaInput, SchemaOutput, StandardSchema } from './schema-types.ts'
import * as t from 'io-ts'
import type { Codec, Scalar } from '../codec.ts'
import { asynchronousValidation, pendingIn, validateNow } from './asynchronous-results.ts'
import type { EncodingFunctions } from './encode-input.ts'
import { encodingFunctions } from './encode-input.ts'
import { issueErrors } from './issue-errors.ts'

/** A codec that parses values with a Standard Schema. */
export class StandardType<I, O> extends t.Type<O, I> {
  readonly _tag = 'StandardType' as const
  readonly schema: StandardSchema<I, O>
  /** Whether encoded values are inputs of the schema rather than outputs, because an `encode` function converts them. */
  readonly encodesInputs: boolean
  /**
   * Returns the reason why values cannot be encoded, such as undeclared members that the codec cannot strip. Such a codec must not
   * be used in a response. Returns `undefined` if no reason is known.
   */
  readonly encodingProblem: () => string | undefined
  constructor(
    schema: StandardSchema<I, O>,
    { accepts, encode, encodingProblem }: EncodingFunctions<I, O>,
    encodesInputs: boolean,
  ) {
    const validateLater = asynchronousValidation(schema)
    super(
      schema['~standard'].vendor,
      (value): value is O => accepts(value),
      (value, context) => {
        const pending = pendingIn(context)
        const result =
          pending === undefined ? validateNow(schema, value) : validateLater(value, pending)
        // the result of an asynchronous schema is not available yet
        if (result === undefined) return t.failures([])
        return result.issues === undefined
          ? t.success(result.value)
          : t.failures(
              result.issues.flatMap((issue) =>
                issueErrors(schema['~standard'].vendor, issue, value, context),
              ),
            )
      },
      encode,
    )
    this.schema = schema
    this.encodingProblem = encodingProblem
    this.encodesInputs = encodesInputs
  }
}

/**
 * Creates a codec from a schema that implements Standard Schema. Schemas are accepted directly wherever a codec is declared. The
 * function is required to use a schema inside of another codec, such as `t.type`, and to pass `encode`.
 *
 * If the outputs of the schema are not inputs, `encode` is required. It converts an output value to an input value that the schema
 * accepts. Parameters are passed to the schema as strings, even if they consist of digits.
 *
 * When the codec encodes a value, it also parses the result with the schema. Parsing strips undeclared members, such as a
 * password hash. Schemas of some libraries, such as ArkType, keep undeclared members. In this case, the codec strips these
 * members if the schema can be converted to JSON Schema and does not explicitly allow additional properties. To keep undeclared
 * members, use the loose object types of the library. The values of asynchronous schemas are not parsed, and are stripped only by
 * their JSON Schema.
 *
 * `encode` is also required if a schema keeps undeclared members and cannot be converted to JSON Schema. Without `encode`, using
 * such a schema in a response is a configuration error (FW-RESP-001) if this can be detected at startup. In other
 * cases, encoding a value throws a `TypeError`. Encoding also throws a `TypeError` if the schema rejects the value.
 *
 * Validation errors contain the location of the invalid value and the message of the schema. Values of clients are removed from the messages of ArkType
 * and Valibot. Any other message that contains the value is replaced with `is invalid`.
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
  encode?: (value: unknown) => unknown,
): StandardType<unknown, unknown> {
  return new StandardType(schema, encodingFunctions(schema, encode), encode !== undefined)
}

/** Whether a codec was created from a schema, by this or another copy of the package. */
export const isStandardType = (codec: Codec): codec is Codec & StandardType<unknown, unknown> =>
  codec._tag === 'StandardType' && 'encodingProblem' in codec

/** The codec for a schema that is used without `fromStandardSchema`. */
export interface SchemaCodec<S extends AnySchema> extends StandardType<
  EncodedInput<SchemaInput<S>>,
  SchemaOutput<S>
> {
  /** The type of the value that a client sends. This member exists only at compile time. */
  readonly _sent: unknown extends SchemaInput<S> ? SchemaOutput<S> : SchemaInput<S>
}

// schemas that convert their input, such as `z.coerce.number()`, can be used in parameters
type EncodedInput<I> = unknown extends I ? Scalar : I

/** A codec, or a schema that is used without `fromStandardSchema`. */
export type CodecOrSchema = t.Mixed | AnySchema

/** The codec for a declaration. */
export type CodecFor<C> = C extends AnySchema ? SchemaCodec<C> : C extends t.Mixed ? C : never

/** Returns a codec unchanged. Converts a schema to a codec. */
export function codecFor<C extends CodecOrSchema>(declared: C): CodecFor<C>
export function codecFor(declared: CodecOrSchema): t.Mixed {
  return toMixed(declared)
}

/** Returns a codec unchanged. Converts a schema to a codec. */
export const toMixed = (declared: CodecOrSchema): t.Mixed =>
  isStandardSchema(declared) ? schemaCodec(declared) : declared

/** Whether a value implements Standard Schema. Schemas of some libraries are functions. */
export const isStandardSchema = (value: unknown): value is AnySchema =>
  (typeof value === 'object' || typeof value === 'function') &&
  value !== null &&
  '~standard' in value

/** Returns the codec for a schema that is used without `fromStandardSchema`. The same schema always has the same codec. */
export const schemaCodec = (
  schema: StandardSchema<unknown, unknown>,
): StandardType<unknown, unknown> => {
  const existing = schemaCodecs.get(schema)
  if (existing !== undefined) return existing
  const codec = fromStandardSchema(schema)
  schemaCodecs.set(schema, codec)
  return codec
}

const schemaCodecs = new WeakMap<object, StandardType<unknown, unknown>>()
