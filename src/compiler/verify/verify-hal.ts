/** What is wrong with representations in HAL, in a sentence each. */
import type { AnyRepresentation } from '../../endpoint/representation.ts'
import { reservedMembers } from '../../body/hal-reserved.ts'
import { membersOf, shapeOf } from '../links/entity.ts'

export const halErrors = (
  sent: ReadonlyArray<AnyRepresentation>,
  read: ReadonlyArray<AnyRepresentation>,
): ReadonlyArray<string> => [
  ...[...new Set([...sent, ...read])].flatMap(objections),
  ...read
    .filter(({ format }) => format._tag === 'Hal' && shapeOf(format.codec)?.isCollection === true)
    .map(({ mediaType }) => `a collection as ${mediaType} is only sent, so it cannot be a body`),
]

const objections = ({ format }: AnyRepresentation): ReadonlyArray<string> => {
  if (format._tag !== 'Hal') return []
  const shape = shapeOf(format.codec)
  if (shape === undefined)
    return [`${format.codec.name} is neither an object nor a collection of objects`]
  const members = membersOf(shape.entity)
  return reservedMembers
    .filter((name) => members?.has(name) === true)
    .map((name) => `${shape.codec.name} has a member ${name} of its own: call it something else`)
}
