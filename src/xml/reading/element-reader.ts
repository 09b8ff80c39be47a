/**
 * Reads elements: functions made for a shape, which give the value that the codec decodes. What is wrong with an element by itself
 * is a fault; what is wrong with a value, the codec says.
 */
import { isRight } from 'fp-ts/lib/Either.js'
import type { Element } from './element.ts'
import { attributeOf } from './element.ts'
import type { Chosen, Ignores, Once, Read, Reading } from './read-context.ts'
import { isNamed, strictly } from './read-context.ts'
import type { QName } from '../xml-names.ts'
import { expanded, instanceNamespace } from '../xml-names.ts'
import { ofEntries } from './read-collections.ts'
import { ofFields } from './read-object.ts'
import { ofItems } from './read-items.ts'
import type { Alternative, Content, Particle, Shape, TextContent } from '../mapping/xml-schema.ts'
import { tagged } from './tagged.ts'

/** Reads the root of a document. */
export interface RootReader {
  /** Whether an element can be the root. */
  readonly isRoot: (element: Element) => boolean
  /** The names that it can have. */
  readonly expected: ReadonlyArray<string>
  /** The value that the codec decodes. */
  readonly read: Read
}

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

class Maker {
  readonly #contents: ReadonlyArray<Content>
  readonly #ignores: Ignores
  readonly #made = new Map<number, Read>()

  constructor(contents: ReadonlyArray<Content>, ignores: Ignores) {
    this.#contents = contents
    this.#ignores = ignores
  }

  readonly once: Once = (particle, isNameless = false) => {
    const kinds = particle.alternatives.map((alternative) => ({
      ...alternative,
      read: this.#element(alternative),
    }))
    const [only] = kinds
    const choose =
      kinds.length === 1 && only !== undefined
        ? only.read
        : this.#choosing(particle, kinds, isNameless)
    return (element, state) => {
      const nil = element.attributes.length === 0 ? undefined : attributeOf(element, nilName)
      if (nil === undefined || !isTrue.test(nil)) return choose(element, state)
      return particle.takesNull || !particle.takesUndefined ? null : undefined
    }
  }

  /** Made when it is first called: contents can stand inside themselves. */
  #element({ content }: Alternative): Read {
    const made = this.#made
    return (element, state) => {
      let read = made.get(content)
      if (read === undefined) made.set(content, (read = this.#content(this.#contents[content])))
      return read(element, state)
    }
  }

  /** The first kind that takes the element, or that its tag names; the first of all where none does, for what it says. */
  #choosing(
    particle: Particle,
    kinds: ReadonlyArray<Alternative & { readonly read: Read }>,
    isNameless: boolean,
  ): Read {
    const names = kinds.map(({ content }) => tagged(this.#contents[content], particle.tag))
    const choose = (element: Element, state: Reading): Chosen => {
      const isHere = isNameless ? (): boolean => true : isNamed(element)
      const possible = kinds.filter(({ name }) => isHere(name))
      const named = kinds.find((one, at) => isHere(one.name) && names[at]?.(element) === true)
      const among = named === undefined ? possible : [named]
      let first: Chosen | undefined
      for (const { read, codecs } of among) {
        const inside = { ...state, faults: [] }
        const value = read(element, inside)
        const one = { particle, value, faults: inside.faults }
        first ??= one
        if (one.faults.length > 0 || among.length === 1) continue
        if (codecs.some((codec) => isRight(codec.decode(value)))) return one
      }
      return first ?? { particle, value: element.text, faults: [] }
    }
    return (element, state) => {
      const known = state.chosen.get(element)
      let chosen = known?.find((one) => one.particle === particle)
      if (chosen === undefined) {
        chosen = choose(element, state)
        if (known === undefined) state.chosen.set(element, [chosen])
        else known.push(chosen)
      }
      for (const fault of chosen.faults) state.faults.push(fault)
      return chosen.value
    }
  }

  #content(content: Content | undefined): Read {
    switch (content?._tag) {
      case 'Text':
        return ofText(content)
      case 'Fields':
        return ofFields(content, this.once, this.#ignores)
      case 'Entries':
        return ofEntries(content, this.once)
      case 'Items':
        return ofItems(content, this.once)
      case undefined:
        return () => undefined
    }
  }
}

const nilName: QName = { namespace: instanceNamespace, local: 'nil' }
const isTrue = /^[ \t\n]*(?:true|1)[ \t\n]*$/

const ofText =
  ({ lexical, refuses }: TextContent): Read =>
  (element, state) => {
    const [child] = element.children
    if (child !== undefined)
      state.faults.push({ element, detail: 'has to be a single value, without elements inside' })
    if (refuses || state.refuses) strictly(element, [], state)
    return lexical.lift(element.text)
  }
