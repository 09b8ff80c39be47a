/** Reads objects: attributes, child elements in any order, and character characterData. */
import { isRight } from 'fp-ts/lib/Either.js'
import { attributeOf } from './element.ts'
import type { IsIgnored, ReaderOf, ReadElement } from './read-context.ts'
import {
  elementNames,
  rejectUndeclaredAttributes,
  twice,
  undeclared,
  rejectText,
} from './read-context.ts'
import type { ElementMember, ObjectModel, TextMember } from '../mapping/xml-schema.ts'

/** Reads the child elements of a member. */
interface ChildReader {
  readonly key: string
  readonly namespace: string
  readonly isRepeated: boolean
  readonly isIgnored: boolean
  readonly read: ReadElement
}

/** Creates a reader of an object. */
export const objectReader = (
  { attributes, value: text, elements, rejectsUndeclared }: ObjectModel,
  readerOf: ReaderOf,
  ignores: IsIgnored,
): ReadElement => {
  const isRead = ({ codecs }: TextMember | ElementMember): boolean => !codecs.some(ignores)
  const read = attributes.filter(isRead)
  const characterData = text !== undefined && isRead(text) ? text : undefined
  const byName = new Map<string, ChildReader[]>()
  for (const field of elements)
    for (const member of childReaders(field, readerOf, !isRead(field)))
      byName.set(member.local, [...(byName.get(member.local) ?? []), member])
  const lists = elements
    .filter(isRead)
    .filter(({ particle, allowsUndefined }) => particle.occurs !== 'once' && !allowsUndefined)
  return (element, state) => {
    const result: Record<string, unknown> = {}
    const isStrict = rejectsUndeclared || state.rejectsUndeclared
    for (const field of read) {
      const written = element.attributes.length === 0 ? undefined : attributeOf(element, field.name)
      if (written !== undefined) result[field.key] = field.lexical.parse(written)
      else if (isNull(field)) result[field.key] = null
    }
    if (characterData !== undefined)
      result[characterData.key] = valueOf(characterData, element.text)
    for (const child of element.children) {
      const named = byName.get(child.local)
      const member = named?.find(({ namespace }) => namespace === child.namespace)
      if (member === undefined) {
        if (isStrict) state.errors.push({ element: child, detail: undeclared })
        continue
      }
      if (member.isIgnored) continue
      const value = member.read(child, state)
      const before = result[member.key]
      if (!member.isRepeated) {
        if (Object.hasOwn(result, member.key)) state.errors.push({ element: child, detail: twice })
        else result[member.key] = value
      } else if (Array.isArray(before)) before.push(value)
      else result[member.key] = [value]
    }
    for (const { key } of lists) if (result[key] === undefined) result[key] = []
    if (isStrict) {
      rejectUndeclaredAttributes(element, attributes, state)
      if (text === undefined) rejectText(element, state)
    }
    return result
  }
}

const childReaders = (
  { key, particle }: ElementMember,
  readerOf: ReaderOf,
  isIgnored: boolean,
): ReadonlyArray<ChildReader & { readonly local: string }> => {
  const read = readerOf(particle)
  const isRepeated = particle.occurs !== 'once'
  return elementNames(particle).map(({ namespace, local }) => ({
    key,
    namespace,
    local,
    isRepeated,
    isIgnored,
    read,
  }))
}

/** Whether a missing attribute is `null`, because attributes cannot represent `null`. */
const isNull = ({ allowsNull, allowsUndefined }: TextMember): boolean =>
  allowsNull && !allowsUndefined

/** Parses character characterData. An empty text that the codec rejects is a missing value, if the member may be missing. */
const valueOf = (
  { codecs: [codec], lexical, allowsNull, allowsUndefined }: TextMember,
  text: string,
): unknown => {
  const parsed = lexical.parse(text)
  if (text !== '' || !(allowsNull || allowsUndefined) || isRight(codec.decode(parsed)))
    return parsed
  return allowsUndefined ? undefined : null
}
