/** Reads the members of an object: attributes, child elements in any order, and character data. */
import { isRight } from 'fp-ts/lib/Either.js'
import { attributeOf } from './element.ts'
import type { Ignores, Once, Read } from './read-context.ts'
import { namesOf, strictly, twice, undeclared, withoutText } from './read-context.ts'
import type { ElementField, FieldsContent, TextField } from '../mapping/xml-schema.ts'

/** What stands among children, for one field. */
interface Member {
  readonly key: string
  readonly namespace: string
  readonly isMany: boolean
  readonly isIgnored: boolean
  readonly read: Read
}

export const ofFields = (
  { attributes, value: text, elements, refuses }: FieldsContent,
  once: Once,
  ignores: Ignores,
): Read => {
  const isRead = ({ codecs }: TextField | ElementField): boolean => !codecs.some(ignores)
  const read = attributes.filter(isRead)
  const data = text !== undefined && isRead(text) ? text : undefined
  const byName = new Map<string, Member[]>()
  for (const field of elements)
    for (const member of membersOf(field, once, !isRead(field)))
      byName.set(member.local, [...(byName.get(member.local) ?? []), member])
  const lists = elements
    .filter(isRead)
    .filter(({ particle, takesUndefined }) => particle.occurs !== 'once' && !takesUndefined)
  return (element, state) => {
    const result: Record<string, unknown> = {}
    const isStrict = refuses || state.refuses
    for (const field of read) {
      const written = element.attributes.length === 0 ? undefined : attributeOf(element, field.name)
      if (written !== undefined) result[field.key] = field.lexical.lift(written)
      else if (isNull(field)) result[field.key] = null
    }
    if (data !== undefined) result[data.key] = valueOf(data, element.text)
    for (const child of element.children) {
      const named = byName.get(child.local)
      const member = named?.find(({ namespace }) => namespace === child.namespace)
      if (member === undefined) {
        if (isStrict) state.faults.push({ element: child, detail: undeclared })
        continue
      }
      if (member.isIgnored) continue
      const value = member.read(child, state)
      const before = result[member.key]
      if (!member.isMany) {
        if (Object.hasOwn(result, member.key)) state.faults.push({ element: child, detail: twice })
        else result[member.key] = value
      } else if (Array.isArray(before)) before.push(value)
      else result[member.key] = [value]
    }
    for (const { key } of lists) if (result[key] === undefined) result[key] = []
    if (isStrict) {
      strictly(element, attributes, state)
      if (text === undefined) withoutText(element, state)
    }
    return result
  }
}

const membersOf = (
  { key, particle }: ElementField,
  once: Once,
  isIgnored: boolean,
): ReadonlyArray<Member & { readonly local: string }> => {
  const read = once(particle)
  const isMany = particle.occurs !== 'once'
  return namesOf(particle).map(({ namespace, local }) => ({
    key,
    namespace,
    local,
    isMany,
    isIgnored,
    read,
  }))
}

/** An attribute has no form for `null`, so it is what is not there. */
const isNull = ({ takesNull, takesUndefined }: TextField): boolean => takesNull && !takesUndefined

/** Of what may be missing, an empty text that is no value is that nothing is there. */
const valueOf = (
  { codecs: [codec], lexical, takesNull, takesUndefined }: TextField,
  text: string,
): unknown => {
  const lifted = lexical.lift(text)
  if (text !== '' || !(takesNull || takesUndefined) || isRight(codec.decode(lifted))) return lifted
  return takesUndefined ? undefined : null
}
