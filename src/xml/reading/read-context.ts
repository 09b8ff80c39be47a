/** Types and helpers of the functions that read elements. */
import type { Codec } from '../../codec/codec.ts'
import type { Attribute, Element } from './element.ts'
import { hasText } from './element.ts'
import type { QName } from '../xml-names.ts'
import { expandedName, instanceNamespace, xmlNamespace } from '../xml-names.ts'
import type { Particle, TextMember } from '../mapping/xml-schema.ts'

/** A validation error of an element or an attribute. */
export interface ElementError {
  readonly element: Element
  readonly attribute?: Attribute
  readonly detail: string
}

/** The state of reading a document. */
export interface ReadState {
  /** Whether undeclared elements and attributes are errors. They are dropped otherwise. */
  readonly rejectsUndeclared: boolean
  readonly errors: ElementError[]
  /** The chosen alternatives of unions, so that nested unions are decided once for each element. */
  readonly choices: Map<Element, Choice[]>
}

/** The chosen alternative of an element for one particle. */
export interface Choice {
  readonly particle: Particle
  readonly value: unknown
  readonly errors: ReadonlyArray<ElementError>
}

/** Reads an element. Returns the value that the codec decodes. */
export type ReadElement = (element: Element, state: ReadState) => unknown

/** Creates a reader for one element of a particle. With `ignoresName`, the element may have any name. */
export type ReaderOf = (particle: Particle, ignoresName?: boolean) => ReadElement

/** Whether a member with this codec is treated as missing. */
export type IsIgnored = (member: Codec) => boolean

/** Messages of errors. */
export const undeclared = 'is not declared'
export const twice = 'occurs more than once'

/** Whether an element or attribute has a name. */
export const hasName =
  ({ namespace, local }: QName) =>
  (element: QName): boolean =>
    element.local === local && element.namespace === namespace

/** Returns the element names of a particle, including the name for nil. */
export const elementNames = ({
  alternatives,
  name,
  allowsNull,
  allowsUndefined,
}: Particle): ReadonlyArray<QName> => {
  const names = alternatives.map((one) => one.name)
  const all = allowsNull || allowsUndefined || names.length === 0 ? [...names, name] : names
  return [...new Map(all.map((one) => [expandedName(one), one])).values()]
}

/** Reports undeclared attributes, except for those of the namespaces `xml` and `xsi`. */
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
