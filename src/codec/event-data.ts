/**
 * Values as the data of events: the text itself for a codec of single values, which is not quoted, and JSON for every other.
 * Of a codec whose structure says nothing (`instant`, `fromString(…)`), what it writes decides: text stays text.
 */
import type { Codec } from './codec.ts'
import { isSingleValue } from './structure/single-value.ts'

/** Writes values by a codec, their JSON by `write`. Throws a `TypeError` for one that gives no text. */
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
  throw new TypeError(`the data of an event is ${written === null ? 'null' : typeof written}`)
}
