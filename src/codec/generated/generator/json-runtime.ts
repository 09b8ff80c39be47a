/** What generated writers of JSON call. */
import { quote } from '../../../http/json-string.ts'

/** Thrown for a value that is left to `JSON.stringify` as a whole. It is no error and has no stack. */
export const fallback: unique symbol = Symbol('fallback')

/** The text of a string, number, boolean or `null`. */
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

/** The text of any value; `undefined` for `undefined`. A `toJSON` is told the key, which is not known here. */
export const stringify = (value: unknown): string | undefined => {
  if (value === undefined) return undefined
  if (typeof value !== 'object' || value === null) return stringifyScalar(value)
  if ('toJSON' in value) throw fallback
  return JSON.stringify(value)
}

/**
 * The position behind a key, given the one behind the last: the same for an undeclared key, and -1 for one that comes too
 * late.
 */
export const nextPosition = (keys: ReadonlyArray<string>, key: string, at: number): number => {
  const position = keys.indexOf(key)
  return position < 0 ? at : position < at ? -1 : position + 1
}
