/** Readers of records and of wrapper elements. */
import type { Element } from './element.ts'
import type { ReaderOf, ReadElement } from './read-context.ts'
import {
  hasName,
  elementNames,
  rejectUndeclaredAttributes,
  twice,
  undeclared,
  rejectText,
} from './read-context.ts'
import type { RecordModel, WrapperModel } from '../mapping/xml-schema.ts'

/** Creates a reader of a record: each child element is a member with its name as the key. */
export const recordReader = (
  { isKey, namespace, particle, rejectsUndeclared }: RecordModel,
  readerOf: ReaderOf,
): ReadElement => {
  // the element name is the key, so the declared name of the values does not apply
  const read = readerOf(particle, true)
  const isRepeated = particle.occurs !== 'once'
  return (element, state) => {
    const values = new Map<string, unknown>()
    const isStrict = rejectsUndeclared || state.rejectsUndeclared
    for (const child of element.children) {
      const { local } = child
      if (reachesPrototype(child)) {
        state.errors.push({ element: child, detail: 'has a forbidden name' })
        continue
      }
      if (child.namespace !== namespace || !isKey(local)) {
        if (isStrict) state.errors.push({ element: child, detail: undeclared })
        continue
      }
      const before = values.get(local)
      const value = read(child, state)
      if (isRepeated && Array.isArray(before)) before.push(value)
      else if (values.has(local)) state.errors.push({ element: child, detail: twice })
      else values.set(local, isRepeated ? [value] : value)
    }
    if (isStrict) {
      rejectUndeclaredAttributes(element, [], state)
      rejectText(element, state)
    }
    return Object.fromEntries(values)
  }
}

/** Whether an element name could modify a prototype. The JSON parser rejects the same names. */
const reachesPrototype = ({ local, children }: Element): boolean =>
  local === '__proto__' ||
  (local === 'constructor' && children.some((child) => child.local === 'prototype'))

/** Creates a reader of a wrapper element: each child element is a value of the collection. */
export const wrapperReader = (
  { particle, rejectsUndeclared }: WrapperModel,
  readerOf: ReaderOf,
): ReadElement => {
  const read = readerOf(particle)
  const positions = particle.positions.map((one) => readerOf(one))
  const names = [particle, ...particle.positions].flatMap(elementNames)
  return (element, state) => {
    const values: unknown[] = []
    const isStrict = rejectsUndeclared || state.rejectsUndeclared
    for (const child of element.children) {
      if (names.some(hasName(child))) values.push((positions[values.length] ?? read)(child, state))
      else if (isStrict) state.errors.push({ element: child, detail: undeclared })
    }
    if (isStrict) {
      rejectUndeclaredAttributes(element, [], state)
      rejectText(element, state)
    }
    return values
  }
}
