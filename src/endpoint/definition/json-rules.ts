/** JSON customization for a tree, an operation or a representation. For each rule, the innermost value applies. */
import type { Codec } from '../../codec/codec.ts'
import type { JsonLibrary } from '../../codec/json/json-library.ts'

/** Rules that determine how JSON is read and written. */
export interface JsonRules {
  readonly library?: JsonLibrary
  readonly serialization?: Serialization
  readonly deserialization?: Deserialization
}

/**
 * A function that receives a codec and returns a function that writes encoded values of that codec as JSON text.
 * `stringify` writes JSON with the configured library.
 */
export type Serialization = (
  codec: Codec,
  stringify: (encoded: unknown) => string | undefined,
) => (encoded: unknown) => string | undefined

/**
 * A function that receives a codec and returns a function that parses JSON text for that codec. `parse` parses JSON
 * with the configured library.
 */
export type Deserialization = (
  codec: Codec,
  parse: (text: string) => unknown,
) => (text: string) => unknown

/** Merges the rules of a nested scope into the rules of the enclosing scope. */
export const mergeJsonRules = (
  outer: JsonRules | undefined,
  inner: JsonRules | undefined,
): JsonRules | undefined =>
  outer === undefined || inner === undefined ? (inner ?? outer) : { ...outer, ...inner }
