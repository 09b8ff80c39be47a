/**
 * Adds members that the caller has omitted because they are optional or have a default, and locates invalid members.
 *
 * Both are needed only for values that a codec does not accept as they are.
 */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { formatPointer } from '../../body/decode-body.ts'
import type { Codec } from '../../codec/codec.ts'
import { invalidPart } from '../../codec/structure/invalid-part.ts'
import { expectedTypes } from '../../codec/from-string.ts'
import { wrapped } from '../../codec/codec-structure.ts'
import { isKnown } from '../../codec/structure/known-codec.ts'
import type { ValidationError } from '../../http/failure.ts'

/** Codecs for the members or elements of a value. */
type Parts = ReadonlyArray<readonly [key: string, codec: Codec]>

const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> => {
  if (!t.UnknownRecord.is(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

/** Returns the codecs for the members that a codec declares and for the elements of a list. */
const partsOf = (codec: Codec, value: unknown): Parts => {
  if (!isKnown(codec)) return []
  switch (codec._tag) {
    case 'InterfaceType':
    case 'StrictType':
      return isPlainObject(value) ? Object.entries(codec.props) : []
    case 'PartialType':
      return isPlainObject(value)
        ? Object.entries(codec.props).filter(([key]) => memberOf(value, key) !== undefined)
        : []
    case 'DictionaryType':
      return isPlainObject(value) ? Object.keys(value).map((key) => [key, codec.codomain]) : []
    case 'ArrayType':
    case 'ReadonlyArrayType':
      return Array.isArray(value) ? value.map((_, index) => [String(index), codec.type]) : []
    case 'TupleType':
      return Array.isArray(value) ? codec.types.map((type, index) => [String(index), type]) : []
    default:
      return []
  }
}

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined

/** Whether a codec accepts a value. Custom codecs can throw exceptions for invalid values. */
const accepts = (codec: Codec, value: unknown): boolean => {
  try {
    return codec.is(value)
  } catch {
    return false
  }
}

/** Returns a value with the omitted members, as a server would decode them. Other values are unchanged, even if they are invalid. */
export const withOmittedMembers = (codec: Codec, value: unknown): unknown => {
  if (value === undefined) {
    const decoded = codec.decode(undefined)
    return E.isRight(decoded) ? decoded.right : undefined
  }
  if (accepts(codec, value)) return value
  const inner = wrapped(codec)
  if (inner !== undefined) return withOmittedMembers(inner, value)
  if (isKnown(codec) && codec._tag === 'IntersectionType')
    return codec.types.reduce<unknown>(
      (completed, type) => withOmittedMembers(type, completed),
      value,
    )
  if (isKnown(codec) && codec._tag === 'UnionType') {
    const completed = codec.types.map((type) => withOmittedMembers(type, value))
    return completed.find((candidate, index) => codec.types[index]?.is(candidate)) ?? value
  }
  const parts = partsOf(codec, value).map(
    ([key, part]) => [key, withOmittedMembers(part, memberOf(value, key))] as const,
  )
  if (parts.length === 0) return value
  if (Array.isArray(value)) return parts.map(([, part]) => part)
  return isPlainObject(value) ? Object.defineProperties({ ...value }, membersOf(parts)) : value
}

const membersOf = (parts: ReadonlyArray<readonly [string, unknown]>): PropertyDescriptorMap =>
  Object.fromEntries(
    // an assignment would set the prototype for a member named `__proto__`
    parts.map(([key, value]) => [
      key,
      { value, enumerable: true, configurable: true, writable: true },
    ]),
  )

/** Returns the validation error for the innermost part that a codec rejects. Omitted members must have been added. */
export const rejectedPart = (codec: Codec, value: unknown): ValidationError => {
  const part = invalidPart(codec, value) ?? { path: [], codec, value }
  const detail = expectedTypes([part.codec.name], part.value === undefined)
  return { in: 'body', pointer: formatPointer(part.path), detail }
}
