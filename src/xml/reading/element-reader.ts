/**
 * Creates readers for the elements described by a schema. Each reader returns the value to be decoded by the codec.
 *
 * Readers report errors in elements and attributes. The codec reports errors in values.
 */
import { isRight } from 'fp-ts/lib/Either.js'
import type { Codec } from '../../codec/codec.ts'
import type { Element } from './element.ts'
import { attributeOf } from './element.ts'
import type { Choice, IsIgnored, ReaderOf, ReadElement, ReadState } from './read-context.ts'
import { hasName, rejectUndeclaredAttributes } from './read-context.ts'
import type { QName } from '../xml-names.ts'
import { expandedName, instanceNamespace } from '../xml-names.ts'
import { recordReader, wrapperReader, objectReader } from './read-object.ts'
import type {
  Alternative,
  ContentModel,
  Particle,
  XmlSchema,
  TextModel,
} from '../mapping/xml-schema.ts'

/** Reads the root element of a document. */
export interface RootReader {
  /** Whether an element is a valid root element. */
  readonly isRoot: (element: Element) => boolean
  /** The permitted names of the root element. */
  readonly expected: ReadonlyArray<string>
  /** Reads the root element. Returns the value to be decoded by the codec. */
  readonly read: ReadElement
}

/** Creates a reader for the documents described by a schema. */
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
  readonly #readers = new Map<number, ReadElement>()

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

  /** Returns a reader for an alternative. The content model can be recursive, so its reader is created on first use. */
  #element({ model }: Alternative): ReadElement {
    const readers = this.#readers
    return (element, state) => {
      let read = readers.get(model)
      if (read === undefined) readers.set(model, (read = this.#model(this.#models[model])))
      return read(element, state)
    }
  }

  /**
   * Creates a reader for a union. Among the alternatives with a matching name, the reader uses the one selected by the
   * discriminator. If the discriminator selects none of them, the reader uses the first alternative whose value can be
   * decoded.
   *
   * If none of these values can be decoded, the reader uses the first alternative and reports its errors.
   */
  #union(
    particle: Particle,
    alternatives: ReadonlyArray<Alternative & { readonly read: ReadElement }>,
    ignoresName: boolean,
  ): ReadElement {
    const tests = alternatives.map(({ model }) =>
      discriminatorTest(this.#models, model, particle.tag),
    )
    const choose = (element: Element, state: ReadState): Choice => {
      const matchesName = ignoresName ? (): boolean => true : hasName(element)
      const possible = alternatives.filter(({ name }) => matchesName(name))
      const named = alternatives.find(
        ({ name }, index) => matchesName(name) && tests[index]?.(element) === true,
      )
      const candidates = named === undefined ? possible : [named]
      let first: Choice | undefined
      for (const { read, codecs } of candidates) {
        const candidateState = { ...state, errors: [] }
        const value = read(element, candidateState)
        const choice = { particle, value, errors: candidateState.errors }
        first ??= choice
        if (choice.errors.length > 0 || candidates.length === 1) continue
        if (codecs.some((codec) => isRight(codec.decode(value)))) return choice
      }
      return first ?? { particle, value: element.text, errors: [] }
    }
    return (element, state) => {
      const choices = state.choices.get(element)
      let choice = choices?.find((made) => made.particle === particle)
      if (choice === undefined) {
        choice = choose(element, state)
        if (choices === undefined) state.choices.set(element, [choice])
        else choices.push(choice)
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

/**
 * Returns a function that tests whether an element has the discriminator value of the content model. Returns `undefined`
 * if the content model has no discriminator.
 */
const discriminatorTest = (
  models: ReadonlyArray<ContentModel>,
  index: number,
  tag: string | undefined,
): ((element: Element) => boolean) | undefined => {
  const model = models[index]
  if (model?._tag !== 'Object' || tag === undefined) return undefined
  const attribute = model.attributes.find(({ key }) => key === tag)
  if (attribute !== undefined)
    return (element) => {
      const text = attributeOf(element, attribute.name)
      return text !== undefined && decodes(attribute.codecs, attribute.lexical.parse(text))
    }
  const member = model.elements.find(({ key }) => key === tag)
  if (member === undefined) return undefined
  const { name, alternatives } = member.particle
  const text = models[alternatives[0]?.model ?? -1]
  if (text?._tag !== 'Text') return undefined
  return (element) =>
    element.children.some(
      (child) => hasName(child)(name) && decodes(member.codecs, text.lexical.parse(child.text)),
    )
}

const decodes = ([codec]: readonly [Codec, ...Codec[]], value: unknown): boolean =>
  isRight(codec.decode(value))
