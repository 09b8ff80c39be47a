/** What reading a content comes to, whatever its format: a value, or a failure that says what is wrong. */
import type { RequestFailure, ValidationError } from '../http/failure.ts'
import * as E from 'fp-ts/lib/Either.js'
import * as O from 'fp-ts/lib/Option.js'
import { expectedTypes } from '../codec/expected-types.ts'
import type { Codec } from '../codec/codec.ts'
import { MissingFeatureError } from '../codec/node-modules.ts'
import { isHttpError } from '../endpoint/http-error.ts'
import * as Failures from '../http/failure.ts'
import * as JsonPointer from '../http/json-pointer.ts'
import * as MediaType from '../http/media-type.ts'
import * as Faults from './decode-errors.ts'

/** The value of a content, given its octets and the media type that the request states, or why there is none. */
export type ReadBody = (
  octets: Uint8Array,
  stated: MediaType.MediaType | undefined,
) => E.Either<RequestFailure, unknown>

export const invalidInput = (
  faults: ReadonlyArray<ValidationError>,
): E.Either<RequestFailure, never> => E.left(Failures.ofErrors('InvalidInput', faults))

/** The content as a whole is not what its media type says. */
export const malformedBody = (detail: string): RequestFailure =>
  Failures.ofErrors('InvalidInput', [{ in: 'body', pointer: '#', detail }])

/** The same; `cause` is the error that said so, if there is one. */
export const unreadableBody = (
  detail: string,
  cause?: unknown,
): E.Either<RequestFailure, never> => {
  const failure = malformedBody(detail)
  return E.left(cause === undefined ? failure : withCause(cause, failure))
}

/** The failure of a part of a content, with the name of the part in front of its places. */
export const withinPart = (name: string, failure: RequestFailure): RequestFailure =>
  failure._tag === 'InvalidInput'
    ? {
        ...failure,
        errors: failure.errors.map(({ pointer = '#', ...fault }) => ({
          ...fault,
          pointer: `${JsonPointer.format([name])}${pointer.slice(1)}`,
        })),
      }
    : failure

/** The value that a codec makes of a content. As with parameters, an `HttpError` that the codec throws is the response. */
export const decodeBody = (
  codec: Pick<Codec, 'name' | 'decode'>,
  value: unknown,
): E.Either<RequestFailure, unknown> => {
  try {
    const result = codec.decode(value)
    return E.isRight(result) ? result : invalidInput(Faults.bodyErrors(result.left))
  } catch (error) {
    if (isHttpError(error) || error instanceof MissingFeatureError) throw error
    // a recursive codec can be led deeper than the stack goes
    return unreadableBody(
      error instanceof RangeError ? 'nested too deeply' : expectedTypes([codec.name]),
    )
  }
}

/** The charset that a request states, UTF-8 when it states none. */
export const charsetOf = (stated: MediaType.MediaType | undefined): string =>
  stated === undefined || stated.parameters.length === 0
    ? 'utf-8'
    : O.getOrElse(() => 'utf-8')(MediaType.parameter(stated, 'charset'))

/** Whether the octets of a charset can be read as UTF-8. */
export const isUtf8Compatible = (charset: string): boolean =>
  charset === 'utf-8' || charset === 'us-ascii'

/** The charset that is stated is not known. */
export const unsupportedCharsetFailure: RequestFailure = {
  _tag: 'UnsupportedMediaType',
  detail: 'The charset of the content is not supported.',
  supported: ['utf-8'],
}

export const unsupportedCharset: E.Either<RequestFailure, never> = E.left(unsupportedCharsetFailure)

const causes = new WeakMap<object, unknown>()

/** The same failure, of which the error is known. */
export const withCause = (cause: unknown, failure: RequestFailure): RequestFailure => {
  causes.set(failure, cause)
  return failure
}

/** The error that led to a failure, if there is one. */
export const causeOf = (failure: object): unknown => causes.get(failure)
