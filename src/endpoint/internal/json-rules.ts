/** How JSON is read and written, as it is said of a tree, an operation or a representation: each member by itself, the nearest wins. */
import type { Codec } from '../../codec/codec.ts'
import type { JsonLibrary } from '../../codec/json/json-library.ts'

export interface JsonRules {
  readonly library?: JsonLibrary
  readonly serialization?: Serialization
  readonly deserialization?: Deserialization
}

/**
 * Makes the function that gives the JSON text of what a codec encodes to; `stringify` is the writer of the library in force, which
 * writes what that function leaves to it.
 */
export type Serialization = (
  codec: Codec,
  stringify: (encoded: unknown) => string | undefined,
) => (encoded: unknown) => string | undefined

/** Makes the function that gives the value of a text, which the codec then decodes; `parse` is the reader of the library in force. */
export type Deserialization = (
  codec: Codec,
  parse: (text: string) => unknown,
) => (text: string) => unknown

/** The rules of a place inside of others. */
export const mergeJsonRules = (
  outside: JsonRules | undefined,
  inside: JsonRules | undefined,
): JsonRules | undefined =>
  outside === undefined || inside === undefined ? (inside ?? outside) : { ...outside, ...inside }
