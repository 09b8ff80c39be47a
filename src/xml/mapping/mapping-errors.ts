/** What members of one object do to each other in XML. */
import type { QName } from '../xml-names.ts'
import { expanded } from '../xml-names.ts'
import type { FieldsContent } from './xml-schema.ts'

/** What is wrong with the members of an object, of which so many are its text. */
export const contradictions = (
  { attributes, elements }: FieldsContent,
  values: number,
): ReadonlyArray<string> => [
  ...(values > 1 ? ['two members are its text'] : []),
  ...(values > 0 && elements.length > 0 ? ['beside a text it can have attributes only'] : []),
  ...twice(attributes.map(({ name }) => name)).map(
    (name) => `two members are the attribute ${name}`,
  ),
  ...twice(
    elements.flatMap(({ particle }) => distinct(particle.alternatives.map(({ name }) => name))),
  ).map((name) => `two members are the element ${name}`),
]

/** The names of one member: several kinds of values may share one. */
const distinct = (names: ReadonlyArray<QName>): ReadonlyArray<QName> => [
  ...new Map(names.map((name) => [expanded(name), name])).values(),
]

const twice = (names: ReadonlyArray<QName>): ReadonlyArray<string> => {
  const known = names.map(expanded)
  return [...new Set(known.filter((name, index) => known.indexOf(name) !== index))]
}
