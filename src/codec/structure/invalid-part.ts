/** Finds the part of a value that a codec does not accept. */
import * as t from 'io-ts'
import { isSet, isTagged, orUndefined } from '../../http/platform-value.ts'
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

/** Whether a codec accepts a value. Must not throw. */
type Accepts = (codec: Codec, value: unknown) => boolean

/**
 * Returns the innermost part of a decoded value that a codec does not accept, or `undefined` if it accepts the value. Of several
 * parts, the first one is returned.
 */
export const invalidPart = (codec: Codec, value: unknown): RejectedPart | undefined =>
  search(codec, value, [], isValueOf)

/** Returns the innermost part of a decoded value that a codec cannot encode as JSON, or `undefined` if it can encode the value. */
export const unencodablePart = (codec: Codec, value: unknown): RejectedPart | undefined =>
  search(codec, value, [], canEncode)

const maxDepth = 100

/** Whether a codec accepts a value. Functions of applications that throw an error reject the value. */
export const isValueOf: Accepts = ({ is }, value) => orUndefined(() => is(value)) === true

const canEncode: Accepts = ({ encode }, value) =>
  orUndefined(() => ({ json: JSON.stringify(encode(value)) })) !== undefined

const search = (
  codec: Codec,
  value: unknown,
  path: ReadonlyArray<string>,
  accepts: Accepts,
): RejectedPart | undefined => {
  if (accepts(codec, value)) return undefined
  // a cyclic value has no end
  const inner = path.length < maxDepth ? searchInside(codec, value, path, accepts) : undefined
  return inner ?? { path, codec: rejectingCodec(codec, value), value }
}

const searchInside = (
  codec: Codec,
  value: unknown,
  path: ReadonlyArray<string>,
  accepts: Accepts,
): RejectedPart | undefined => {
  const at = (part: Codec, inner: unknown, ...names: ReadonlyArray<string>) =>
    search(part, inner, [...path, ...names], accepts)
  const inner = wrapped(codec)
  if (inner !== undefined) {
    const found = at(inner, value)
    // the name of a refinement, such as `int`, says more than that of its codec
    const isWhole = codec._tag === 'RefinementType' && found?.path.length === path.length
    return isWhole ? undefined : found
  }
  const declared = members(codec)
  if (declared !== undefined)
    return isMembers(value)
      ? firstFound(Object.entries(declared), ([name, member]) => {
          const part = memberOf(value, name)
          // the `is` of an object rejects a missing member even if the codec of the member accepts `undefined`
          const isAbsent =
            part === undefined && !Object.hasOwn(value, name) && accepts === isValueOf
          if (!isAbsent) return at(member, part, name)
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
        : firstFound(elements.entries(), ([index, part]) => at(element, part, String(index)))
    }
    case 'TupleType':
      return t.UnknownArray.is(value)
        ? firstFound(codec.types.entries(), ([index, element]) =>
            at(element, value[index], String(index)),
          )
        : undefined
    case 'DictionaryType':
      return isMembers(value)
        ? firstFound(Object.entries(value), ([name, part]) => at(codec.codomain, part, name))
        : undefined
    case 'IntersectionType':
      return firstFound(codec.types, (member) => at(member, value))
    case 'UnionType': {
      if (value === undefined || value === null) return undefined
      const alternatives = presentMembers(codec)
      // the alternatives of an optional or nullable value are obvious
      if (alternatives.length === 1) return firstFound(alternatives, (only) => at(only, value))
      // only one alternative is searched, because the number of combinations of nested alternatives is not limited
      const [intended, ...others] = alternatives.filter((member) => !rejectsTag(member, value))
      if (intended === undefined || others.length > 0) return undefined
      const found = at(intended, value)
      return found !== undefined && found.path.length > path.length ? found : undefined
    }
    default:
      return undefined
  }
}

/** Whether an alternative of a union has a literal member, such as a tag, that rejects the member of a value. */
const rejectsTag = (codec: Codec, value: unknown): boolean => {
  const inner = wrapped(codec)
  if (inner !== undefined) return rejectsTag(inner, value)
  if (isKnown(codec) && codec._tag === 'IntersectionType')
    return codec.types.some((member) => rejectsTag(member, value))
  return (
    isMembers(value) &&
    Object.entries(members(codec) ?? {}).some(
      ([name, member]) => isTagged(member, 'LiteralType') && !isValueOf(member, value[name]),
    )
  )
}

const isMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** Members of class instances are often inherited, as accessors are. */
const memberOf = (value: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(value, name) || !(name in Object.prototype) ? value[name] : undefined
