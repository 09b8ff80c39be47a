/** Reads the values of a collection that has an element of its own: each child element is one. */
import type { Once, Read } from './read-context.ts'
import { isNamed, namesOf, strictly, undeclared, withoutText } from './read-context.ts'
import type { ItemsContent } from '../mapping/xml-schema.ts'

export const ofItems = ({ particle, refuses }: ItemsContent, once: Once): Read => {
  const read = once(particle)
  const positions = particle.positions.map((one) => once(one))
  const names = [particle, ...particle.positions].flatMap(namesOf)
  return (element, state) => {
    const values: unknown[] = []
    const isStrict = refuses || state.refuses
    for (const child of element.children) {
      if (names.some(isNamed(child))) values.push((positions[values.length] ?? read)(child, state))
      else if (isStrict) state.faults.push({ element: child, detail: undeclared })
    }
    if (isStrict) {
      strictly(element, [], state)
      withoutText(element, state)
    }
    return values
  }
}
