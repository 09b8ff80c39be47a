/** The maximum text length that the structure of a codec implies. */
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import { children, wrapped } from './codec-structure.ts'

/** Returns the maximum length of texts that a codec accepts, in UTF-16 code units, or `Infinity` if it has no limit. */
export const maxTextLength = (codec: Codec): number => {
  switch (codec._tag ?? '') {
    case 'LiteralType':
      return 'value' in codec ? longest([codec.value]) : Infinity
    case 'EnumType':
      return 'values' in codec && t.UnknownArray.is(codec.values) ? longest(codec.values) : Infinity
    case 'KeyofType':
      return 'keys' in codec && t.UnknownRecord.is(codec.keys)
        ? longest(Object.keys(codec.keys))
        : Infinity
    case 'UnionType':
      return Math.max(...children(codec).map(maxTextLength))
    case 'IntersectionType':
      return Math.min(...children(codec).map(maxTextLength))
    case 'RefinementType': {
      const inner = wrapped(codec)
      return Math.min(ownLimit(codec), inner === undefined ? Infinity : maxTextLength(inner))
    }
    case 'RecursiveType': // may not be defined yet
      return Infinity
    default: {
      const inner = wrapped(codec)
      return inner === undefined ? Infinity : maxTextLength(inner)
    }
  }
}

/** Returns the `maxLength` of a constraint (`constraint.ts`). */
const ownLimit = (codec: Codec): number => {
  const constraint = 'constraint' in codec ? codec.constraint : undefined
  const most = t.UnknownRecord.is(constraint) ? constraint['maxLength'] : undefined
  return typeof most === 'number' ? most : Infinity
}

const longest = (values: ReadonlyArray<unknown>): number =>
  Math.max(0, ...values.map((value) => (typeof value === 'string' ? value.length : 0)))
