/**
 * Determines how the text values of a parameter are split and converted before its codec decodes them. The resulting parameter
 * shape is computed only once for each parameter, when a route tree is compiled.
 *
 * Because of the conversion, the same codec can decode JSON and text. For example, `int` accepts the number 5 in a body and the
 * digit `5` in a query. This also applies to `t.number`, `t.literal(5)`, and brands based on these codecs.
 */
import type { AnySchema } from '../standard-schema/schema-types.ts'
import { isRight } from 'fp-ts/lib/Either.js'
import type { Codec } from '../codec.ts'
import { integerGrammar } from '../decimal.ts'
import { requiresIntegers } from '../constraint.ts'
import { isKnown } from '../structure/known-codec.ts'
import { invalidText, isLosslessNumber, numberGrammar } from '../json-number.ts'
import {
  acceptsMissing,
  acceptsOnlyBooleans,
  acceptsOnlyLists,
  acceptsText,
} from '../standard-schema/accepted-types.ts'
import { isStandardType } from '../standard-schema/standard-schema.ts'
import { children, isCombination, isListOrSet, wrapped } from '../codec-structure.ts'

export interface ParameterShape {
  /** Whether the codec receives all values of the parameter. Otherwise, it receives only the first value. */
  readonly isCollection: boolean
  /** The separator at which values are split. If it is `undefined`, values are not split. */
  readonly separator: string | undefined
  /** Whether percent-encoding is kept. Otherwise, values are percent-decoded. */
  readonly keepsEscapes: boolean
  /** Whether the values of a repeated header are joined. */
  readonly isCombined: boolean
  /** Whether empty text is treated as a value. Otherwise, it is treated as missing. */
  readonly keepsEmpty: boolean
  /** Whether a missing collection is decoded as `undefined`. Otherwise, it is decoded as an empty collection. */
  readonly isUndefinedIfMissing: boolean
  /** Whether a Standard Schema converts the text. The other members then do not determine what a text means. */
  readonly parsesText: boolean
  /** The text that is used for a parameter without a value, as in `?verbose`. */
  readonly valueIfBare: string
  /**
   * Converts text to a JavaScript value. Returns the text itself if no conversion applies. Returns `invalidText` if the codec
   * accepts the text elsewhere, but not in a parameter. Decoding `invalidText` always results in a validation error.
   */
  readonly convert: (text: string) => unknown
}

/** Functions that prepare the texts of a parameter for its codec. */
export interface TextReader {
  /** Splits texts at the separator, and removes empty texts if the parameter ignores them. */
  readonly split: (texts: ReadonlyArray<string>) => ReadonlyArray<string>
  /** Converts split texts to the input for the codec. */
  readonly toInput: (texts: ReadonlyArray<string>) => unknown
}

/** Creates the functions that prepare the texts of a parameter for its codec. */
export const textReader = ({
  isCollection,
  separator,
  keepsEmpty,
  isUndefinedIfMissing,
  convert,
}: ParameterShape): TextReader => ({
  split: (texts) => {
    const split = separator === undefined ? texts : texts.flatMap((text) => text.split(separator))
    return keepsEmpty || !split.includes('') ? split : split.filter((text) => text !== '')
  },
  toInput: (texts) => {
    if (isCollection)
      return texts.length === 0 && isUndefinedIfMissing ? undefined : texts.map(convert)
    const [first] = texts
    return first === undefined ? undefined : convert(first)
  },
})

/** Returns the parameter shape for a codec. It is computed once for each codec. */
export const parameterShape = (codec: Codec): ParameterShape => {
  const known = shapes.get(codec)
  if (known !== undefined) return known
  const shape = computeShape(codec)
  shapes.set(codec, shape)
  return shape
}

const shapes = new WeakMap<Codec, ParameterShape>()

const computeShape = (codec: Codec): ParameterShape => {
  const wrappers = unwrap(codec)
  const core = wrappers.at(-1) ?? codec
  const element = isMultiple(core) ? (children(core)[0] ?? core) : core
  const leaves = leavesOf(element)
  const separated = wrappers.find(isSeparated)
  const schemas = leaves.flatMap(schemaOf)
  const isSchemaOfLists = isStandardType(core) && acceptsOnlyLists(core.schema)
  return {
    isCollection: isMultiple(core) || isSchemaOfLists,
    separator: separated?.separator,
    keepsEscapes:
      wrappers.some(({ _tag }) => _tag === 'EncodedType') ||
      unwrap(element).some(({ _tag }) => _tag === 'EncodedType'),
    isCombined: wrappers.some(({ _tag }) => _tag === 'CombinedType'),
    keepsEmpty:
      leaves.some(
        ({ _tag }) => _tag === 'StringType' || _tag === 'UnknownType' || _tag === 'AnyType',
      ) || schemas.some(acceptsText),
    isUndefinedIfMissing:
      wrappers.some((wrapper) => wrapper._tag === 'WithDefaultType' || acceptsUndefined(wrapper)) ||
      (isSchemaOfLists && acceptsMissing(core.schema)),
    parsesText: schemas.length > 0,
    valueIfBare:
      leaves.some(({ _tag }) => _tag === 'BooleanType') || schemas.some(acceptsOnlyBooleans)
        ? 'true'
        : '',
    convert: firstAccepted(element, conversionsOf(isMultiple(core) ? element : codec)),
  }
}

const schemaOf = (codec: Codec): ReadonlyArray<AnySchema> =>
  isStandardType(codec) ? [codec.schema] : []

