/** Decodes one parameter from the texts that a request has for it. */
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
  /** The value, or `refused`. */
  readonly decode: (texts: RawValues) => unknown
  /** Why these texts are refused. */
  readonly validationError: (texts: RawValues) => ValidationError
}

/**
 * Prepares the decoding of a parameter. With `once`, a parameter that takes one value is refused when it has several;
 * otherwise the first counts.
 *
 * An `HttpError` that a codec throws is thrown on and becomes the response; anything else it throws is a refusal.
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
  const because = (detail: string): ValidationError => ({ in: group, name, detail })
  const meant = (texts: ReadonlyArray<string>): ReadonlyArray<string> => {
    const split = separator === undefined ? texts : texts.flatMap((text) => text.split(separator))
    return keepsEmpty || !split.includes('') ? split : split.filter((text) => text !== '')
  }
  /** What the codec is given. */
  const given = (values: ReadonlyArray<string>): unknown => {
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
      const values = meant(texts)
      if (isRepeated(values)) return rejected
      try {
        return decodeOrReject(given(values))
      } catch (error) {
        if (isHttpError(error)) throw error
        return rejected
      }
    },
    validationError: (texts) => {
      if (texts === undefined) return because('has a malformed percent-escape')
      const values = meant(texts)
      if (isRepeated(values)) return because('is given more than once')
      try {
        const decoded = decode(given(values))
        if (!isRight(decoded)) return ofErrors(decoded.left)
      } catch (error) {
        if (isHttpError(error)) throw error
      }
      return because(expectedTypes([codec.name]))
    },
  }
}
