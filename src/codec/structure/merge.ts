/** Merges the results that the members of an intersection return for one value. */
import * as t from 'io-ts'

type Members = Readonly<Record<string, unknown>>

/**
 * Merges results for `base`. Members of objects are combined in the order of `base`, and arrays of equal length are merged
 * element by element. For other conflicts, the last changed result is used, as in io-ts.
 *
 * ```text
 * base             parts                      result
 * { b: 2, a: '1' } { a: 1 }, { b: 2 }         { b: 2, a: 1 }
 * [{ a: 1, b: 2 }] [{ a: 1 }], [{ b: 2 }]     [{ a: 1, b: 2 }]
 * '1'              1, '1'                     1
 * ```
 */
export const merge = (base: unknown, parts: ReadonlyArray<unknown>): unknown => {
  const [first] = parts
  if (parts.every((part) => Object.is(part, first))) return first
  const fields = parts.filter(isMergeable(base))
  if (fields.length === parts.length) return mergeMembers(base, fields)
  const arrays = parts.filter(t.UnknownArray.is)
  return arrays.length === parts.length &&
    arrays.every(({ length }) => length === arrays[0]?.length)
    ? mergeElements(base, arrays)
    : parts.findLast((part) => part !== base)
}

/** Whether a result is a plain object, or the unchanged value. Unchanged values may be class instances. */
const isMergeable =
  (base: unknown) =>
  (part: unknown): part is Members =>
    t.UnknownRecord.is(part) &&
    (part === base || [Object.prototype, null].includes(Object.getPrototypeOf(part)))

const mergeMembers = (base: unknown, parts: ReadonlyArray<Members>): Members => {
  const before = t.UnknownRecord.is(base) ? base : {}
  const names = new Set([before, ...parts].flatMap(Object.getOwnPropertyNames))
  // assignment would use a member named __proto__ as the prototype
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const owners = parts.filter((part) => Object.hasOwn(part, name))
      const values = owners.map((owner) => owner[name])
      return values.length === 0 ? [] : [[name, merge(before[name], values)]]
    }),
  )
}

const mergeElements = (
  base: unknown,
  [first = [], ...others]: ReadonlyArray<ReadonlyArray<unknown>>,
): ReadonlyArray<unknown> => {
  const before = t.UnknownArray.is(base) ? base : []
  return first.map((element, index) =>
    merge(before[index], [element, ...others.map((other) => other[index])]),
  )
}
