/** Arbitrary values with one mutation at any depth. */
import * as fc from 'fast-check'
import {
  memberName,
  anyValue,
  convertObject,
  convertArray,
  withMembers,
} from './arbitrary-value.ts'

/** Returns mutations of a value. */
export const mutated = (value: unknown): fc.Arbitrary<unknown> => {
  if (Array.isArray(value)) return fc.oneof(anyValue, ...inArray(value))
  if (typeof value !== 'object' || value === null || value instanceof Set) return anyValue
  return Object.getPrototypeOf(value) === Object.prototype
    ? fc.oneof(anyValue, ...inObject(value), ...inObject(value))
    : anyValue
}

const inObject = (value: object): ReadonlyArray<fc.Arbitrary<unknown>> => {
  const entries: ReadonlyArray<[string, unknown]> = Object.entries(value)
  const mutations = [
    fc
      .tuple(memberName, anyValue, fc.boolean())
      .map(([name, member, isLast]) =>
        withMembers(isLast ? [...entries, [name, member]] : [[name, member], ...entries]),
      ),
    convertObject.map((convert) => convert(value)),
    fc.shuffledSubarray([...entries], { minLength: entries.length }).map(withMembers),
    anyValue.map((member) => withMembers([...entries, [Symbol.for('z'), member]])),
  ]
  if (entries.length === 0) return mutations
  const index = fc.nat({ max: entries.length - 1 })
  return [
    ...mutations,
    index.map((position) => withMembers(entries.toSpliced(position, 1))),
    ...[mutated, mutated, () => fc.constant(undefined)].map((change) =>
      index.chain((position) => {
        const [name, member] = entries[position] ?? ['', undefined]
        return change(member).map((to) => withMembers(entries.toSpliced(position, 1, [name, to])))
      }),
    ),
  ]
}

const inArray = (values: ReadonlyArray<unknown>): ReadonlyArray<fc.Arbitrary<unknown>> => {
  const mutations = [
    anyValue.map((element) => [...values, element]),
    convertArray.map((convert) => convert(values)),
    anyValue.map((member) => Object.assign([...values], { z: member })),
  ]
  if (values.length === 0) return mutations
  const index = fc.nat({ max: values.length - 1 })
  return [
    ...mutations,
    index.map((position) => values.toSpliced(position, 1)),
    index.map((hole) => {
      const copy = [...values]
      Reflect.deleteProperty(copy, String(hole))
      return copy
    }),
    index.chain((position) =>
      mutated(values[position]).map((to) => values.toSpliced(position, 1, to)),
    ),
  ]
}
