/**
 * Reads elements: functions made for a shape, which give the value that the codec decodes. What is wrong with an element by itself
 * is a fault; what is wrong with a value, the codec says.
 */
import { isRight } from 'fp-ts/lib/Either.js'
import type { Codec } from '../codec.ts'
import type { Attribute, Element } from './element.ts'
import { attributeOf, hasText } from './element.ts'
import type { QName } from './name.ts'
import { expanded, instanceNamespace, xmlNamespace } from './name.ts'
import type {
  Alternative,
  Content,
  ElementField,
  EntriesContent,
  FieldsContent,
  ItemsContent,
  Particle,
  Shape,
  TextContent,
  TextField,
} from './shape.ts'
import { tagged } from './tagged.ts'

/** What is wrong with an element, or with an attribute of it. */
export interface ElementFault {
  readonly element: Element
  readonly attribute?: Attribute
  readonly detail: string
}

/** A document that is being read. */
export interface Reading {
  /** Whether what is not declared is a fault; it is dropped otherwise. */
  readonly refuses: boolean
  readonly faults: ElementFault[]
  /** What was chosen for the elements of unions: these are asked once for each, however deep they stand in each other. */
  readonly chosen: Map<Element, Map<Particle, Chosen>>
}

interface Chosen {
  readonly value: unknown
  readonly faults: ReadonlyArray<ElementFault>
}

/** Reads the root of a document. */
export interface RootReader {
  /** Whether an element can be the root. */
  readonly isRoot: (element: Element) => boolean
  /** The names that it can have. */
  readonly expected: ReadonlyArray<string>
  /** The value that the codec decodes. */
  readonly read: Read
}

/** Whether a member with this codec is as if it had not been sent. */
export type Ignores = (member: Codec) => boolean

/** Prepares reading. */
export const reading = ({ root, contents }: Shape, ignores: Ignores): RootReader => {
  const expected = [...new Set(root.alternatives.map(({ name }) => expanded(name)))]
  return {
    isRoot: (element) =>
      expected.includes(expanded(element)) || (root.takesNull && isNamed(root.name)(element)),
    expected,
    read: new Maker(contents, ignores).once(root),
  }
}

type Read = (element: Element, state: Reading) => unknown

const isNamed =
  ({ namespace, local }: QName) =>
  (element: QName): boolean =>
    element.local === local && element.namespace === namespace

/** What stands among children, for one field. */
interface Member {
  readonly key: string
  readonly namespace: string
  readonly isMany: boolean
  readonly isIgnored: boolean
  readonly read: Read
}

class Maker {
  readonly #contents: ReadonlyArray<Content>
  readonly #ignores: Ignores
  readonly #made = new Map<number, Read>()

  constructor(contents: ReadonlyArray<Content>, ignores: Ignores) {
    this.#contents = contents
    this.#ignores = ignores
  }

  /** One element of a particle. */
  once(particle: Particle): Read {
    const kinds = particle.alternatives.map((alternative) => ({
      ...alternative,
      read: this.#element(alternative),
    }))
    const [only] = kinds
    const choose =
      kinds.length === 1 && only !== undefined ? only.read : this.#choosing(particle, kinds)
    return (element, state) => {
      const nil = element.attributes.length === 0 ? undefined : attributeOf(element, nilName)
      if (nil === undefined || !isTrue.test(nil)) return choose(element, state)
      return particle.takesNull || !particle.takesUndefined ? null : undefined
    }
  }

