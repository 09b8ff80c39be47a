/** Reads codecs that are not made of others. */
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import { isGenuine } from './genuine.ts'
import type { Schema, Test } from './schema.ts'

/** The schema of a codec without inner codecs: a test where its tag and its functions say so. */
export const readLeaf = (codec: Codec): Schema => {
  const test = codec.encode === t.identity && isGenuine(codec) ? testOf(codec) : undefined
  return test ?? { _tag: 'Opaque', codec }
}

const testOf = (codec: Codec): Test | undefined => {
  switch (codec._tag) {
    case 'UnknownType':
    case 'AnyType':
      return { _tag: 'Anything' }
    case 'StringType':
      return { _tag: 'TypeOf', type: 'string' }
    case 'NumberType':
      return { _tag: 'TypeOf', type: 'number' }
    case 'BooleanType':
      return { _tag: 'TypeOf', type: 'boolean' }
    case 'BigIntType':
      return { _tag: 'TypeOf', type: 'bigint' }
    case 'FunctionType':
      return { _tag: 'TypeOf', type: 'function' }
    case 'UndefinedType':
    case 'VoidType':
      return { _tag: 'TypeOf', type: 'undefined' }
    case 'NullType':
      return { _tag: 'OneOf', values: [null] }
    case 'AnyDictionaryType':
      return { _tag: 'AnyRecord' }
    case 'AnyArrayType':
      return { _tag: 'AnyArray' }
    case 'LiteralType':
      return 'value' in codec ? { _tag: 'OneOf', values: [codec.value] } : undefined
    case 'EnumType':
      return 'values' in codec && t.UnknownArray.is(codec.values)
        ? { _tag: 'OneOf', values: codec.values }
        : undefined
    case 'KeyofType':
      return 'keys' in codec && t.UnknownRecord.is(codec.keys)
        ? { _tag: 'OneOf', values: Object.getOwnPropertyNames(codec.keys) }
        : undefined
    default:
      return undefined
  }
}
