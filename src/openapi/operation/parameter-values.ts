/** Determines which texts the codec of a parameter accepts, as far as errors depend on it. */
import { isRight } from 'fp-ts/lib/Either.js'
import type { Codec } from '../../codec/codec.ts'
import { parameterShape } from '../../codec/schema/parameter-shape.ts'
import { children } from '../../codec/codec-structure.ts'
import { attemptTo } from '../schema/members.ts'

/** Whether a parameter can be omitted from requests. It is determined once for each codec. */
export const isOptionalParameter = (codec: Codec): boolean => {
  const known = optionality.get(codec)
  if (known !== undefined) return known
  const isOptional = decodesMissing(codec)
  optionality.set(codec, isOptional)
  return isOptional
}

const optionality = new WeakMap<Codec, boolean>()

const decodesMissing = (codec: Codec): boolean => {
  const { isCollection, isUndefinedIfMissing } = parameterShape(codec)
  const missing = isCollection && !isUndefinedIfMissing ? [] : undefined
  return attemptTo(() => isRight(codec.decode(missing))) ?? false
}

/** The styles of lists by separator. */
export const separatedStyles: ReadonlyMap<string, string> = new Map([
  [',', 'form'],
  [' ', 'spaceDelimited'],
  ['|', 'pipeDelimited'],
])

/** Whether a parameter accepts every text, so that a value that is present is never invalid. */
export const acceptsEveryText = (codec: Codec): boolean => {
  const inner = children(codec)
  switch (codec._tag ?? '') {
    case 'StringType':
    case 'UnknownType':
    case 'AnyType':
    case 'AttemptType':
      return true
    case 'UnionType':
      return inner.some(acceptsEveryText)
    case 'EncodedType':
    case 'CombinedType':
    case 'WithDefaultType':
    case 'ReadonlyType':
    case 'SeparatedType':
    case 'ArrayType':
    case 'ReadonlyArrayType':
    case 'SetType':
    case 'SegmentsType':
      return inner.every(acceptsEveryText)
    default:
      return false
  }
}
