/** Defines JSON libraries, and the one that uses the global `JSON` object. */
import type { Codec } from '../codec.ts'
import { innerCodecs, reachableCodecs } from '../visibility/restrictions.ts'

/**
 * A JSON parser and serializer.
 *
 * `parse` throws an error if the text is malformed. If the message of a `SyntaxError` contains a position, such as
 * `at position 12`, the error response contains the line and the column. `stringify` returns `undefined` for values without a JSON
 * form.
 */
export interface JsonLibrary {
  /** The name shown in route descriptions. */
  readonly name: string
  readonly parse: (text: string) => unknown
  readonly stringify: (value: unknown) => string | undefined
  /**
   * `exact` if the library uses `JsonNumber` for numbers that a double cannot represent. In this case, the codecs `bigint` and
   * `decimal` use JSON numbers instead of strings. By default, all numbers are doubles.
   */
  readonly numbers?: 'exact'
}

/** The JSON library that uses `JSON.parse` and `JSON.stringify`. */
export const platformJson: JsonLibrary = Object.freeze({
  name: 'standard',
  parse: (text: string): unknown => JSON.parse(text),
  stringify: (value: unknown): string | undefined => JSON.stringify(value),
})

/** Whether a codec is `t.bigint`. */
export const isBigint = ({ _tag }: Codec): boolean => _tag === 'BigIntType'

/** Whether a codec contains `t.bigint`, whose values the global `JSON` object cannot write. */
export const containsBigint = (codec: Codec): boolean =>
  reachableCodecs(codec, innerCodecs).some(isBigint)
