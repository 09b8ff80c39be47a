/**
 * What the structure of a codec says of the texts it is to read: how many, split at what, and which JavaScript value each
 * text stands for. It is worked out once for each parameter, when a tree is compiled.
 *
 * Why texts are turned into values before the codec sees them: so that one codec serves JSON and text. `int` reads the
 * number 5 in a body and the digits `5` in a query, and `t.number`, `t.literal(5)` or a brand of them do the same.
 */
import { isRight } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import { isLosslessNumber } from '../json/lossless-number.ts'
import { numberGrammar, invalidText } from './number-grammar.ts'
import { children, wrapped } from '../structure/codec-structure.ts'

export interface ParameterShape {
  /** Whether every occurrence counts; otherwise the first does. */
  readonly isCollection: boolean
  /** Where each occurrence is split; `undefined` when it is not. */
  readonly separator: string | undefined
  /** Whether percent-escapes stay. */
  readonly keepsEscapes: boolean
  /** Whether the empty text is a value; otherwise it counts as missing. */
  readonly keepsEmpty: boolean
  /** Whether a collection that is missing is read as `undefined` and not as empty. */
  readonly isUndefinedIfMissing: boolean
  /** The text of a parameter that is named without a value, as in `?verbose`. */
  readonly valueIfBare: string
  /**
   * The value that a text stands for; the text itself when it stands for nothing else. `unmatched`, which codecs reject, for a
   * text that the codec reads elsewhere but not as a parameter.
   */
  readonly convert: (text: string) => unknown
}

/** Reads the shape off a codec. */
export const parameterShape = (codec: Codec): ParameterShape => {
  const wrappers = unwrap(codec)
  const core = wrappers.at(-1) ?? codec
  const element = isMany(core) ? (children(core)[0] ?? core) : core
  const leaves = leavesOf(element)
  const separated = wrappers.find(isSeparated)
  return {
    isCollection: isMany(core),
    separator: separated?.separator,
    keepsEscapes:
      wrappers.some(({ _tag }) => _tag === 'EncodedType') ||
      unwrap(element).some(({ _tag }) => _tag === 'EncodedType'),
    keepsEmpty: leaves.some(
      ({ _tag }) => _tag === 'StringType' || _tag === 'UnknownType' || _tag === 'AnyType',
    ),
    isUndefinedIfMissing: wrappers.some(
      ({ _tag }) => _tag === 'UnionType' || _tag === 'WithDefaultType',
    ),
    valueIfBare: leaves.some(({ _tag }) => _tag === 'BooleanType') ? 'true' : '',
    convert: firstAccepted(element, conversionsOf(isMany(core) ? element : codec)),
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

type Convert = (text: string) => unknown

/** A text that stands for itself. */
export const asText: Convert = (text) => text
/** `Number` rounds a text beyond the largest double to infinity, which is not a value of this grammar. */
const asNumber: Convert = (text) => {
  const value = numberGrammar.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : text
}
/** At most 16 digits, as the largest safe integer has. */
const integerGrammar = /^(?:0|-?[1-9]\d{0,15})$/
/** Reads safe integers only, so that no two texts stand for one number. */
const asInteger: Convert = (text) => {
  const value = integerGrammar.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(value) ? value : text
}
/** Reads a number only as JavaScript writes it: literals have one text each. */
const asLiteralNumber: Convert = (text) => {
  const value = asNumber(text)
  return String(value) === text ? value : text
}
const asBoolean: Convert = (text) => (text === 'true' ? true : text === 'false' ? false : text)
const asNull: Convert = (text) => (text === 'null' ? null : text)

/** Lifts to values that are not texts: they return the text itself where it is not in their grammar. */
const conversionsToValues: ReadonlySet<Convert> = new Set([
  asNumber,
  asInteger,
  asLiteralNumber,
  asBoolean,
  asNull,
])

const leafConversions = (leaf: Codec): ReadonlyArray<Convert> => {
  switch (leaf._tag ?? '') {
    case 'NumberType':
      return [asNumber]
    case 'BooleanType':
      return [asBoolean]
    case 'NullType':
      return [asNull]
    case 'LiteralType':
    case 'EnumType':
      return [asText, asLiteralNumber, asBoolean]
    default:
      return isLosslessNumber(leaf) ? [leaf.convert] : [asText]
  }
}

/** The conversions of a codec. A refinement to integers, or a member of an intersection, also holds for the numbers around it. */
const conversionsOf = (codec: Codec): ReadonlyArray<Convert> => {
  const wrappers = unwrap(codec)
  const inner = wrappers.at(-1) ?? codec
  const parts =
    inner._tag === 'UnionType' || inner._tag === 'IntersectionType'
      ? children(inner).flatMap(conversionsOf)
      : leafConversions(inner)
  const isIntegral =
    wrappers.some(refinesToIntegers) ||
    (inner._tag === 'IntersectionType' && parts.includes(asInteger))
  return isIntegral ? parts.map((convert) => (convert === asNumber ? asInteger : convert)) : parts
}

/** Whether a codec is `int`, `t.Int` or another refinement by the same predicate. */
const refinesToIntegers = (codec: Codec): boolean =>
  codec._tag === 'RefinementType' &&
  'predicate' in codec &&
  (codec.predicate === Number.isSafeInteger ||
    codec.predicate === Number.isInteger ||
    String(codec.predicate) === String(t.Int.predicate))

/** Where a text may stand for values of several kinds, the first that the codec accepts is taken. */
const firstAccepted = (element: Codec, all: ReadonlyArray<Convert>): Convert => {
  const conversions = [...new Set(all)]
  const [only, ...others] = conversions
  if (only === undefined) return asText
  if (others.length === 0) return only
  return (text) => {
    const accepted = conversions.find((convert) => {
      const value = convert(text)
      // a text that stands for nothing of this kind is still a text, and has to wait for its turn
      return (
        value !== invalidText &&
        (value !== text || !conversionsToValues.has(convert)) &&
        isRight(element.decode(value))
      )
    })
    return (accepted ?? only)(text)
  }
}
