/** Serialisations that leave members out by what they hold. */
import type { Serialization } from './internal/json-rules.ts'

/**
 * Leaves members out that are `null`, at any depth; elements of arrays stay.
 *
 * ```ts
 * import assert from 'node:assert/strict'
 * import { pipe } from 'fp-ts/lib/function.js'
 * import * as t from 'io-ts'
 * import { get, handle, json, path, produces, routes } from 'espalier'
 * import { customSerialization, omitNull } from 'espalier/json'
 * import { inMemory } from 'espalier/testing'
 *
 * const Book = t.type({ title: t.string, subtitle: t.union([t.string, t.null]) })
 * const book = pipe(
 *   path('/book'),
 *   get(),
 *   customSerialization(omitNull),
 *   produces(json(Book)),
 *   handle(() => ({ title: 'Emma', subtitle: null })),
 * )
 * const response = await inMemory(routes({ book }))(new Request('http://localhost/book'))
 *
 * assert.equal(await response.text(), '{"title":"Emma"}')
 * ```
 */
export const omitNull: Serialization = (_codec, stringify) => (encoded) =>
  stringify(without((value) => value === null, encoded))

/**
 * Leaves members out that are `null`, an empty text, an empty array or an object without members, at any depth; elements of arrays
 * stay. It looks at what would have been written: an object that has lost its members by this stays as `{}`.
 */
export const omitEmpty: Serialization = (_codec, stringify) => (encoded) =>
  stringify(without(isEmpty, encoded))

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isPlain(value) && Object.values(value).every((member) => member === undefined))

/** Objects of a class are written as they say themselves. */
const isPlain = (value: unknown): value is object => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return (prototype === Object.prototype || prototype === null) && !('toJSON' in value)
}

const without = (leaves: (value: unknown) => boolean, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((element: unknown) => without(leaves, element))
  if (!isPlain(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => !leaves(member))
      .map(([key, member]) => [key, without(leaves, member)]),
  )
}
