/**
 * Inspects the structure of codecs.
 *
 * Codecs from io-ts and from this package have a `_tag` and members that describe their structure. A codec with an unknown tag
 * is treated as having no structure.
 */
import type { Context } from 'io-ts'
import type { Codec } from './codec.ts'

const leaves = new Set([
  'StringType',
  'NumberType',
  'BooleanType',
  'BigIntType',
  'LiteralType',
  'KeyofType',
  'EnumType',
])

/** Whether a codec is for strings, numbers, bigints or booleans, and contains no other codec. */
export const isLeaf = (codec: Codec): boolean => leaves.has(codec._tag ?? '')

/**
 * Whether all values of a codec, apart from `undefined`, are strings, numbers, bigints or booleans. Returns `false` if the
 * structure of the codec is unknown.
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
      return isLeaf(inner)
  }
}

/** Returns the codecs that a codec wraps or combines, such as the element codec of a list or the member codecs of a union. */
export const children = (codec: Codec): ReadonlyArray<Codec> => {
  if (hasTypes(codec)) return codec.types
  if (hasType(codec)) return [codec.type]
  if (hasCodec(codec)) return [codec.codec]
  return []
}

const wrappers = new Set([
  'AttemptType',
  'EncodedType',
  'CombinedType',
  'ExactlyType',
  'SeparatedType',
  'WithDefaultType',
  'XmlType',
  'RefinementType',
  'ReadonlyType',
  'ExactType',
  'RecursiveType',
  'RestrictedType',
])

/**
 * Returns the codec inside a wrapper, or `undefined` if the codec is not a wrapper. Wrappers do not change the structure of
 * values.
 */
export const wrapped = (codec: Codec): Codec | undefined =>
  wrappers.has(codec._tag ?? '') ? children(codec)[0] : undefined

/** Removes all wrappers around a codec. */
export const unwrap = (codec: Codec): Codec => {
  const inner = wrapped(codec)
  return inner === undefined ? codec : unwrap(inner)
}

/** Whether a codec describes lists or sets. */
export const isListOrSet = ({ _tag }: Codec): boolean =>
  _tag === 'ArrayType' || _tag === 'ReadonlyArrayType' || _tag === 'SetType'

/** Returns the codecs of a union, except for those of `null` and `undefined`. */
export const presentMembers = (union: Codec): ReadonlyArray<Codec> =>
  children(union).filter(({ _tag }) => !absent.has(_tag ?? ''))

const absent = new Set(['NullType', 'UndefinedType', 'VoidType'])

/** Whether a codec is a union or an intersection. */
export const isCombination = ({ _tag }: Codec): boolean =>
  _tag === 'UnionType' || _tag === 'IntersectionType'

/**
 * Returns the path at which a validation error occurred. Omits the indexes that io-ts adds for the members of unions and
 * intersections. Wrappers do not add context entries.
 */
export const errorPath = (context: Context): ReadonlyArray<string> => {
  const path: string[] = []
  for (const [index, { key }] of context.entries()) {
    const parent = context[index - 1]?.type
    const isIndex = parent === undefined || (isCodec(parent) && isCombination(unwrap(parent)))
    if (!isIndex) path.push(key)
  }
  return path
}

/** Returns the members declared by an object codec, or `undefined` for other codecs. */
export const members = (codec: Codec): Readonly<Record<string, Codec>> | undefined =>
  hasProps(codec) ? codec.props : undefined

const hasTypes = (codec: Codec): codec is Codec & { readonly types: ReadonlyArray<Codec> } =>
  'types' in codec && Array.isArray(codec.types)

const hasType = (codec: Codec): codec is Codec & { readonly type: Codec } =>
  'type' in codec && isCodec(codec.type)

const hasCodec = (codec: Codec): codec is Codec & { readonly codec: Codec } =>
  'codec' in codec && isCodec(codec.codec)

const hasProps = (
  codec: Codec,
): codec is Codec & { readonly props: Readonly<Record<string, Codec>> } =>
  'props' in codec && typeof codec.props === 'object' && codec.props !== null

/**
 * Whether a value is a codec. The function checks the members of the value instead of its class, because the codec may come from
 * another copy of io-ts.
 */
export const isCodec = (value: unknown): value is Codec =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  'decode' in value &&
  'validate' in value &&
  'encode' in value &&
  'is' in value

/** Returns the first result of a search that is not `undefined`. */
export const firstFound = <A, B>(
  parts: Iterable<A>,
  search: (part: A) => B | undefined,
): B | undefined => {
  for (const part of parts) {
    const found = search(part)
    if (found !== undefined) return found
  }
  return undefined
}

/** Whether a codec has the same functions as its inner codec. */
export const delegatesTo = (codec: Codec, inner: Codec): boolean =>
  codec.is === inner.is && codec.validate === inner.validate && codec.encode === inner.encode
