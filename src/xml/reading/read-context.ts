/** What the functions share that read elements: what they are given, and what they say when something is wrong. */
import type { Codec } from '../../codec/codec.ts'
import type { Attribute, Element } from './element.ts'
import { hasText } from './element.ts'
import type { QName } from '../xml-names.ts'
import { expanded, instanceNamespace, xmlNamespace } from '../xml-names.ts'
import type { Particle, TextField } from '../mapping/xml-schema.ts'

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
  readonly chosen: Map<Element, Chosen[]>
}

/** What one kind of a union makes of an element, where it is one of a particle. Most elements are of one particle only. */
export interface Chosen {
  readonly particle: Particle
  readonly value: unknown
  readonly faults: ReadonlyArray<ElementFault>
}

/** Gives the value that the codec decodes. */
export type Read = (element: Element, state: Reading) => unknown

/** Makes what reads one element of a particle: by its name, or whatever that is where something else has told what it is. */
export type Once = (particle: Particle, isNameless?: boolean) => Read

/** Whether a member with this codec is as if it had not been sent. */
export type Ignores = (member: Codec) => boolean

export const undeclared = 'is not declared'
export const twice = 'is there more than once'

export const isNamed =
  ({ namespace, local }: QName) =>
  (element: QName): boolean =>
    element.local === local && element.namespace === namespace

/** The names of the elements of a particle, with that of what is nil. */
export const namesOf = ({
  alternatives,
  name,
  takesNull,
  takesUndefined,
}: Particle): ReadonlyArray<QName> => {
  const names = alternatives.map((one) => one.name)
  const all = takesNull || takesUndefined || names.length === 0 ? [...names, name] : names
  return [...new Map(all.map((one) => [expanded(one), one])).values()]
}

/** Attributes that nobody declares are faults, but for those that every element may have. */
export const strictly = (
  element: Element,
  declared: ReadonlyArray<TextField>,
  state: Reading,
): void => {
  for (const attribute of element.attributes) {
    const { namespace } = attribute
    if (namespace === instanceNamespace || namespace === xmlNamespace) continue
    if (!declared.some(({ name }) => isNamed(attribute)(name)))
      state.faults.push({ element, attribute, detail: undeclared })
  }
}

/** Character data is a fault where there is no place for it. */
export const withoutText = (element: Element, state: Reading): void => {
  if (hasText(element)) state.faults.push({ element, detail: 'character data is not declared' })
}