const isSeparated = (codec: Codec): codec is Codec & { readonly separator: string } =>
  codec._tag === 'SeparatedType'

/** Whether a codec decodes several values of a parameter. */
export const isMultiple = (codec: Codec): boolean =>
  isListOrSet(codec) || codec._tag === 'SegmentsType'

/**
 * Returns a codec and the codecs that it wraps, outermost first. `optional(c)` is treated as a wrapper around `c`, and so is
 * `nullable(c)` if `c` is a collection.
 */
const unwrap = (codec: Codec): ReadonlyArray<Codec> => {
  const inner = codec._tag === 'UnionType' ? unwrapUnion(codec) : wrapped(codec)
  return inner === undefined ? [codec] : [codec, ...unwrap(inner)]
}

const unwrapUnion = (union: Codec): Codec | undefined => {
  const members = children(union)
  const defined = members.filter(({ _tag }) => _tag !== 'UndefinedType')
  const [only, ...others] = defined.filter(({ _tag }) => _tag !== 'NullType')
  // `null` can be represented as text, unless the other values are collections
  const isWrapper = defined.length === 1 || (only !== undefined && isMultiple(unwrapAll(only)))
  return others.length === 0 && members.length > 1 && isWrapper ? (only ?? defined[0]) : undefined
}

const unwrapAll = (codec: Codec): Codec => unwrap(codec).at(-1) ?? codec

const acceptsUndefined = (codec: Codec): boolean =>
  codec._tag === 'UnionType' && children(codec).some(({ _tag }) => _tag === 'UndefinedType')

/** Removes all wrappers, unions and intersections from a codec, and returns the codecs that they contain. */
const leavesOf = (codec: Codec): ReadonlyArray<Codec> => {
  const inner = unwrapAll(codec)
  return isCombination(inner) ? children(inner).flatMap(leavesOf) : [inner]
}

type Convert = (text: string) => unknown

/** Returns the text unchanged. */
export const asText: Convert = (text) => text
/** Converts text to a number. Returns the text unchanged if it is not a JSON number or is beyond the range of doubles. */
const asNumber: Convert = (text) => {
  const value = numberGrammar.test(text) ? Number(text) : Number.NaN
  return Number.isFinite(value) ? value : text
}
/** Matches integers with at most 16 digits, because the largest safe integer has 16 digits. */
const safeIntegerGrammar = /^(?:0|-?[1-9]\d{0,15})$/
/**
 * Converts text to a number only if the text is the canonical form of a safe integer. Different texts are therefore never
 * converted to the same number.
 */
const asInteger: Convert = (text) => {
  const value = safeIntegerGrammar.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(value) ? value : text
}
/**
 * Converts text to a number if JavaScript formats the number as exactly this text. Each literal therefore has only one textual
 * form.
 */
const asLiteralNumber: Convert = (text) => {
  const value = asNumber(text)
  return String(value) === text ? value : text
}
/** Converts the canonical form of an integer with up to 1000 digits. */
const asBigint: Convert = (text) =>
  integerGrammar.test(text) && text.length <= 1000 ? BigInt(text) : text
const asBoolean: Convert = (text) => (text === 'true' ? true : text === 'false' ? false : text)
const asNull: Convert = (text) => (text === 'null' ? null : text)

/** The conversions that produce values other than strings. They return invalid text unchanged. */
const conversionsToValues: ReadonlySet<Convert> = new Set([
  asNumber,
  asInteger,
  asLiteralNumber,
  asBigint,
  asBoolean,
  asNull,
])

const leafConversions = (leaf: Codec): ReadonlyArray<Convert> => {
  switch (leaf._tag ?? '') {
    case 'NumberType':
      return [asNumber]
    case 'BigIntType':
      return [asBigint]
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
 * Returns the conversions for a codec. The number codecs inside a refinement that requires integers convert only integers, and so
 * do the number codecs in an intersection in which any codec requires integers.
 */
const conversionsOf = (codec: Codec): ReadonlyArray<Convert> => {
  const wrappers = unwrap(codec)
  const inner = wrappers.at(-1) ?? codec
  const parts = isCombination(inner)
    ? children(inner).flatMap(conversionsOf)
    : leafConversions(inner)
  const isIntegral =
    wrappers.some(refinesToIntegers) ||
    (inner._tag === 'IntersectionType' && parts.includes(asInteger))
  return isIntegral ? parts.map((convert) => (convert === asNumber ? asInteger : convert)) : parts
}

const refinesToIntegers = (codec: Codec): boolean =>
  isKnown(codec) && codec._tag === 'RefinementType' && requiresIntegers(codec.predicate)

/**
 * Returns a function that applies the first conversion whose result the codec accepts. If the codec accepts none of the
 * results, the function applies the first conversion.
 */
const firstAccepted = (element: Codec, all: ReadonlyArray<Convert>): Convert => {
  const conversions = [...new Set(all)]
  const [only, ...others] = conversions
  if (only === undefined) return asText
  if (others.length === 0) return only
  return (text) => {
    const accepted = conversions.find((convert) => {
      const value = convert(text)
      // a conversion to another type that leaves the text unchanged does not apply; `asText` handles strings
      return (
        value !== invalidText &&
        (value !== text || !conversionsToValues.has(convert)) &&
        isRight(element.decode(value))
      )
    })
    return (accepted ?? only)(text)
  }
}
