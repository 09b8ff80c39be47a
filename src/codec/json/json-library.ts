/** JSON libraries: `JSON` itself, or a replacement. */

/**
 * A JSON parser and serializer.
 *
 * `parse` throws for malformed text; `at position 12` in its message is converted to a line and column. `stringify` returns
 * `undefined` for values without a JSON form.
 */
export interface JsonLibrary {
  /** The name in route descriptions. */
  readonly name: string
  readonly parse: (text: string) => unknown
  readonly stringify: (value: unknown) => string | undefined
  /**
   * `exact` if numbers that a double cannot represent are parsed and written as `JsonNumber`. `bigint` and `decimal` are then
   * JSON numbers. Default: all numbers are doubles.
   */
  readonly numbers?: 'exact'
}

/** Uses `JSON.parse` and `JSON.stringify`. */
export const platformJson: JsonLibrary = Object.freeze({
  name: 'standard',
  parse: (text: string): unknown => JSON.parse(text),
  stringify: (value: unknown): string | undefined => JSON.stringify(value),
})
