/**
 * Deep equality that is stricter than `assert.equal`: it compares undefined and non-enumerable members, the order of keys,
 * holes, prototypes and `NaN`. Codecs are compared by name, functions by identity. The sign of zero, symbol keys and
 * non-index members of arrays are ignored.
 */
import { types } from 'node:util'
import * as assert from 'uvu/assert'
import { isCodec } from '../../src/codec/codec-structure.ts'

/** Asserts that two values are the same. */
export const assertSame = (actual: unknown, expected: unknown): void => {
  const message = difference(actual, expected, 'value')
  if (message !== undefined) assert.unreachable(message)
}

/** Describes the first difference of two values, with its path. Returns `undefined` for equal values. */
export const difference = (actual: unknown, expected: unknown, at: string): string | undefined => {
  if (actual === expected || Object.is(actual, expected)) return undefined
  if (!isObject(actual) || !isObject(expected))
    return `${at} is ${show(actual)}, not ${show(expected)}`
  if (isCodec(actual) && isCodec(expected))
    return difference(actual.name, expected.name, `${at}.name`)
  // assigning a member named __proto__ sets the prototype, so equal prototypes need not be identical
  const prototype = difference(
    Object.getPrototypeOf(actual),
    Object.getPrototypeOf(expected),
    `${at}.[[Prototype]]`,
  )
  if (prototype !== undefined) return prototype
  const [actualKeys, keys] = [names(actual), names(expected)]
  if (actualKeys.length !== keys.length || !keys.every((key, index) => key === actualKeys[index]))
    return `${at} has the keys ${show(actualKeys)}, not ${show(keys)}`
  return (
    first(keys, (key) => differentMember(actual, expected, key, at)) ??
    differentElement(elements(actual), elements(expected), at)
  )
}

const names = (value: object): ReadonlyArray<string> =>
  Object.getOwnPropertyNames(value).filter(
    (name) => !Array.isArray(value) || name === 'length' || /^[0-9]+$/.test(name),
  )

const differentMember = (
  actual: object,
  expected: object,
  key: string,
  at: string,
): string | undefined => {
  const [actualMember, expectedMember] = [actual, expected].map((object) =>
    Object.getOwnPropertyDescriptor(object, key),
  )
  return actualMember?.enumerable === expectedMember?.enumerable
    ? difference(Reflect.get(actual, key), Reflect.get(expected, key), `${at}.${key}`)
    : `${at}.${key} is enumerable in only one of the two`
}

const differentElement = (
  actual: ReadonlyArray<unknown>,
  expected: ReadonlyArray<unknown>,
  at: string,
): string | undefined =>
  actual.length === expected.length
    ? first([...expected.keys()], (index) =>
        difference(actual[index], expected[index], `${at}(${index})`),
      )
    : `${at} has ${actual.length} elements, not ${expected.length}`

/** The internal values of an object, such as the elements of a set. */
const elements = (value: object): ReadonlyArray<unknown> => {
  if (types.isSet(value)) return [...value]
  if (types.isMap(value)) return [...value].flat()
  if (types.isDate(value)) return [value.getTime()]
  if (types.isBoxedPrimitive(value)) return [value.valueOf()]
  return isTemporal(value) && 'toJSON' in value && typeof value.toJSON === 'function'
    ? [value.toJSON()]
    : []
}

const isTemporal = (value: object): boolean => {
  const tag: unknown = Object.getOwnPropertyDescriptor(
    Object.getPrototypeOf(value) ?? {},
    Symbol.toStringTag,
  )?.value
  return typeof tag === 'string' && tag.startsWith('Temporal.')
}

const first = <A>(
  values: ReadonlyArray<A>,
  find: (value: A) => string | undefined,
): string | undefined => {
  for (const value of values) {
    const result = find(value)
    if (result !== undefined) return result
  }
  return undefined
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const show = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(show).join(', ')}]`
    : typeof value === 'string'
      ? JSON.stringify(value)
      : isObject(value)
        ? `an object with [${Object.getOwnPropertyNames(value).join(', ')}]`
        : String(value)
