/**
 * Finds what would not arrive at a worker as it was sent. Structured cloning refuses functions and symbols, and quietly makes
 * a plain object of an instance of a class; here both are found, with the place where they stand.
 *
 * @see https://html.spec.whatwg.org/multipage/structured-data.html
 */
import {
  isAnyArrayBuffer,
  isArrayBufferView,
  isDate,
  isMap,
  isRegExp,
  isSet,
} from 'node:util/types'

/** A sentence about the first value that would arrive as something else; `undefined` when there is none. */
export const unlike = (value: unknown, place: string): string | undefined =>
  search(value, place, new Set())

const search = (value: unknown, place: string, seen: Set<unknown>): string | undefined => {
  if (typeof value === 'function' || typeof value === 'symbol')
    return `${place} is a ${typeof value}`
  if (typeof value !== 'object' || value === null || seen.has(value) || isWhole(value))
    return undefined
  seen.add(value)
  if (isMap(value) || isSet(value)) return first([...value].flat(), () => place, seen)
  if (Array.isArray(value)) return first(value, (key) => `${place}[${key}]`, seen)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype)
    return `${place} is an instance of ${value.constructor.name}`
  const members = Object.entries(value)
  return first(
    members.map(([, member]) => member),
    (at) => `${place}.${members[at]?.[0]}`,
    seen,
  )
}

const isWhole = (value: object): boolean =>
  isDate(value) ||
  isRegExp(value) ||
  isAnyArrayBuffer(value) ||
  isArrayBufferView(value) ||
  value instanceof Error

const first = (
  values: ReadonlyArray<unknown>,
  placeOf: (index: number) => string,
  seen: Set<unknown>,
): string | undefined => {
  for (const [index, value] of values.entries()) {
    const found = search(value, placeOf(index), seen)
    if (found !== undefined) return found
  }
  return undefined
}
