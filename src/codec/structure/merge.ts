/** Merges the results that several codecs return for the same value. */
import { isLeft, isRight } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import { isPlain } from './undeclared-members.ts'
import { isPlainObject } from '../../http/platform-value.ts'

type Members = Readonly<Record<string, unknown>>

/**
 * Merges the results returned by several codecs for the value `base`. Object members are combined in the order of `base`.
 * Arrays of equal length are merged element by element. In all other cases, the last result that differs from `base` is used,
 * as in io-ts. A copy of `base` does not differ from it, because whether a codec copies unchanged values depends on its form.
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
  const objects = parts.filter(isMergeable(base))
  if (objects.length === parts.length) return mergeMembers(base, objects)
  const arrays = parts.filter(t.UnknownArray.is)
  return arrays.length === parts.length &&
    arrays.every(({ length }) => length === arrays[0]?.length)
    ? mergeElements(base, arrays)
    : parts.findLast((part) => !isUnchanged(part, base))
}

/** Whether a result is the value `base`, or a copy of it. Plain objects and arrays are compared by their contents. */
const isUnchanged = (part: unknown, base: unknown): boolean => {
  if (Object.is(part, base)) return true
  if (t.UnknownArray.is(part))
    return (
      t.UnknownArray.is(base) &&
      part.length === base.length &&
      part.every((element, index) => isUnchanged(element, base[index]))
    )
  if (!t.UnknownRecord.is(part) || !t.UnknownRecord.is(base) || !isPlain(part)) return false
  const names = Object.keys(part)
  return (
    names.length === Object.keys(base).length &&
    names.every((name) => Object.hasOwn(base, name) && isUnchanged(part[name], base[name]))
  )
}

/** Whether a result is a plain object or the unchanged base value. An unchanged base value can be a class instance. */
const isMergeable =
  (base: unknown) =>
  (part: unknown): part is Members =>
    t.UnknownRecord.is(part) && (part === base || isPlainObject(part))

const mergeMembers = (base: unknown, parts: ReadonlyArray<Members>): Members => {
  const before = t.UnknownRecord.is(base) ? base : {}
  const names = new Set([before, ...parts].flatMap(Object.getOwnPropertyNames))
  // `Object.fromEntries` defines members, because assigning to `__proto__` would change the prototype
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

/** Creates an intersection codec whose results are combined with {@link merge}. */
export const intersection = (name: string, codecs: ReadonlyArray<Codec>): Codec =>
  new t.IntersectionType(
    name,
    (value): value is unknown => codecs.every((codec) => codec.is(value)),
    (value, context) => {
      const parts = codecs.map((codec, index) =>
        codec.validate(value, t.appendContext(context, String(index), codec, value)),
      )
      const errors = parts.filter(isLeft).flatMap(({ left }) => left)
      if (errors.length > 0) return t.failures(errors)
      const results = parts.filter(isRight).map(({ right }): unknown => right)
      return t.success(merge(value, results))
    },
    (value: unknown) =>
      merge(
        value,
        codecs.map((codec): unknown => codec.encode(value)),
      ),
    [...codecs],
  )
