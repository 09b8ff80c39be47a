/**
 * Reads from a codec how the texts of a parameter are converted: their number, the separator, and the JavaScript value of each
 * text. It is computed once for each parameter, when a tree is compiled.
 *
 * Conversion before decoding lets one codec serve JSON and text. `int` accepts the number 5 in a body and the digits `5` in a
 * query, and so do `t.number`, `t.literal(5)` and brands of them.
 */
import { isRight } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Codec } from '../codec.ts'
import { isLosslessNumber } from '../json/lossless-number.ts'
import { numberGrammar, invalidText } from './number-grammar.ts'
import { children, wrapped } from '../structure/codec-structure.ts'

export interface ParameterShape {
  /** Whether all values are used. Otherwise only the first one is. */
  readonly isCollection: boolean
  /** Where each value is split. `undefined` if it is not split. */
  readonly separator: string | undefined
  /** Whether percent-escapes are kept. */
  readonly keepsEscapes: boolean
  /** Whether an empty text is a value. Otherwise it counts as missing. */
  readonly keepsEmpty: boolean
  /** Whether a missing collection decodes as `undefined`. Otherwise it is empty. */
  readonly isUndefinedIfMissing: boolean
  /** The text of a parameter without a value, as in `?verbose`. */
  readonly valueIfBare: string
  /**
   * Converts a text to a value. Returns the text itself if it has no other meaning, and `invalidText`, which codecs reject,
   * for text that the codec accepts elsewhere but not as a parameter.
   */
  readonly convert: (text: string) => unknown
}

/** Returns the parameter shape of a codec. */
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

/** Returns the codec and the codecs that it wraps, from the outside in. `optional(c)` counts as a wrapper of `c`. */
const unwrap = (codec: Codec): ReadonlyArray<Codec> => {
  const inner = codec._tag === 'UnionType' ? onlyDefined(codec) : wrapped(codec)
  return inner === undefined ? [codec] : [codec, ...unwrap(inner)]
}

const onlyDefined = (union: Codec): Codec | undefined => {
  const members = children(union)
  const defined = members.filter(({ _tag }) => _tag !== 'UndefinedType')
  return defined.length === 1 && members.length > 1 ? defined[0] : undefined
}

/** Returns the innermost codecs of refinements, unions and intersections. Each accepts one type of value. */
const leavesOf = (codec: Codec): ReadonlyArray<Codec> => {
  const inner = unwrap(codec).at(-1) ?? codec
  return inner._tag === 'UnionType' || inner._tag === 'IntersectionType'
    ? children(inner).flatMap(leavesOf)
    : [inner]
}

type Convert = (text: string) => unknown

/** Keeps the text. */
export const asText: Convert = (text) => text
/** `Number` converts text beyond the largest double to infinity, which is not a number in this grammar. */
const asNumber: Convert = (text) => {
  const value = numberGrammar.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : text
}
/** The largest safe integer has 16 digits. */
const integerGrammar = /^(?:0|-?[1-9]\d{0,15})$/
/** Converts safe integers only, so that different texts are different numbers. */
const asInteger: Convert = (text) => {
  const value = integerGrammar.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(value) ? value : text
}
/** Converts a number only in the spelling of JavaScript, so that each literal has one text. */
const asLiteralNumber: Convert = (text) => {
  const value = asNumber(text)
  return String(value) === text ? value : text
}
const asBoolean: Convert = (text) => (text === 'true' ? true : text === 'false' ? false : text)
const asNull: Convert = (text) => (text === 'null' ? null : text)

/** Conversions to values other than text. They return invalid text unchanged. */
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

/**
 * Returns the conversions of a codec. A refinement to integers, or such a member of an intersection, applies to all numbers in
 * it.
 */
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

/** Whether a codec is `int`, `t.Int` or another refinement with an integer predicate. */
const refinesToIntegers = (codec: Codec): boolean =>
  codec._tag === 'RefinementType' &&
  'predicate' in codec &&
  (codec.predicate === Number.isSafeInteger ||
    codec.predicate === Number.isInteger ||
    String(codec.predicate) === String(t.Int.predicate))

/** If text can represent several types, the first conversion that the codec accepts is used. */
const firstAccepted = (element: Codec, all: ReadonlyArray<Convert>): Convert => {
  const conversions = [...new Set(all)]
  const [only, ...others] = conversions
  if (only === undefined) return asText
  if (others.length === 0) return only
  return (text) => {
    const accepted = conversions.find((convert) => {
      const value = convert(text)
      // unconverted text is a string, which has its own position in the order
      return (
        value !== invalidText &&
        (value !== text || !conversionsToValues.has(convert)) &&
        isRight(element.decode(value))
      )
    })
    return (accepted ?? only)(text)
  }
}
