/** Decodes the raw values of one parameter. */
import type * as t from 'io-ts'
import type * as E from 'fp-ts/lib/Either.js'
import type { ValidationError } from '../../http/failure.ts'
import { isRight } from 'fp-ts/lib/Either.js'
import { expectedTypes } from '../../codec/from-string.ts'
import type { BackEnd } from '../../codec/generated/compiled-codec.ts'
import { compileCodec } from '../../codec/generated/compiled-codec.ts'
import { rejected } from '../../codec/generated/runtime.ts'
import { isMissingFeature } from '../../codec/missing-feature.ts'
import { parameterShape } from '../../codec/parameter/parameter-shape.ts'
import { isHttpError } from '../../endpoint/http-error.ts'
import { parameterErrors } from '../../body/read-body.ts'
import type { ParameterPlan } from '../../compiler/plan.ts'
import type { RawValues } from './raw-values.ts'

/** The input for a handler. It consists of the parameters, the slot values and the body. */
export type HandlerInput = Record<string, unknown>

/** Reads a part of the handler input. Returns this part, or the validation errors if the request is invalid. */
export type ReadInput<A, B = HandlerInput> = (
  from: A,
) => E.Either<ReadonlyArray<ValidationError>, B>

/** Decodes one parameter. */
export interface ParameterDecoder {
  readonly plan: ParameterPlan
  /** Returns the decoded value, or `rejected` if the raw values are invalid. */
  readonly decode: (rawValues: RawValues) => unknown
  /** Returns the validation error for raw values that `decode` has rejected. */
  readonly validationError: (rawValues: RawValues) => ValidationError
}

/**
 * Creates the decoder for a parameter.
 *
 * If `once` is set, a scalar parameter that occurs more than once results in a validation error. Otherwise, its first value is
 * used.
 *
 * An `HttpError` thrown by a codec determines the response. Any other error results in a validation error.
 *
 * If `isUrlEncoded` is set, each `+` has been decoded to a space. The error names the remedy if the value would be valid with a plus
 * sign, as dates with an offset are. Default: whether the parameter belongs to the query.
 */
export const parameterDecoder = (
  plan: ParameterPlan,
  once: boolean,
  backEnd: BackEnd,
  isUrlEncoded = plan.group === 'query',
): ParameterDecoder => {
  const { group, name, codec } = plan
  const { isCollection, separator, keepsEmpty, isUndefinedIfMissing, convert } =
    parameterShape(codec)
  const { decodeOrReject, decode, rejectsUniformly } = compileCodec(codec, 'drop', backEnd)
  const toValidationError = parameterErrors({ in: group, name })
  const errorOf = (detail: string): ValidationError => ({ in: group, name, detail })
  /** Splits values at the separator, and removes empty values if the parameter ignores them. */
  const splitValues = (rawValues: ReadonlyArray<string>): ReadonlyArray<string> => {
    const split =
      separator === undefined ? rawValues : rawValues.flatMap((text) => text.split(separator))
    return keepsEmpty || !split.includes('') ? split : split.filter((text) => text !== '')
  }
  /** Converts raw values to the input for the codec. */
  const codecInput = (values: ReadonlyArray<string>): unknown => {
    if (isCollection)
      return values.length === 0 && isUndefinedIfMissing ? undefined : values.map(convert)
    const [first] = values
    return first === undefined ? undefined : convert(first)
  }
  /** The errors for invalid and missing values, if they do not depend on the value. */
  let invalid: ValidationError | undefined
  let missing: ValidationError | undefined
  const uniformError = (isMissing: boolean, errors: t.Errors): ValidationError => {
    const error = toValidationError(errors)
    if (rejectsUniformly()) {
      if (isMissing) missing = error
      else invalid = error
    }
    return error
  }
  const isRepeated = (values: ReadonlyArray<string>): boolean =>
    once && !isCollection && values.length > 1
  const decodeRaw: ParameterDecoder['decode'] = (rawValues) => {
    if (rawValues === undefined) return rejected
    const values = splitValues(rawValues)
    if (isRepeated(values)) return rejected
    try {
      return decodeOrReject(codecInput(values))
    } catch (error) {
      if (isHttpError(error) || isMissingFeature(error)) throw error
      return rejected
    }
  }
  const needsPlus = (rawValues: ReadonlyArray<string>): boolean =>
    isUrlEncoded &&
    rawValues.some((text) => text.includes(' ')) &&
    decodeRaw(rawValues.map((text) => text.replace(/ (?=[^ ]*$)/, '+'))) !== rejected
  return {
    plan,
    decode: decodeRaw,
    validationError: (rawValues) => {
      if (rawValues === undefined) return errorOf('has malformed percent-encoding')
      const values = splitValues(rawValues)
      if (isRepeated(values)) return errorOf('must not occur more than once')
      if (needsPlus(rawValues))
        return errorOf('contains a space that must be a plus sign: encode + as %2B')
      const isMissing = values.length === 0
      const known = isMissing ? missing : invalid
      if (known !== undefined) return known
      try {
        const decoded = decode(codecInput(values))
        if (!isRight(decoded)) return uniformError(isMissing, decoded.left)
      } catch (error) {
        if (isHttpError(error) || isMissingFeature(error)) throw error
      }
      return errorOf(expectedTypes([codec.name]))
    },
  }
}
