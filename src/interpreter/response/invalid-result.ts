/** Explains why a value that a handler has returned cannot be sent. The messages are logged, and never contain the value. */
import { formatPointer } from '../../body/decode-body.ts'
import type { Codec } from '../../codec/codec.ts'
import { isMissingFeature } from '../../codec/missing-feature.ts'
import { invalidPart } from '../../codec/structure/invalid-part.ts'
import { isErrorOf } from '../../http/platform-value.ts'

/** Creates the error for a value that a codec does not accept. `subject` is a phrase such as `value sent as application/json`. */
export const invalidResult = (
  subject: string,
  codec: Codec,
  value: unknown,
  options?: ErrorOptions,
): TypeError => {
  const part = invalidPart(codec, value) ?? { path: [], codec, value }
  return new TypeError(
    `invalid ${subject}: expected ${part.codec.name} at ${formatPointer(part.path)}, got ${typeName(part.value)}`,
    options,
  )
}

/** Returns the name of the type of a value, such as `string`, `Null` or `Date`. */
const typeName = (value: unknown): string =>
  typeof value === 'object' ? Object.prototype.toString.call(value).slice(8, -1) : typeof value

/**
 * Returns a function that calls `write`, and returns `absent` if the value has no representation. If `write` throws because the codec
 * does not accept the value, throws an {@link invalidResult} with the error as its cause. Errors of the application and other errors
 * are rethrown.
 */
export const writeResult = <A>(
  subject: string,
  codec: Codec,
  write: (value: unknown) => A | undefined,
  absent: A,
): ((value: unknown) => A) => {
  const explain = (error: unknown, value: unknown): unknown =>
    (isErrorOf(error, 'TypeError') || isErrorOf(error, 'RangeError')) &&
    !isMissingFeature(error) &&
    invalidPart(codec, value) !== undefined
      ? invalidResult(subject, codec, value, { cause: error })
      : error
  return (value) => {
    try {
      return write(value) ?? absent
    } catch (error) {
      throw explain(error, value)
    }
  }
}
