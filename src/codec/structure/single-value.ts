/** Detects codecs whose values can be written as one text. */
import type { Codec } from '../codec.ts'
import { children, unwrap } from './codec-structure.ts'

const leaves = new Set([
  'StringType',
  'NumberType',
  'BooleanType',
  'BigIntType',
  'LiteralType',
  'KeyofType',
  'EnumType',
])

/**
 * Whether a codec describes strings, numbers, booleans or literals, also refined, branded or combined. Opaque codecs do not
 * count.
 */
export const isSingleValue = (codec: Codec): boolean => {
  const inner = unwrap(codec)
  switch (inner._tag ?? '') {
    case 'UnionType': {
      const members = children(inner).filter(({ _tag }) => _tag !== 'UndefinedType')
      return members.length > 0 && members.every(isSingleValue)
    }
    case 'IntersectionType':
      return children(inner).some(isSingleValue)
    default:
      return leaves.has(inner._tag ?? '')
  }
}
