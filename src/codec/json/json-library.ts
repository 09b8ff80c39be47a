/** What turns JSON text into values and back: that of the language, or another. */

/**
 * A JSON reader and writer. `parse` throws for a text that it does not take; a message that says `at position 12` becomes a line
 * and a column. `stringify` gives `undefined` for what has no JSON, as `undefined`.
 */
export interface JsonLibrary {
  /** What it is called where an operation is explained. */
  readonly name: string
  readonly parse: (text: string) => unknown
  readonly stringify: (value: unknown) => string | undefined
  /**
   * `exact` where numbers that a double would change are read and written as `JsonNumber`s; `bigint` and `decimal` are numbers
   * of JSON then. Otherwise all numbers are doubles.
   */
  readonly numbers?: 'exact'
}

/** That of the language. */
export const platformJson: JsonLibrary = Object.freeze({
  name: 'standard',
  parse: (text: string): unknown => JSON.parse(text),
  stringify: (value: unknown): string | undefined => JSON.stringify(value),
})
