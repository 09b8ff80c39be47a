/**
 * What the structure of a codec says of the texts it is to read: how many, split at what, and which JavaScript value each
 * text stands for. It is worked out once for each parameter, when a tree is compiled.
 *
 * Why texts are turned into values before the codec sees them: so that one codec serves JSON and text. `int` reads the
 * number 5 in a body and the digits `5` in a query, and `t.number`, `t.literal(5)` or a brand of them do the same.
 */
import { isRight } from 'fp-ts/lib/Either.js'
import type { Codec } from './codec.ts'
import { children, wrapped } from './structure.ts'

export interface ParameterShape {
  /** Whether every occurrence counts; otherwise the first does. */
  readonly many: boolean
  /** Where each occurrence is split; `undefined` when it is not. */
  readonly separator: string | undefined
  /** Whether percent-escapes stay. */
  readonly encoded: boolean
  /** Whether the empty text is a value; otherwise it counts as missing. */
  readonly keepsEmpty: boolean
  /** Whether a collection that is missing is read as `undefined` and not as empty. */
  readonly absentAsUndefined: boolean
  /** The text of a parameter that is named without a value, as in `?verbose`. */
  readonly bare: string
  /** The value that a text stands for; the text itself when it stands for nothing else. */
  readonly lift: (text: string) => unknown
}

/** Reads the shape off a codec. */
export const shapeOf = (codec: Codec): ParameterShape => {
  const wrappers = unwrap(codec)
  const core = wrappers.at(-1) ?? codec
  const element = isMany(core) ? (children(core)[0] ?? core) : core
  const leaves = leavesOf(element)
  const separated = wrappers.find(isSeparated)
  return {
    many: isMany(core),
    separator: separated?.separator,
    encoded:
      wrappers.some(({ _tag }) => _tag === 'EncodedType') ||
      unwrap(element).some(({ _tag }) => _tag === 'EncodedType'),
    keepsEmpty: leaves.some(
      ({ _tag }) => _tag === 'StringType' || _tag === 'UnknownType' || _tag === 'AnyType',
    ),
    absentAsUndefined: wrappers.some(
      ({ _tag }) => _tag === 'UnionType' || _tag === 'WithDefaultType',
    ),
    bare: leaves.some(({ _tag }) => _tag === 'BooleanType') ? 'true' : '',
    lift: lifting(element, leaves),
  }
}

const isSeparated = (codec: Codec): codec is Codec & { readonly separator: string } =>
  codec._tag === 'SeparatedType'

const isMany = ({ _tag }: Codec): boolean =>
  _tag === 'ArrayType' ||
  _tag === 'ReadonlyArrayType' ||
  _tag === 'SetType' ||
  _tag === 'SegmentsType'

/** The codec and what it wraps, from outside to the one that decides. `optional(c)` counts as a wrapper of `c`. */
const unwrap = (codec: Codec): ReadonlyArray<Codec> => {
  const inner = codec._tag === 'UnionType' ? onlyDefined(codec) : wrapped(codec)
  return inner === undefined ? [codec] : [codec, ...unwrap(inner)]
}

const onlyDefined = (union: Codec): Codec | undefined => {
  const members = children(union)
  const defined = members.filter(({ _tag }) => _tag !== 'UndefinedType')
  return defined.length === 1 && members.length > 1 ? defined[0] : undefined
}

/** The codecs at the ends of refinements, unions and intersections of brands: each reads one kind of value. */
const leavesOf = (codec: Codec): ReadonlyArray<Codec> => {
  const inner = unwrap(codec).at(-1) ?? codec
  return inner._tag === 'UnionType' || inner._tag === 'IntersectionType'
    ? children(inner).flatMap(leavesOf)
    : [inner]
}

type Lift = (text: string) => unknown

/** A text that stands for itself. */
export const asText: Lift = (text) => text
const asNumber: Lift = (text) =>
  /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : text
const asBoolean: Lift = (text) => (text === 'true' ? true : text === 'false' ? false : text)
const asNull: Lift = (text) => (text === 'null' ? null : text)

const liftOf = (leaf: Codec): ReadonlyArray<Lift> => {
  switch (leaf._tag ?? '') {
    case 'NumberType':
      return [asNumber]
    case 'BooleanType':
      return [asBoolean]
    case 'NullType':
      return [asNull]
    case 'LiteralType':
    case 'EnumType':
      return [asText, asNumber, asBoolean]
    default:
      return [asText]
  }
}

/** Where a text may stand for values of several kinds, the first that the codec accepts is taken. */
const lifting = (element: Codec, leaves: ReadonlyArray<Codec>): Lift => {
  const lifts = [...new Set(leaves.flatMap(liftOf))]
  const [only, ...others] = lifts
  if (only === undefined) return asText
  if (others.length === 0) return only
  return (text) => {
    const accepted = lifts.find((lift) => {
      const value = lift(text)
      // a text that stands for nothing of this kind is still a text, and has to wait for its turn
      return (value !== text || lift === asText) && isRight(element.decode(value))
    })
    return (accepted ?? only)(text)
  }
}
