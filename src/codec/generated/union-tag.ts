/** The discriminator values of tagged unions. */
import type { Codec } from '../codec.ts'
import { isKnown } from '../structure/known-codec.ts'

/**
 * Returns the values that a codec allows for the member `tag`, by the rules of io-ts for tagged unions. Returns `undefined` if
 * they are not literals.
 */
export const tagValues = (
  codec: Codec,
  tag: string,
  within: ReadonlyArray<Codec> = [],
): ReadonlyArray<unknown> | undefined => {
  if (!isKnown(codec) || within.includes(codec)) return undefined
  const valuesOf = (part: Codec): ReadonlyArray<unknown> | undefined =>
    tagValues(part, tag, [...within, codec])
  switch (codec._tag) {
    case 'InterfaceType':
    case 'StrictType': {
      const member = codec.props[tag]
      return member !== undefined && member._tag === 'LiteralType' && 'value' in member
        ? [member.value]
        : undefined
    }
    case 'ExactType':
    case 'ReadonlyType':
    case 'RefinementType':
    case 'RecursiveType':
      return valuesOf(codec.type)
    case 'IntersectionType': {
      const [first, ...others] = codec.types.flatMap((part) => {
        const values = valuesOf(part)
        return values === undefined ? [] : [values]
      })
      return first?.filter((value) => others.every((values) => values.includes(value)))
    }
    case 'UnionType': {
      const all = codec.types.map(valuesOf)
      return all.every((values) => values !== undefined) ? all.flat() : undefined
    }
    default:
      return undefined
  }
}
