/** Configuration errors of codecs in XML. */
import type { QName } from '../xml-names.ts'
import { expandedName } from '../xml-names.ts'
import type { ObjectModel } from './xml-schema.ts'

export const noName = (local: string): string =>
  `${JSON.stringify(local)} is not a valid name: declare another with xmlElement`
export const noRoot =
  'missing name of the root element: declare it with xmlRootElement, or name the codec'
export const listRoot = 'a list cannot be the root element: wrap it with xmlElementWrapper'
export const listInList = 'nested list: wrap the inner list with xmlElementWrapper'
export const listInUnion = 'list in a union: wrap it with xmlElementWrapper'
export const tuple = 'unsupported tuple: use xmlElementWrapper or xmlList'
export const endless = 'infinitely recursive codec'

/** Returns the conflicts between members of an object, of which `values` map to its character data. */
export const memberConflicts = (
  { attributes, elements }: ObjectModel,
  values: number,
): ReadonlyArray<string> => [
  ...(values > 1 ? ['several members map to its character data'] : []),
  ...(values > 0 && elements.length > 0
    ? ['an element with character data can only have attributes']
    : []),
  ...duplicates(attributes.map(({ name }) => name)).map(
    (name) => `several members map to the attribute ${name}`,
  ),
  ...duplicates(
    elements.flatMap(({ particle }) => distinct(particle.alternatives.map(({ name }) => name))),
  ).map((name) => `several members map to the element ${name}`),
]

/** The distinct names of one member. Its alternatives may share a name. */
const distinct = (names: ReadonlyArray<QName>): ReadonlyArray<QName> => [
  ...new Map(names.map((name) => [expandedName(name), name])).values(),
]

const duplicates = (names: ReadonlyArray<QName>): ReadonlyArray<string> => {
  const known = names.map(expandedName)
  return [...new Set(known.filter((name, index) => known.indexOf(name) !== index))]
}
