/** Reads the members of a record: each child element is one, and its name is the key. */
import type { Element } from './element.ts'
import type { Once, Read } from './read-context.ts'
import { strictly, twice, undeclared, withoutText } from './read-context.ts'
import type { EntriesContent } from '../mapping/xml-schema.ts'

export const ofEntries = (
  { isKey, namespace, particle, refuses }: EntriesContent,
  once: Once,
): Read => {
  // the key is the name, whatever is said of the values
  const read = once(particle, true)
  const isMany = particle.occurs !== 'once'
  return (element, state) => {
    const values = new Map<string, unknown>()
    const isStrict = refuses || state.refuses
    for (const child of element.children) {
      const { local } = child
      if (reachesPrototype(child)) {
        state.faults.push({ element: child, detail: 'has a name that is not allowed' })
        continue
      }
      if (child.namespace !== namespace || !isKey(local)) {
        if (isStrict) state.faults.push({ element: child, detail: undeclared })
        continue
      }
      const before = values.get(local)
      const value = read(child, state)
      if (isMany && Array.isArray(before)) before.push(value)
      else if (values.has(local)) state.faults.push({ element: child, detail: twice })
      else values.set(local, isMany ? [value] : value)
    }
    if (isStrict) {
      strictly(element, [], state)
      withoutText(element, state)
    }
    return Object.fromEntries(values)
  }
}

/** Names that could reach a prototype, as the reader of JSON refuses them. */
const reachesPrototype = ({ local, children }: Element): boolean =>
  local === '__proto__' ||
  (local === 'constructor' && children.some((child) => child.local === 'prototype'))
