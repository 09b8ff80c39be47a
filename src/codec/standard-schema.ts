/**
 * Schemas of other libraries (zod, valibot, arktype, …) as codecs, through the interface that they share.
 *
 * Such a schema only decodes: what is encoded travels as it is. Schemas that validate asynchronously are refused.
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
 * otherwise what is encoded travels as it is.
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
