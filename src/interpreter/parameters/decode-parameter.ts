/** Decodes the raw values of one parameter. */
import { isRight } from 'fp-ts/lib/Either.js'
import { expectedTypes } from '../../codec/expected-types.ts'
import type { BackEnd } from '../../codec/generated/compiled-codec.ts'
import { compileCodec } from '../../codec/generated/compiled-codec.ts'
import { rejected } from '../../codec/generated/runtime.ts'
import { parameterShape } from '../../codec/parameter/parameter-shape.ts'
import { isHttpError } from '../../endpoint/http-error.ts'
import type { ValidationError } from '../../http/failure.ts'
import * as Faults from '../../body/decode-errors.ts'
import type { ParameterPlan } from '../../compiler/plan.ts'
import type { RawValues } from './raw-values.ts'

export interface ParameterDecoder {
  readonly plan: ParameterPlan
  /** Returns the decoded value, or `rejected`. */
  readonly decode: (texts: RawValues) => unknown
  /** Returns the validation error of rejected values. */
  readonly validationError: (texts: RawValues) => ValidationError
}

/**
 * Returns the decoder of a parameter. With `once`, repeated values of a scalar parameter are an error; otherwise the first one counts.
 *
 * An `HttpError` that a codec throws becomes the response; any other error is a validation error.
 */
export const parameterDecoder = (
  plan: ParameterPlan,
  once: boolean,
  backEnd: BackEnd,
): ParameterDecoder => {
  const { group, name, codec } = plan
  const { isCollection, separator, keepsEmpty, isUndefinedIfMissing, convert } =
    parameterShape(codec)
  const { decodeOrReject, decode } = compileCodec(codec, 'drop', backEnd)
  const ofErrors = Faults.parameterErrors({ in: group, name })
  const failWith = (detail: string): ValidationError => ({ in: group, name, detail })
  const effective = (texts: ReadonlyArray<string>): ReadonlyArray<string> => {
    const split = separator === undefined ? texts : texts.flatMap((text) => text.split(separator))
    return keepsEmpty || !split.includes('') ? split : split.filter((text) => text !== '')
  }
  /** The input of the codec. */
  const codecInput = (values: ReadonlyArray<string>): unknown => {
    if (isCollection)
      return values.length === 0 && isUndefinedIfMissing ? undefined : values.map(convert)
    const [first] = values
    return first === undefined ? undefined : convert(first)
  }
  const isRepeated = (values: ReadonlyArray<string>): boolean =>
    once && !isCollection && values.length > 1
  return {
    plan,
    decode: (texts) => {
      if (texts === undefined) return rejected
      const values = effective(texts)
      if (isRepeated(values)) return rejected
      try {
        return decodeOrReject(codecInput(values))
      } catch (error) {
        if (isHttpError(error)) throw error
        return rejected
      }
    },
    validationError: (texts) => {
      if (texts === undefined) return failWith('has a malformed percent-escape')
      const values = effective(texts)
      if (isRepeated(values)) return failWith('must be given once')
      try {
        const decoded = decode(codecInput(values))
        if (!isRight(decoded)) return ofErrors(decoded.left)
      } catch (error) {
        if (isHttpError(error)) throw error
      }
      return failWith(expectedTypes([codec.name]))
    },
  }
}
