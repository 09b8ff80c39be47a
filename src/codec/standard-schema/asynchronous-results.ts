/**
 * Decodes values with schemas that validate asynchronously.
 *
 * Codecs decode synchronously. If a schema returns a promise, its codec rejects the value without an error, and the promise is
 * recorded. Decoding continues, so that all promises are recorded in one pass. When they are fulfilled, the value is decoded again
 * with their results. If one of them is rejected, decoding fails with its reason.
 */
import type { StandardIssue, StandardResult, StandardSchema } from './schema-types.ts'
import type * as t from 'io-ts'
import { MissingFeatureError } from '../missing-feature.ts'

/** The promises that are recorded while a value is decoded. */
type PendingValidations = Promise<void>[]

/**
 * Returns a function that validates values with a schema, and keeps the results of promises until the whole value is decoded. The
 * function returns `undefined` if the result is not available yet.
 */
export const asynchronousValidation = <O>(
  schema: StandardSchema<unknown, O>,
): ((value: unknown, pending: PendingValidations) => StandardResult<O> | undefined) => {
  const results = new WeakMap<PendingValidations, Map<unknown, StandardResult<O>>>()
  return (value, pending) => {
    const known = results.get(pending) ?? new Map<unknown, StandardResult<O>>()
    results.set(pending, known)
    const available = known.get(value)
    if (available !== undefined) return available
    const result = startValidation(schema, value)
    if (!isPromise(result)) return result
    pending.push(result.then((later) => void known.set(value, later)))
    return undefined
  }
}

/** The schemas of zod that have returned a promise. */
const asynchronousZod = new WeakSet<object>()

/**
 * Validates a value. To find out whether a schema is asynchronous, zod first runs it synchronously, and ignores a promise of a
 * check, even if it is rejected. A schema that is known to be asynchronous is therefore run with the function of zod for this.
 */
const startValidation = <O>(
  schema: StandardSchema<unknown, O>,
  value: unknown,
): StandardResult<O> | Promise<StandardResult<O>> => {
  if (isZod(schema) && asynchronousZod.has(schema))
    return schema
      .safeParseAsync(value)
      .then((parsed) => (parsed.success ? { value: parsed.data } : { issues: parsed.error.issues }))
  const result = schema['~standard'].validate(value)
  if (isPromise(result)) asynchronousZod.add(schema)
  return result
}

interface ZodSchema<O> {
  readonly safeParseAsync: (
    value: unknown,
  ) => Promise<
    | { readonly success: true; readonly data: O }
    | { readonly success: false; readonly error: { readonly issues: ReadonlyArray<StandardIssue> } }
  >
}

const isZod = <O>(
  schema: StandardSchema<unknown, O>,
): schema is StandardSchema<unknown, O> & ZodSchema<O> =>
  schema['~standard'].vendor === 'zod' &&
  'safeParseAsync' in schema &&
  typeof schema.safeParseAsync === 'function'

/** Validates a value synchronously. Throws a {@link MissingFeatureError} if the schema validates asynchronously. */
export const validateNow = <O>(
  schema: StandardSchema<unknown, O>,
  value: unknown,
): StandardResult<O> => {
  const result = validateOrPending(schema, value)
  if (result !== undefined) return result
  throw new MissingFeatureError(
    `invalid ${schema['~standard'].vendor} schema: asynchronous validation is supported only in JSON, CBOR and text bodies`,
  )
}

/** Validates a value synchronously. Returns `undefined` if the schema validates asynchronously. */
export const validateOrPending = <O>(
  schema: StandardSchema<unknown, O>,
  value: unknown,
): StandardResult<O> | undefined => {
  const result = schema['~standard'].validate(value)
  if (!isPromise(result)) return result
  // the result is ignored, but an unhandled rejection would terminate the process
  result.then(ignore, ignore)
  return undefined
}

const ignore = (): void => undefined

const isPromise = <A>(result: A | Promise<A>): result is Promise<A> =>
  typeof result === 'object' && result !== null && 'then' in result

/** The validations of the values that are being decoded, by the first entry of the context. */
const validations = new WeakMap<t.ContextEntry, PendingValidations>()

/** Returns the validations of the value that is being decoded, or `undefined` if it must be decoded synchronously. */
export const pendingIn = ([root]: t.Context): PendingValidations | undefined =>
  root === undefined ? undefined : validations.get(root)

/**
 * Maximum number of passes. A value requires several passes if the input of a schema depends on the result of another one. The
 * limit is necessary because a codec can pass a new object to a schema in each pass.
 */
const maxPasses = 32

/** The result of decoding, or a promise if a schema validates asynchronously. */
export type Decoded = t.Validation<unknown> | Promise<t.Validation<unknown>>

/** Decodes a value whose codec may contain asynchronous schemas. `root` is the first entry of the context. */
export const decodeWithResults = (
  decode: (root: t.ContextEntry) => t.Validation<unknown>,
  root: t.ContextEntry,
): Decoded => {
  const validating: PendingValidations = []
  validations.set(root, validating)
  const pass = (count: number): Decoded => {
    const decoded = decode(root)
    const pending = validating.splice(0)
    if (pending.length === 0) return decoded
    if (count === maxPasses)
      throw new TypeError('invalid codec: an asynchronous schema receives a new value in each pass')
    return Promise.all(pending).then(() => pass(count + 1))
  }
  return pass(1)
}
