/** Creates schemas for codecs that contain no other codecs. */
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import { isGenuine } from '../structure/genuine.ts'
import type { OpaqueSchema, Test } from './schema.ts'

/** Returns a test for a known codec whose functions have not been replaced, and an opaque schema for any other codec. */
export const readLeaf = (codec: Codec): Test | OpaqueSchema => {
  const test = codec.encode === t.identity && isGenuine(codec) ? testOf(codec) : undefined
  return test === undefined
    ? { _tag: 'Opaque', codec, encodes: undefined, structure: undefined, reported: codec }
    : { ...test, reported: codec }
}

type Unreported<S> = S extends unknown ? Omit<S, 'reported'> : never

const testOf = (codec: Codec): Unreported<Test> | undefined => {
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
