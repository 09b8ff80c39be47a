/** Decodes one parameter from the texts that a request has for it. */
import { isRight } from 'fp-ts/lib/Either.js'
import * as E from 'fp-ts/lib/Either.js'
import { isHttpError } from '../endpoint/http-error.ts'
import type { Fault } from '../http/failure.ts'
import * as Faults from './fault.ts'
import type { ParameterPlan } from './plan.ts'

/** The texts of a parameter, in order of appearance; `undefined` when one of them cannot be percent-decoded. */
export type Texts = ReadonlyArray<string> | undefined

export type DecodeParameter = (texts: Texts) => E.Either<Fault, unknown>

/**
 * Prepares the decoding of a parameter. With `once`, a parameter that takes one value is refused when it has several;
 * otherwise the first counts.
 *
 * An `HttpError` that a codec throws is thrown on and becomes the response; anything else it throws is a refusal.
 */
export const decodeParameter = (
  { group, name, codec, shape }: ParameterPlan,
  once: boolean,
): DecodeParameter => {
  const place = { in: group, name }
  const refuse = (detail: string): E.Either<Fault, unknown> => E.left({ ...place, detail })
  const decode = (value: unknown): E.Either<Fault, unknown> => {
    try {
      const decoded = codec.decode(value)
      return isRight(decoded) ? decoded : E.left(Faults.ofParameter(place, decoded.left))
    } catch (error) {
      if (isHttpError(error)) throw error
      return refuse(`has to be: ${codec.name}`)
    }
  }
  const { separator, keepsEmpty, lift } = shape
  const meant = (texts: ReadonlyArray<string>): ReadonlyArray<string> => {
    const split = separator === undefined ? texts : texts.flatMap((text) => text.split(separator))
    return keepsEmpty ? split : split.filter((text) => text !== '')
  }
  return (texts) => {
    if (texts === undefined) return refuse('has a malformed percent-escape')
    const values = meant(texts)
    if (shape.many)
      return decode(values.length === 0 && shape.absentAsUndefined ? undefined : values.map(lift))
    const [first, second] = values
    if (once && second !== undefined) return refuse('is given more than once')
    return decode(first === undefined ? undefined : lift(first))
  }
}
