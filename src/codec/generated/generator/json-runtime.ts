/** Functions that generated JSON serializers call. */
import { quote } from '../../../http/json-string.ts'

/** Thrown to pass the whole value to `JSON.stringify`. It is a symbol, because an error would capture a stack trace. */
export const fallback: unique symbol = Symbol('fallback')

/** Serializes a string, number, boolean or `null`. */
export const stringifyScalar = (value: unknown): string => {
  switch (typeof value) {
    case 'string':
      return quote(value)
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null'
    case 'boolean':
      return value ? 'true' : 'false'
    default:
      if (value === null) return 'null'
      throw fallback
  }
}

/**
 * Serializes any value. Returns `undefined` for `undefined`. Objects with `toJSON` use the fallback, because their key is not
 * known.
 */
export const stringify = (value: unknown): string | undefined => {
  if (value === undefined) return undefined
  if (typeof value !== 'object' || value === null) return stringifyScalar(value)
  if ('toJSON' in value) throw fallback
  return JSON.stringify(value)
}

/**
 * Returns the position after a key, given the position after the previous key. Undeclared keys do not change it. Returns -1
 * for a key that is out of order.
 */
export const nextPosition = (keys: ReadonlyArray<string>, key: string, at: number): number => {
  const position = keys.indexOf(key)
  return position < 0 ? at : position < at ? -1 : position + 1
}
