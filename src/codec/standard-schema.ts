/**
 * Schemas of other libraries (zod, valibot, arktype, …) as codecs, through the interface that they share.
 *
 * Such a schema only decodes: what is encoded travels as it is. With one that validates asynchronously decoding throws a
 * `TypeError`, so that a request is refused with 400.
 *
 * @see https://standardschema.dev
 */
import * as t from 'io-ts'

/** What the shared interface promises of a schema from `I` to `O`. */
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

/** A codec that asks a Standard Schema. */
export class StandardType<I, O> extends t.Type<O, I> {
  readonly _tag = 'StandardType' as const
  readonly schema: StandardSchema<I, O>
  constructor(schema: StandardSchema<I, O>, encode: (value: O) => I) {
    const check = (value: unknown): StandardResult<O> => {
      const result = schema['~standard'].validate(value)
      if (result instanceof Promise)
        throw new TypeError(`the ${schema['~standard'].vendor} schema validates asynchronously`)
      return result
    }
    super(
      schema['~standard'].vendor,
      (value): value is O => check(value).issues === undefined,
      (value, context) => {
        const result = check(value)
        return result.issues === undefined
          ? t.success(result.value)
          : t.failures(result.issues.map((issue) => at(issue, value, context)))
      },
      (value) => encode(value),
    )
    this.schema = schema
  }
}

const at = (
  { message, path = [] }: StandardIssue,
  value: unknown,
  context: t.Context,
): t.ValidationError => ({
  value,
  message,
  context: [
    ...context,
    ...path.map((step) => ({
      key: String(typeof step === 'object' ? step.key : step),
      type: t.unknown,
    })),
  ],
})

/**
 * Makes a codec of a schema. Where its output is of another type than its input, `encode` has to say the way back;
 * otherwise what is encoded travels as it is. A parameter is given to the schema as text, digits too.
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
  encode: (value: unknown) => unknown = t.identity,
): StandardType<unknown, unknown> {
  return new StandardType(schema, encode)
}
