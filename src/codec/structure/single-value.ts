/** Whether a codec is of single values, told by its structure: each of them can be written as one text. */
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

/** Strings, numbers, booleans and literals, and what refines, brands or joins them; not codecs that know their text form only by themselves. */
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
