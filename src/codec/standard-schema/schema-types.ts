/**
 * Types for schemas that implement Standard Schema.
 *
 * @see https://standardschema.dev
 */

/** A schema that implements Standard Schema. `I` is the input type, and `O` is the output type. */
export interface StandardSchema<I, O> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<O> | Promise<StandardResult<O>>
    readonly types?: SchemaTypes<I, O> | undefined
  }
}

export interface SchemaTypes<I, O> {
  readonly input: I
  readonly output: O
}

export type StandardResult<O> =
  | { readonly value: O; readonly issues?: undefined }
  | { readonly issues: ReadonlyArray<StandardIssue> }

export interface StandardIssue {
  readonly message: string
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
}

/** A schema of any type, such as a schema of zod, valibot or arktype. */
export interface AnySchema extends StandardSchema<unknown, unknown> {}

/** A schema whose inputs are text. */
export interface SchemaOfText extends StandardSchema<
  string | ReadonlyArray<string> | null | undefined,
  unknown
> {}

/** The type of the values that a schema accepts. */
export type SchemaInput<S extends AnySchema> = NonNullable<S['~standard']['types']>['input']

/** The type of the values that a schema returns. */
export type SchemaOutput<S extends AnySchema> = NonNullable<S['~standard']['types']>['output']
