/**
 * Creates functions that read the elements of a schema. They return the value that the codec decodes.
 *
 * Readers report errors of elements and attributes. The codec reports errors of values.
 */
import { isRight } from 'fp-ts/lib/Either.js'
import type { Codec } from '../../codec/codec.ts'
import type { Element } from './element.ts'
import { attributeOf } from './element.ts'
import type { Choice, IsIgnored, ReaderOf, ReadElement, ReadState } from './read-context.ts'
import { hasName, rejectUndeclaredAttributes } from './read-context.ts'
import type { QName } from '../xml-names.ts'
import { expandedName, instanceNamespace } from '../xml-names.ts'
import { recordReader, wrapperReader } from './read-collections.ts'
import { objectReader } from './read-object.ts'
import type {
  Alternative,
  ContentModel,
  Particle,
  XmlSchema,
  TextModel,
} from '../mapping/xml-schema.ts'
import { lexicalOf } from '../mapping/text-codecs.ts'

/** Reads the root of a document. */
export interface RootReader {
  /** Whether an element can be the root element. */
  readonly isRoot: (element: Element) => boolean
  /** The possible tests of the root element. */
  readonly expected: ReadonlyArray<string>
  /** Returns the value that the codec decodes. */
  readonly read: ReadElement
}

/** Creates the reader of a schema. */
export const createReader = ({ root, models }: XmlSchema, isIgnored: IsIgnored): RootReader => {
  const expected = [...new Set(root.alternatives.map(({ name }) => expandedName(name)))]
  return {
    isRoot: (element) =>
      expected.includes(expandedName(element)) || (root.allowsNull && hasName(root.name)(element)),
    expected,
    read: new ReaderFactory(models, isIgnored).particleReader(root),
  }
}

class ReaderFactory {
  readonly #models: ReadonlyArray<ContentModel>
  readonly #isIgnored: IsIgnored
  readonly #made = new Map<number, ReadElement>()

  constructor(models: ReadonlyArray<ContentModel>, isIgnored: IsIgnored) {
    this.#models = models
    this.#isIgnored = isIgnored
  }

  readonly particleReader: ReaderOf = (particle, ignoresName = false) => {
    const alternatives = particle.alternatives.map((alternative) => ({
      ...alternative,
      read: this.#element(alternative),
    }))
    const [only] = alternatives
    const choose =
      alternatives.length === 1 && only !== undefined
        ? only.read
        : this.#union(particle, alternatives, ignoresName)
    return (element, state) => {
      const nil = element.attributes.length === 0 ? undefined : attributeOf(element, nilName)
      if (nil === undefined || !isTrue.test(nil)) return choose(element, state)
      return particle.allowsNull || !particle.allowsUndefined ? null : undefined
    }
  }

  /** Creates the reader on the first call, because content models can be recursive. */
  #element({ model }: Alternative): ReadElement {
    const made = this.#made
    return (element, state) => {
      let read = made.get(model)
      if (read === undefined) made.set(model, (read = this.#model(this.#models[model])))
      return read(element, state)
    }
  }

  /**
   * Chooses the alternative that the discriminator determines, or else the first one that decodes.
   *
   * If none decodes, chooses the first one, for its errors.
   */
  #union(
    particle: Particle,
    alternatives: ReadonlyArray<Alternative & { readonly read: ReadElement }>,
    ignoresName: boolean,
  ): ReadElement {
    const tests = alternatives.map(({ model }) =>
      discriminatorTest(this.#models[model], particle.tag),
    )
    const choose = (element: Element, state: ReadState): Choice => {
      const matchesName = ignoresName ? (): boolean => true : hasName(element)
      const possible = alternatives.filter(({ name }) => matchesName(name))
      const named = alternatives.find(
        (one, at) => matchesName(one.name) && tests[at]?.(element) === true,
      )
      const candidates = named === undefined ? possible : [named]
      let first: Choice | undefined
      for (const { read, codecs } of candidates) {
        const inside = { ...state, errors: [] }
        const value = read(element, inside)
        const one = { particle, value, errors: inside.errors }
        first ??= one
        if (one.errors.length > 0 || candidates.length === 1) continue
        if (codecs.some((codec) => isRight(codec.decode(value)))) return one
      }
      return first ?? { particle, value: element.text, errors: [] }
    }
    return (element, state) => {
      const known = state.choices.get(element)
      let choice = known?.find((one) => one.particle === particle)
      if (choice === undefined) {
        choice = choose(element, state)
        if (known === undefined) state.choices.set(element, [choice])
        else known.push(choice)
      }
      for (const error of choice.errors) state.errors.push(error)
      return choice.value
    }
  }

  #model(model: ContentModel | undefined): ReadElement {
    switch (model?._tag) {
      case 'Text':
        return textReader(model)
      case 'Object':
        return objectReader(model, this.particleReader, this.#isIgnored)
      case 'Record':
        return recordReader(model, this.particleReader)
      case 'Wrapper':
        return wrapperReader(model, this.particleReader)
      case undefined:
        return () => undefined
    }
  }
}

const nilName: QName = { namespace: instanceNamespace, local: 'nil' }
const isTrue = /^[ \t\n]*(?:true|1)[ \t\n]*$/

const textReader =
  ({ lexical, rejectsUndeclared }: TextModel): ReadElement =>
  (element, state) => {
    const [child] = element.children
    if (child !== undefined)
      state.errors.push({ element, detail: 'must be a single value without child elements' })
    if (rejectsUndeclared || state.rejectsUndeclared) rejectUndeclaredAttributes(element, [], state)
    return lexical.parse(element.text)
  }

/** Returns a function that tests the discriminator of an element; `undefined` if the content model has none. */
const discriminatorTest = (
  model: ContentModel | undefined,
  tag: string | undefined,
): ((element: Element) => boolean) | undefined => {
  if (model?._tag !== 'Object' || tag === undefined) return undefined
  const attribute = model.attributes.find(({ key }) => key === tag)
  if (attribute !== undefined)
    return (element) => {
      const text = attributeOf(element, attribute.name)
      return text !== undefined && decodes(attribute.codecs[0], text)
    }
  const field = model.elements.find(({ key }) => key === tag)
  if (field === undefined) return undefined
  const { name } = field.particle
  return (element) =>
    element.children.some(
      ({ local, namespace, text }) =>
        local === name.local && namespace === name.namespace && decodes(field.codecs[0], text),
    )
}

const decodes = (codec: Codec, text: string): boolean =>
  isRight(codec.decode(lexicalOf(codec)?.parse(text)))