  #element({ content }: Alternative): Read {
    const made = this.#made
    return (element, state) => {
      let read = made.get(content)
      if (read === undefined) made.set(content, (read = this.#content(this.#contents[content])))
      return read(element, state)
    }
  }

  /** The first kind that takes the element, or that its tag names; the first of all where none does, for what it says. */
  #choosing(particle: Particle, kinds: ReadonlyArray<Alternative & { readonly read: Read }>): Read {
    const names = kinds.map(({ content }) => tagged(this.#contents[content], particle.tag))
    const choose = (element: Element, state: Reading): Chosen => {
      const isHere = isNamed(element)
      const possible = kinds.filter(({ name }) => isHere(name))
      const named = kinds.find((one, at) => isHere(one.name) && names[at]?.(element) === true)
      const among = named === undefined ? possible : [named]
      let first: Chosen | undefined
      for (const { read, codecs } of among) {
        const inside = { ...state, faults: [] }
        const value = read(element, inside)
        const one = { value, faults: inside.faults }
        first ??= one
        if (one.faults.length > 0 || among.length === 1) continue
        if (codecs.some((codec) => isRight(codec.decode(value)))) return one
      }
      return first ?? { value: element.text, faults: [] }
    }
    return (element, state) => {
      const known = state.chosen.get(element) ?? new Map<Particle, Chosen>()
      state.chosen.set(element, known)
      const chosen = known.get(particle) ?? choose(element, state)
      known.set(particle, chosen)
      state.faults.push(...chosen.faults)
      return chosen.value
    }
  }

  #content(content: Content | undefined): Read {
    switch (content?._tag) {
      case 'Text':
        return ofText(content)
      case 'Fields':
        return this.#fields(content)
      case 'Entries':
        return this.#entries(content)
      case 'Items':
        return this.#items(content)
      case undefined:
        return () => undefined
    }
  }

  #fields(content: FieldsContent): Read {
    const { attributes, value: text, elements, refuses } = content
    const ignores = this.#ignores
    const isRead = ({ codecs }: TextField | ElementField): boolean => !codecs.some(ignores)
    const read = attributes.filter(isRead)
    const data = text !== undefined && isRead(text) ? text : undefined
    const byName = new Map<string, Member[]>()
    for (const field of elements)
      for (const member of this.#members(field))
        byName.set(member.local, [...(byName.get(member.local) ?? []), member])
    const lists = elements
      .filter(isRead)
      .filter(({ particle, takesUndefined }) => particle.occurs !== 'once' && !takesUndefined)
    return (element, state) => {
      const result: Record<string, unknown> = {}
      const isStrict = refuses || state.refuses
      for (const field of read) {
        const written =
          element.attributes.length === 0 ? undefined : attributeOf(element, field.name)
        if (written !== undefined) result[field.key] = field.lexical.lift(written)
        else if (isNull(field)) result[field.key] = null
      }
      if (data !== undefined) result[data.key] = textOf(data, element.text)
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
          if (Object.hasOwn(result, member.key))
            state.faults.push({ element: child, detail: twice })
          else result[member.key] = value
        } else if (Array.isArray(before)) before.push(value)
        else result[member.key] = [value]
      }
      for (const { key } of lists) if (result[key] === undefined) result[key] = []
      if (isStrict) {
        strictly(element, attributes, state)
        if (text === undefined && hasText(element))
          state.faults.push({ element, detail: 'character data is not declared' })
      }
      return result
    }
  }

  #members({
    key,
    codecs,
    particle,
  }: ElementField): ReadonlyArray<Member & { readonly local: string }> {
    const isIgnored = codecs.some(this.#ignores)
    const read = this.once(particle)
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

  #entries({ isKey, namespace, particle, refuses }: EntriesContent): Read {
    const readOne = this.once(particle)
    // the alternatives have no name of their own: the key is it
    const name = particle.alternatives[0]?.name ?? particle.name
    const read: Read = (child, state) => readOne({ ...child, ...name }, state)
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
      if (isStrict) strictly(element, [], state)
      return Object.fromEntries(values)
    }
  }

  #items({ particle, refuses }: ItemsContent): Read {
    const read = this.once(particle)
    const positions = particle.positions.map((position) => this.once(position))
    const names = [particle, ...particle.positions].flatMap(namesOf)
    return (element, state) => {
      const values: unknown[] = []
      const isStrict = refuses || state.refuses
      for (const child of element.children) {
        if (names.some(isNamed(child)))
          values.push((positions[values.length] ?? read)(child, state))
        else if (isStrict) state.faults.push({ element: child, detail: undeclared })
      }
      if (isStrict) strictly(element, [], state)
      return values
    }
  }
}

/** The names of the elements of a particle, with that of what is nil. */
const namesOf = ({
  alternatives,
  name,
  takesNull,
  takesUndefined,
}: Particle): ReadonlyArray<QName> => {
  const names = alternatives.map((one) => one.name)
  const all = takesNull || takesUndefined || names.length === 0 ? [...names, name] : names
  return [...new Map(all.map((one) => [expanded(one), one])).values()]
}

const nilName: QName = { namespace: instanceNamespace, local: 'nil' }
const isTrue = /^[ \t\n]*(?:true|1)[ \t\n]*$/

const undeclared = 'is not declared'
const twice = 'is there more than once'

/** An attribute has no form for `null`, so it is what is not there. */
const isNull = ({ takesNull, takesUndefined }: TextField): boolean => takesNull && !takesUndefined

const ofText =
  ({ lexical, refuses }: TextContent): Read =>
  (element, state) => {
    const [child] = element.children
    if (child !== undefined)
      state.faults.push({ element, detail: 'has to be a single value, without elements inside' })
    if (refuses || state.refuses) strictly(element, [], state)
    return lexical.lift(element.text)
  }

/** Of what may be missing, an empty text that is no value is that nothing is there. */
const textOf = (
  { codecs: [codec], lexical, takesNull, takesUndefined }: TextField,
  text: string,
): unknown => {
  const lifted = lexical.lift(text)
  if (text !== '' || !(takesNull || takesUndefined) || isRight(codec.decode(lifted))) return lifted
  return takesUndefined ? undefined : null
}

/** Attributes that nobody declares are faults, but for those that every element may have. */
const strictly = (element: Element, declared: ReadonlyArray<TextField>, state: Reading): void => {
  for (const attribute of element.attributes) {
    const { namespace } = attribute
    if (namespace === instanceNamespace || namespace === xmlNamespace) continue
    if (!declared.some(({ name }) => isNamed(attribute)(name)))
      state.faults.push({ element, attribute, detail: undeclared })
  }
}

/** Names that could reach a prototype, as the reader of JSON refuses them. */
const reachesPrototype = ({ local, children }: Element): boolean =>
  local === '__proto__' ||
  (local === 'constructor' && children.some((child) => child.local === 'prototype'))
