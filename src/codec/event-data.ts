/** Determines the format of the data of server-sent events, for servers and clients, and encodes the data. */
import type { Codec } from './codec.ts'
import { children, isSingleValue, unwrap } from './codec-structure.ts'

/**
 * The format of event data. `text` is plain text. `textOrJson` is plain text for values that are encoded as strings, and JSON for
 * all other values.
 */
export type EventDataFormat = 'text' | 'json' | 'textOrJson'

/**
 * Returns the format of the event data of a codec.
 *
 * The format does not depend on the values, except for an opaque codec such as `instant` or `fromString(…)`, whose structure is
 * unknown. In particular, all values of a union are JSON if one of its codecs describes objects. Strings are then JSON
 * strings. Otherwise, a client could not distinguish the string `{}` from an empty object.
 */
export const eventDataFormat = (codec: Codec): EventDataFormat => {
  if (isSingleValue(codec)) return 'text'
  return isOpaque(codec) ? 'textOrJson' : 'json'
}

/** Whether a codec is opaque, apart from wrappers such as constraints and `optional`. */
const isOpaque = (codec: Codec): boolean => {
  const inner = unwrap(codec)
  if (inner._tag !== 'UnionType') return inner._tag === undefined
  const [only, ...others] = children(inner).filter(({ _tag }) => _tag !== 'UndefinedType')
  return only !== undefined && others.length === 0 && isOpaque(only)
}

/**
 * Returns a function that encodes event data. `write` serializes a value as JSON. The returned function throws a `TypeError`
 * for values that cannot be represented as text.
 */
export const eventDataWriter = (
  codec: Codec,
  write: (value: unknown) => string | undefined,
): ((value: unknown) => string) => {
  const json = (value: unknown): string => textOf(write(value))
  switch (eventDataFormat(codec)) {
    case 'text':
      return (value) => textOf(codec.encode(value))
    case 'json':
      return json
    case 'textOrJson':
      return (value) => {
        const encoded: unknown = codec.encode(value)
        return typeof encoded === 'string' ? encoded : json(value)
      }
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
