/** Defines the types shared by the element readers, and functions that report errors. */
import type { Codec } from '../../codec/codec.ts'
import type { Attribute, Element } from './element.ts'
import { hasText } from './element.ts'
import type { QName } from '../xml-names.ts'
import { expandedName, instanceNamespace, xmlNamespace } from '../xml-names.ts'
import type { Particle, TextMember, ContentModel, XmlSchema } from '../mapping/xml-schema.ts'
import type * as t from 'io-ts'
import { errorPath } from '../../codec/codec-structure.ts'

/** A validation error in an element or an attribute. */
export interface XmlElementError {
  readonly element: Element
  readonly attribute?: Attribute
  readonly detail: string
}

/** The state of a reader while it reads a document. */
export interface ReadState {
  /** Whether undeclared elements and attributes are errors. If `false`, they are dropped. */
  readonly rejectsUndeclared: boolean
  readonly errors: XmlElementError[]
  /**
   * The choices made so far between the alternatives of unions, by element. They are stored so that each choice is made
   * only once, even if unions are nested.
   */
  readonly choices: Map<Element, Choice[]>
}

/** The result of reading an element as one of the alternatives of a particle. */
export interface Choice {
  readonly particle: Particle
  readonly value: unknown
  readonly errors: ReadonlyArray<XmlElementError>
}

/** Reads an element. Returns the value to be decoded by the codec. */
export type ReadElement = (element: Element, state: ReadState) => unknown

/** Creates a reader for a single element of a particle. If `ignoresName` is `true`, the element may have any name. */
export type ReaderOf = (particle: Particle, ignoresName?: boolean) => ReadElement

/** Whether a member with the given codec is treated as missing. */
export type IsIgnored = (member: Codec) => boolean

/** Messages for validation errors. */
export const undeclared = 'is not declared'
export const twice = 'occurs more than once'

/** Returns a predicate that checks whether an element or attribute has the given name. */
export const hasName =
  ({ namespace, local }: QName) =>
  (element: QName): boolean =>
    element.local === local && element.namespace === namespace

/** Returns all element names allowed by a particle, including the name used with `xsi:nil`. */
export const elementNames = ({
  alternatives,
  name,
  allowsNull,
  allowsUndefined,
}: Particle): ReadonlyArray<QName> => {
  const names = alternatives.map((alternative) => alternative.name)
  const all = allowsNull || allowsUndefined || names.length === 0 ? [...names, name] : names
  return [...new Map(all.map((qname) => [expandedName(qname), qname])).values()]
}

/** Reports a validation error for each undeclared attribute that is not in the `xml` or `xsi` namespace. */
export const rejectUndeclaredAttributes = (
  element: Element,
  declared: ReadonlyArray<TextMember>,
  state: ReadState,
): void => {
  for (const attribute of element.attributes) {
    const { namespace } = attribute
    if (namespace === instanceNamespace || namespace === xmlNamespace) continue
    if (!declared.some(({ name }) => hasName(attribute)(name)))
      state.errors.push({ element, attribute, detail: undeclared })
  }
}

/** Reports a validation error if an element contains character data other than whitespace. */
export const rejectText = (element: Element, state: ReadState): void => {
  if (hasText(element)) state.errors.push({ element, detail: 'character data is not declared' })
}

/**
 * Returns the XPath at which a validation error occurred, such as `/books/book[2]/@isbn`, without namespace prefixes.
 */
export const errorXPath = ({ root, models }: XmlSchema, context: t.Context): string => {
  const [kind] = root.alternatives
  const path = `/${(kind?.name ?? root.name).local}`
  return path + pathInParticle(root, errorPath(context), models)
}

/**
 * Returns the rest of an XPath after the element that the particle describes, or an empty string if the XPath ends
 * there.
 */
const pathInParticle = (
  particle: Particle,
  keys: ReadonlyArray<string>,
  models: ReadonlyArray<ContentModel>,
): string => {
  if (keys.length === 0) return ''
  for (const { model } of particle.alternatives) {
    const path = pathInModel(models[model], keys, models)
    if (path !== undefined) return path
  }
  return ''
}

const pathInModel = (
  model: ContentModel | undefined,
  [key = '', ...keys]: ReadonlyArray<string>,
  models: ReadonlyArray<ContentModel>,
): string | undefined => {
  switch (model?._tag) {
    case 'Object': {
      const attribute = model.attributes.find((member) => member.key === key)
      if (attribute !== undefined) return `/@${attribute.name.local}`
      if (model.value?.key === key) return ''
      const element = model.elements.find((member) => member.key === key)
      return element === undefined ? undefined : `/${stepsOf(element.particle, keys, models)}`
    }
    case 'Record':
      return `/${stepsOf(model.particle, keys, models, key)}`
    case 'Wrapper':
      return `/${stepsOf(model.particle, [key, ...keys], models)}`
    default:
      return undefined
  }
}

const stepsOf = (
  particle: Particle,
  keys: ReadonlyArray<string>,
  models: ReadonlyArray<ContentModel>,
  local = (particle.alternatives[0] ?? particle).name.local,
): string => {
  if (!particle.isRepeated) return local + pathInParticle(particle, keys, models)
  const [position, ...rest] = keys
  if (position === undefined) return local
  const item = particle.positions[Number(position)] ?? particle
  return `${local}[${Number(position) + 1}]${pathInParticle(item, rest, models)}`
}
