/** What generated writers of JSON call. */
import { quote } from '../../../http/json-string.ts'

/** Thrown for a value that is left to `JSON.stringify` as a whole. It is no error and has no stack. */
export const unusual: unique symbol = Symbol('unusual')

/** The text of a string, number, boolean or `null`. */
export const scalar = (value: unknown): string => {
  switch (typeof value) {
    case 'string':
      return quote(value)
    case 'number':
      return Number.isFinite(value) ? String(value) : 'null'
    case 'boolean':
      return value ? 'true' : 'false'
    default:
      if (value === null) return 'null'
      throw unusual
  }
}

/** The text of any value; `undefined` for `undefined`. A `toJSON` is told the key, which is not known here. */
export const textOf = (value: unknown): string | undefined => {
  if (value === undefined) return undefined
  if (typeof value !== 'object' || value === null) return scalar(value)
  if ('toJSON' in value) throw unusual
  return JSON.stringify(value)
}

/**
 * The position behind a key, given the one behind the last: the same for an undeclared key, and -1 for one that comes too
 * late.
 */
export const follow = (keys: ReadonlyArray<string>, key: string, at: number): number => {
  const position = keys.indexOf(key)
  return position < 0 ? at : position < at ? -1 : position + 1
}
