/** Finds the part of a value that a codec does not accept. */
import * as t from 'io-ts'
import { isSet } from '../../http/platform-value.ts'
import type { Codec } from '../codec.ts'
import { rejectingCodec } from '../constraint.ts'
import { firstFound, children, presentMembers, members, wrapped } from '../codec-structure.ts'
import { isKnown } from './known-codec.ts'

/** A part of a value, and the codec that does not accept it. */
export interface RejectedPart {
  /** The names and indexes that lead to the part. */
  readonly path: ReadonlyArray<string>
  readonly codec: Codec
  /** The part, or `undefined` if it is missing. */
  readonly value: unknown
}

/**
 * Returns the innermost part of a decoded value that a codec does not accept, or `undefined` if it accepts the value. Of several
 * parts, the first one is returned.
 */
export const invalidPart = (
  codec: Codec,
  value: unknown,
  path: ReadonlyArray<string> = [],
): RejectedPart | undefined => {
  if (isValueOf(codec, value)) return undefined
  // a cyclic value has no end
  const inner = path.length < maxDepth ? searchInside(codec, value, path) : undefined
  return inner ?? { path, codec: rejectingCodec(codec, value), value }
}

const maxDepth = 100

/** Whether a codec accepts a value. Functions of applications that throw an error reject the value. */
export const isValueOf = ({ is }: Codec, value: unknown): boolean => {
  try {
    return is(value)
  } catch {
    return false
  }
}

const searchInside = (
  codec: Codec,
  value: unknown,
  path: ReadonlyArray<string>,
): RejectedPart | undefined => {
  const inner = wrapped(codec)
  if (inner !== undefined) {
    const found = invalidPart(inner, value, path)
    // the name of a refinement, such as `int`, says more than that of its codec
    const isWhole = codec._tag === 'RefinementType' && found?.path.length === path.length
    return isWhole ? undefined : found
  }
  const declared = members(codec)
  if (declared !== undefined)
    return isMembers(value)
      ? firstFound(Object.entries(declared), ([name, member]) => {
          const part = memberOf(value, name)
          if (part !== undefined || Object.hasOwn(value, name))
            return invalidPart(member, part, [...path, name])
          return codec._tag === 'PartialType'
            ? undefined
            : { path: [...path, name], codec: member, value: undefined }
        })
      : undefined
  if (!isKnown(codec)) return undefined
  switch (codec._tag) {
    case 'ArrayType':
    case 'ReadonlyArrayType':
    case 'SetType': {
      const elements = isSet(value) || t.UnknownArray.is(value) ? [...value] : []
      const [element] = children(codec)
      return element === undefined
        ? undefined
        : firstFound(elements.entries(), ([at, part]) =>
            invalidPart(element, part, [...path, String(at)]),
          )
    }
    case 'TupleType':
      return t.UnknownArray.is(value)
        ? firstFound(codec.types.entries(), ([at, element]) =>
            invalidPart(element, value[at], [...path, String(at)]),
          )
        : undefined
    case 'DictionaryType':
      return isMembers(value)
        ? firstFound(Object.entries(value), ([name, part]) =>
            invalidPart(codec.codomain, part, [...path, name]),
          )
        : undefined
    case 'IntersectionType':
      return firstFound(codec.types, (member) => invalidPart(member, value, path))
    case 'UnionType': {
      // the alternatives of an optional or nullable value are obvious
      const [only, ...others] = presentMembers(codec)
      return only !== undefined && others.length === 0 && value !== undefined && value !== null
        ? invalidPart(only, value, path)
        : undefined
    }
    default:
      return undefined
  }
}

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** Members of class instances are often inherited, as accessors are. */
const memberOf = (value: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(value, name) || !(name in Object.prototype) ? value[name] : undefined
