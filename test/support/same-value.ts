/**
 * Equality down to what `assert.equal` overlooks: members that are `undefined` or not enumerable, the order of keys, holes,
 * prototypes and `NaN`. Codecs are the same when their names are, functions when they are one. What JSON does not tell apart
 * either is left out: the sign of zero, members of arrays that are no elements, and members under symbols.
 */
import { types } from 'node:util'
import * as assert from 'uvu/assert'
import { isCodec } from '../../src/codec/structure/codec-structure.ts'

export const assertSame = (actual: unknown, expected: unknown): void => {
  const found = difference(actual, expected, 'it')
  if (found !== undefined) assert.unreachable(found)
}

/** Where two values differ, and how; `undefined` when they do not. */
export const difference = (
  actual: unknown,
  expected: unknown,
  place: string,
): string | undefined => {
  if (actual === expected || Object.is(actual, expected)) return undefined
  if (!isObject(actual) || !isObject(expected))
    return `${place} is ${show(actual)}, not ${show(expected)}`
  if (isCodec(actual) && isCodec(expected))
    return difference(actual.name, expected.name, `${place}.name`)
  // a member named __proto__ may have been given for a prototype that is equal but not the same
  const prototype = difference(
    Object.getPrototypeOf(actual),
    Object.getPrototypeOf(expected),
    `${place}.[[Prototype]]`,
  )
  if (prototype !== undefined) return prototype
  const [found, keys] = [names(actual), names(expected)]
  if (found.length !== keys.length || !keys.every((key, index) => key === found[index]))
    return `${place} has the keys ${show(found)}, not ${show(keys)}`
  return (
    first(keys, (key) => differentMember(actual, expected, key, place)) ??
    differentContent(content(actual), content(expected), place)
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
  place: string,
): string | undefined => {
  const [member, wanted] = [actual, expected].map((one) =>
    Object.getOwnPropertyDescriptor(one, key),
  )
  return member?.enumerable === wanted?.enumerable
    ? difference(Reflect.get(actual, key), Reflect.get(expected, key), `${place}.${key}`)
    : `${place}.${key} is enumerable in one`
}

const differentContent = (
  actual: ReadonlyArray<unknown>,
  expected: ReadonlyArray<unknown>,
  place: string,
): string | undefined =>
  actual.length === expected.length
    ? first([...expected.keys()], (index) =>
        difference(actual[index], expected[index], `${place}(${index})`),
      )
    : `${place} holds ${actual.length}, not ${expected.length}`

/** What an object holds beside its members. */
const content = (value: object): ReadonlyArray<unknown> => {
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
  all: ReadonlyArray<A>,
  find: (one: A) => string | undefined,
): string | undefined => {
  for (const one of all) {
    const found = find(one)
    if (found !== undefined) return found
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
