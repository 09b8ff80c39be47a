/**
 * The data of server-sent events: plain text for codecs of single values, and JSON for all others.
 *
 * Opaque codecs, such as `instant` or `fromString(…)`, are sent as plain text if they encode to a string.
 */
import type { Codec } from './codec.ts'
import { isSingleValue } from './structure/single-value.ts'

/**
 * Returns a function that encodes event data, with `write` for JSON. It throws a `TypeError` for values without a text form.
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
  throw new TypeError(`the data of an event is ${written === null ? 'null' : typeof written}`)
}
