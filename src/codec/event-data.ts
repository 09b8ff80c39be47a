/**
 * Encodes the data of server-sent events. Single values are encoded as plain text, and all other values as JSON.
 *
 * If an opaque codec, such as `instant` or `fromString(…)`, encodes a value as a string, the string is sent as plain text.
 */
import type { Codec } from './codec.ts'
import { isSingleValue } from './structure/codec-structure.ts'

/**
 * Returns a function that encodes event data. `write` serializes a value as JSON. The returned function throws a `TypeError`
 * for values that cannot be represented as text.
 */
export const eventDataWriter = (
  codec: Codec,
  write: (value: unknown) => string | undefined,
): ((value: unknown) => string) => {
  const json = (value: unknown): string => textOf(write(value))
  if (isSingleValue(codec)) return (value) => textOf(codec.encode(value))
  if (codec._tag !== undefined) return json
  return (value) => {
    const encoded: unknown = codec.encode(value)
    return typeof encoded === 'string' ? encoded : json(value)
  }
}

const textOf = (written: unknown): string => {
  if (typeof written === 'string') return written
  if (typeof written === 'number' || typeof written === 'boolean' || typeof written === 'bigint')
    return String(written)
  throw new TypeError(
    `invalid event data: expected a value that can be represented as text, got ${written === null ? 'null' : typeof written}`,
  )
}
