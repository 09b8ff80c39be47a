/** Creates readers for objects, records and wrapper elements. Child elements may occur in any order. */
import type { Element } from './element.ts'
import type { ReaderOf, ReadElement, ReadState, IsIgnored } from './read-context.ts'
import {
  hasName,
  elementNames,
  rejectUndeclaredAttributes,
  twice,
  undeclared,
  rejectText,
} from './read-context.ts'
import type {
  RecordModel,
  WrapperModel,
  ElementMember,
  ObjectModel,
  TextMember,
} from '../mapping/xml-schema.ts'
import { isRight } from 'fp-ts/lib/Either.js'
import { attributeOf } from './element.ts'

/** Creates a reader for a record. Each child element is read as a member whose key is the element name. */
export const recordReader = (
  { isKey, namespace, particle, rejectsUndeclared }: RecordModel,
  readerOf: ReaderOf,
): ReadElement => {
  // the key is the element name, so a name declared for the values is ignored
  const read = readerOf(particle, true)
  const { isRepeated } = particle
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
      const earlier = values.get(local)
      const value = read(child, state)
      if (isRepeated && Array.isArray(earlier)) earlier.push(value)
      else if (values.has(local)) state.errors.push({ element: child, detail: twice })
      else values.set(local, isRepeated ? [value] : value)
    }
    if (isStrict) rejectAttributesAndText(element, state)
    return Object.fromEntries(values)
  }
}

const rejectAttributesAndText = (element: Element, state: ReadState): void => {
  rejectUndeclaredAttributes(element, [], state)
  rejectText(element, state)
}

/**
 * Whether the names of an element and its children could cause prototype pollution. The JSON parser rejects the same
 * names.
 */
const reachesPrototype = ({ local, children }: Element): boolean =>
  local === '__proto__' ||
  (local === 'constructor' && children.some((child) => child.local === 'prototype'))

/** Creates a reader for a wrapper element. Each child element is read as one value of the collection. */
export const wrapperReader = (
  { particle, rejectsUndeclared }: WrapperModel,
  readerOf: ReaderOf,
): ReadElement => {
  const read = readerOf(particle)
  const positions = particle.positions.map((position) => readerOf(position))
  const names = [particle, ...particle.positions].flatMap(elementNames)
  return (element, state) => {
    const values: unknown[] = []
    const isStrict = rejectsUndeclared || state.rejectsUndeclared
    for (const child of element.children) {
      if (names.some(hasName(child))) values.push((positions[values.length] ?? read)(child, state))
      else if (isStrict) state.errors.push({ element: child, detail: undeclared })
    }
    if (isStrict) rejectAttributesAndText(element, state)
    return values
  }
}

/** Reads the child elements that represent one member of an object. */
interface ChildReader {
  readonly key: string
  readonly namespace: string
  readonly isRepeated: boolean
  readonly isIgnored: boolean
  readonly read: ReadElement
}

/** Creates a reader for an object. */
export const objectReader = (
  { attributes, value: text, elements, rejectsUndeclared }: ObjectModel,
  readerOf: ReaderOf,
  ignores: IsIgnored,
): ReadElement => {
  const isRead = ({ codecs }: TextMember | ElementMember): boolean => !codecs.some(ignores)
  const readAttributes = attributes.filter(isRead)
  const characterData = text !== undefined && isRead(text) ? text : undefined
  const byName = new Map<string, ChildReader[]>()
  for (const member of elements)
    for (const reader of childReaders(member, readerOf, !isRead(member)))
      byName.set(reader.local, [...(byName.get(reader.local) ?? []), reader])
  const lists = elements
    .filter(isRead)
    .filter(({ particle, allowsUndefined }) => particle.isRepeated && !allowsUndefined)
  return (element, state) => {
    const result: Record<string, unknown> = {}
    const isStrict = rejectsUndeclared || state.rejectsUndeclared
    for (const attribute of readAttributes) {
      const raw = element.attributes.length === 0 ? undefined : attributeOf(element, attribute.name)
      if (raw !== undefined) result[attribute.key] = attribute.lexical.parse(raw)
      else if (isNull(attribute)) result[attribute.key] = null
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
      const earlier = result[member.key]
      if (!member.isRepeated) {
        if (Object.hasOwn(result, member.key)) state.errors.push({ element: child, detail: twice })
        else result[member.key] = value
      } else if (Array.isArray(earlier)) earlier.push(value)
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
  const { isRepeated } = particle
  return elementNames(particle).map(({ namespace, local }) => ({
    key,
    namespace,
    local,
    isRepeated,
    isIgnored,
    read,
  }))
}

/** Whether a missing attribute is read as `null`. Attributes cannot represent `null` in any other way. */
const isNull = ({ allowsNull, allowsUndefined }: TextMember): boolean =>
  allowsNull && !allowsUndefined

/**
 * Parses character data. Empty text that the codec rejects is read as `undefined` or `null`, provided that the member
 * allows that value.
 */
const valueOf = (
  { codecs: [codec], lexical, allowsNull, allowsUndefined }: TextMember,
  text: string,
): unknown => {
  const parsed = lexical.parse(text)
  if (text !== '' || !(allowsNull || allowsUndefined) || isRight(codec.decode(parsed)))
    return parsed
  return allowsUndefined ? undefined : null
}
