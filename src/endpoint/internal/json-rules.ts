/** JSON customization of a tree, an operation or a representation. The innermost value applies, for each member separately. */
import type { Codec } from '../../codec/codec.ts'
import type { JsonLibrary } from '../../codec/json/json-library.ts'

/** How JSON is read and written. */
export interface JsonRules {
  readonly library?: JsonLibrary
  readonly serialization?: Serialization
  readonly deserialization?: Deserialization
}

/**
 * Returns the function that writes the encoded values of a codec as JSON text. `stringify` is the writer of the
 * configured library.
 */
export type Serialization = (
  codec: Codec,
  stringify: (encoded: unknown) => string | undefined,
) => (encoded: unknown) => string | undefined

/** Returns the function that parses JSON text for a codec. `parse` is the parser of the configured library. */
export type Deserialization = (
  codec: Codec,
  parse: (text: string) => unknown,
) => (text: string) => unknown

/** Merges the rules of a nested scope into those of the enclosing one. */
export const mergeJsonRules = (
  outer: JsonRules | undefined,
  inner: JsonRules | undefined,
): JsonRules | undefined =>
  outer === undefined || inner === undefined ? (inner ?? outer) : { ...outer, ...inner }
