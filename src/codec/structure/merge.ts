/**
 * One value out of several accounts of it: what an intersection makes of the results of its members, when each of them
 * kept only what it declares itself.
 */
import * as t from 'io-ts'

type Members = Readonly<Record<string, unknown>>

/**
 * Puts together what the members of an intersection made of `base`. Objects have the fields of all, in the order of
 * `base`, and arrays of one length are put together element by element. Anything else that they do not agree on is as
 * the last member has it that changed it, which is the choice of io-ts.
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

/** Whether a part has fields to put together: an object of no class. What a member left as it was may have a class. */
const isMergeable =
  (base: unknown) =>
  (part: unknown): part is Members =>
    t.UnknownRecord.is(part) &&
    (part === base || [Object.prototype, null].includes(Object.getPrototypeOf(part)))

const mergeMembers = (base: unknown, parts: ReadonlyArray<Members>): Members => {
  const before = t.UnknownRecord.is(base) ? base : {}
  const names = new Set([before, ...parts].flatMap(Object.getOwnPropertyNames))
  // not by assignment, which would take a field named __proto__ for the prototype
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
