/** Arbitrary values with one mutation at any depth. */
import * as fc from 'fast-check'
import { memberName, oddValue, redress, redressArray, withMembers } from './arbitrary-value.ts'

export const disturbed = (value: unknown): fc.Arbitrary<unknown> => {
  if (Array.isArray(value)) return fc.oneof(oddValue, ...inArray(value))
  if (typeof value !== 'object' || value === null || value instanceof Set) return oddValue
  return Object.getPrototypeOf(value) === Object.prototype
    ? fc.oneof(oddValue, ...inObject(value), ...inObject(value))
    : oddValue
}

const inObject = (value: object): ReadonlyArray<fc.Arbitrary<unknown>> => {
  const entries: ReadonlyArray<[string, unknown]> = Object.entries(value)
  const around = [
    fc
      .tuple(memberName, oddValue, fc.boolean())
      .map(([name, one, last]) =>
        withMembers(last ? [...entries, [name, one]] : [[name, one], ...entries]),
      ),
    redress.map((change) => change(value)),
    fc.shuffledSubarray([...entries], { minLength: entries.length }).map(withMembers),
    oddValue.map((one) => withMembers([...entries, [Symbol.for('z'), one]])),
  ]
  if (entries.length === 0) return around
  const one = fc.nat({ max: entries.length - 1 })
  return [
    ...around,
    one.map((position) => withMembers(entries.toSpliced(position, 1))),
    ...[disturbed, disturbed, () => fc.constant(undefined)].map((change) =>
      one.chain((position) => {
        const [name, member] = entries[position] ?? ['', undefined]
        return change(member).map((to) => withMembers(entries.toSpliced(position, 1, [name, to])))
      }),
    ),
  ]
}

const inArray = (values: ReadonlyArray<unknown>): ReadonlyArray<fc.Arbitrary<unknown>> => {
  const around = [
    oddValue.map((one) => [...values, one]),
    redressArray.map((change) => change(values)),
    oddValue.map((one) => Object.assign([...values], { z: one })),
  ]
  if (values.length === 0) return around
  const one = fc.nat({ max: values.length - 1 })
  return [
    ...around,
    one.map((position) => values.toSpliced(position, 1)),
    one.map((hole) => {
      const copy = [...values]
      Reflect.deleteProperty(copy, String(hole))
      return copy
    }),
    one.chain((position) =>
      disturbed(values[position]).map((to) => values.toSpliced(position, 1, to)),
    ),
  ]
}
