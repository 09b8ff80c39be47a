/** Finds HAL representations of values that cannot be sent or received as HAL. */
import { isHal } from '../../endpoint/representation.ts'
import { reservedMembers } from '../../body/formats/hal.ts'
import { acceptsOnlyLists } from '../../codec/standard-schema/accepted-types.ts'
import type { StandardType } from '../../codec/standard-schema/standard-schema.ts'
import { isStandardType } from '../../codec/standard-schema/standard-schema.ts'
import type { AnyRepresentation } from '../../endpoint/representation.ts'
import { membersOf, shapeOf } from '../links/entity.ts'

/** Returns a remedy for each error in the sent and received representations of a route. */
export const halErrors = (
  sent: ReadonlyArray<AnyRepresentation>,
  received: ReadonlyArray<AnyRepresentation>,
): ReadonlyArray<string> =>
  [...sent, ...received].some(({ format }) => isHal(format))
    ? [
        ...[...new Set([...sent, ...received])].flatMap(halFormatErrors),
        ...received
          .filter(({ format }) => isHal(format) && shapeOf(format.codec)?.isCollection === true)
          .map(({ mediaType }) => `a request body of type ${mediaType} cannot be a collection`),
      ]
    : []

const halFormatErrors = ({ format }: AnyRepresentation): ReadonlyArray<string> => {
  if (!isHal(format)) return []
  const shape = shapeOf(format.codec)
  if (shape === undefined)
    return [
      isStandardType(format.codec)
        ? remedyForSchema(format.codec)
        : `${format.codec.name} is neither an object nor a collection of objects`,
    ]
  const members = membersOf(shape.entity)
  return reservedMembers
    .filter((name) => members?.has(name) === true)
    .map((name) => `${shape.codec.name} declares the reserved member ${name}: rename the member`)
}

const remedyForSchema = ({ schema, name }: StandardType<unknown, unknown>): string =>
  acceptsOnlyLists(schema)
    ? `the ${name} schema describes a list: pass the schema of its elements, as in hal(list(schema))`
    : `the ${name} schema has no JSON Schema of an object: provide one, or use a codec such as t.type({ … })`
