/** Defines the types that the element readers share, and functions that report errors. */
import type { Codec } from '../../codec/codec.ts'
import type { Attribute, Element } from './element.ts'
import { hasText } from './element.ts'
import type { QName } from '../xml-names.ts'
import { expandedName, instanceNamespace, xmlNamespace } from '../xml-names.ts'
import type { Particle, TextMember, ContentModel, XmlSchema } from '../mapping/xml-schema.ts'
import type * as t from 'io-ts'
import { isCodec, unwrap } from '../../codec/structure/codec-structure.ts'

/** A validation error in an element or an attribute. */
export interface XmlElementError {
  readonly element: Element
  readonly attribute?: Attribute
  readonly detail: string
}

/** The state while a document is read. */
export interface ReadState {
  /** Whether undeclared elements and attributes are errors. If `false`, they are dropped. */
  readonly rejectsUndeclared: boolean
  readonly errors: XmlElementError[]
  /**
   * The alternatives that have been chosen for unions. They are kept so that nested unions are decided only once for each
   * element.
   */
  readonly choices: Map<Element, Choice[]>
}

/** The alternative that was chosen for an element, for one particle. */
export interface Choice {
  readonly particle: Particle
  readonly value: unknown
  readonly errors: ReadonlyArray<XmlElementError>
}

/** Reads an element. Returns the value that the codec then decodes. */
export type ReadElement = (element: Element, state: ReadState) => unknown

/** Creates a reader for one element in a particle. If `ignoresName` is `true`, the element may have any name. */
export type ReaderOf = (particle: Particle, ignoresName?: boolean) => ReadElement

/** Whether a member with this codec is treated as missing. */
export type IsIgnored = (member: Codec) => boolean

/** Messages for validation errors. */
export const undeclared = 'is not declared'
export const twice = 'occurs more than once'

/** Returns a function that checks whether an element or attribute has the given name. */
export const hasName =
  ({ namespace, local }: QName) =>
  (element: QName): boolean =>
    element.local === local && element.namespace === namespace

/** Returns the names that elements in a particle can have, including the name of an element with `xsi:nil`. */
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

/** Reports undeclared attributes, except for attributes in the `xml` and `xsi` namespaces. */
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

/** Reports character data other than white space. */
export const rejectText = (element: Element, state: ReadState): void => {
  if (hasText(element)) state.errors.push({ element, detail: 'character data is not declared' })
}

/** Returns the XPath at which a validation error occurred, such as `/books/book[2]/@isbn`. The XPath contains no prefixes. */
export const errorPath = ({ root, models }: XmlSchema, context: t.Context): string => {
  const keys = context.filter((_, index) => isKey(context[index - 1])).map(({ key }) => key)
  const [kind] = root.alternatives
  const path = `/${(kind?.name ?? root.name).local}`
  return path + pathInParticle(root, keys, models)
}

/** Returns the path below an element in a particle. */
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
  if (particle.occurs === 'once') return local + pathInParticle(particle, keys, models)
  const [position, ...rest] = keys
  if (position === undefined) return local
  const item = particle.positions[Number(position)] ?? particle
  return `${local}[${Number(position) + 1}]${pathInParticle(item, rest, models)}`
}

/**
 * Whether the entry that follows `parent` in an io-ts context names a member of a value. Otherwise, the entry is the index of a
 * codec in a union or intersection.
 */
const isKey = (parent: t.ContextEntry | undefined): boolean => {
  if (parent === undefined || !isCodec(parent.type)) return parent !== undefined
  const { _tag } = unwrap(parent.type)
  return _tag !== 'UnionType' && _tag !== 'IntersectionType'
}
