/** The result of reading a body, common to all formats: a value or a failure. */
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

/** Reads a body from its bytes and the media type that the request declares. */
export type ReadBody = (
  bytes: Uint8Array,
  stated: MediaType.MediaType | undefined,
) => E.Either<RequestFailure, unknown>

export const invalidInput = (
  faults: ReadonlyArray<ValidationError>,
): E.Either<RequestFailure, never> => E.left(Failures.ofErrors('InvalidInput', faults))

/** Returns the failure of a body that is malformed as a whole. */
export const malformedBody = (detail: string): RequestFailure =>
  Failures.ofErrors('InvalidInput', [{ in: 'body', pointer: '#', detail }])

/** Like {@link malformedBody}, with the error that caused it. */
export const unreadableBody = (
  detail: string,
  cause?: unknown,
): E.Either<RequestFailure, never> => {
  const failure = malformedBody(detail)
  return E.left(cause === undefined ? failure : withCause(cause, failure))
}

/** Prefixes the pointers of a failure with the name of the part that failed. */
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

/** Decodes a value by a codec. As with parameters, an `HttpError` that the codec throws is the response. */
export const decodeBody = (
  codec: Pick<Codec, 'name' | 'decode'>,
  value: unknown,
): E.Either<RequestFailure, unknown> => {
  try {
    const result = codec.decode(value)
    return E.isRight(result) ? result : invalidInput(Faults.bodyErrors(result.left))
  } catch (error) {
    if (isHttpError(error) || error instanceof MissingFeatureError) throw error
    // deeply nested input can exhaust the stack in a recursive codec
    return unreadableBody(
      error instanceof RangeError ? 'nested too deeply' : expectedTypes([codec.name]),
    )
  }
}

/** Returns the declared charset. Default: UTF-8. */
export const charsetOf = (stated: MediaType.MediaType | undefined): string =>
  stated === undefined || stated.parameters.length === 0
    ? 'utf-8'
    : O.getOrElse(() => 'utf-8')(MediaType.parameter(stated, 'charset'))

/** Whether text in the charset can be decoded as UTF-8. */
export const isUtf8Compatible = (charset: string): boolean =>
  charset === 'utf-8' || charset === 'us-ascii'

/** The failure of a body in an unsupported charset. */
export const unsupportedCharsetFailure: RequestFailure = {
  _tag: 'UnsupportedMediaType',
  detail: 'Unsupported charset. Send the body in UTF-8.',
  supported: ['utf-8'],
}

export const unsupportedCharset: E.Either<RequestFailure, never> = E.left(unsupportedCharsetFailure)

const causes = new WeakMap<object, unknown>()

/** Records the error that caused a failure, for error mappers. Failures do not contain it, because its message may quote the body. */
export const withCause = (cause: unknown, failure: RequestFailure): RequestFailure => {
  causes.set(failure, cause)
  return failure
}

/** Returns the error that caused a failure, if any. */
export const causeOf = (failure: object): unknown => causes.get(failure)
