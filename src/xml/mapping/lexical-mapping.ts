/**
 * Converts single values to and from their text representation, as defined by XML Schema.
 *
 * Parsing returns the JSON value to be decoded by the codec. Text that does not represent a valid value is returned
 * unchanged, and the codec rejects it.
 *
 * @see https://www.w3.org/TR/xmlschema11-2/#built-in-datatypes
 */
import { isRight } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Codec } from '../../codec/codec.ts'
import { describesStructures } from '../../codec/standard-schema/accepted-types.ts'
import { isStandardType } from '../../codec/standard-schema/standard-schema.ts'
import { isSet } from '../../http/platform-value.ts'

/** Converts the values of a codec to and from text. */
export interface LexicalMapping {
  /** Parses text. Returns the value to be decoded by the codec. */
  readonly parse: (text: string) => unknown
  /**
   * Formats a value as text. Returns `undefined` if the value is missing, and `null` if the value must be written as an
   * `xsi:nil` element.
   */
  readonly format: (value: unknown) => string | null | undefined
}

type ParseText = LexicalMapping['parse']

const double = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/
const integer = /^[+-]?\d+$/

/**
 * Removes leading and trailing whitespace. A loop is used because a regular expression such as `/ +$/` needs quadratic
 * time for strings with many spaces.
 */
const trimWhiteSpace = (text: string): string => {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text.charCodeAt(start))) start++
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

const isSpace = (code: number): boolean =>
  code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d

const parseString: ParseText = (text) => text
const parseNumber: ParseText = (text) => {
  const trimmed = trimWhiteSpace(text)
  if (double.test(trimmed)) return Number(trimmed)
  if (trimmed === 'INF' || trimmed === '+INF') return Infinity
  if (trimmed === '-INF') return -Infinity
  return trimmed === 'NaN' ? Number.NaN : text
}
const parseBoolean: ParseText = (text) => {
  const trimmed = trimWhiteSpace(text)
  if (trimmed === 'true' || trimmed === '1') return true
  return trimmed === 'false' || trimmed === '0' ? false : text
}
const parseBigint: ParseText = (text) => {
  const trimmed = trimWhiteSpace(text)
  return integer.test(trimmed) ? BigInt(trimmed.replace('+', '')) : text
}

const parsers: ReadonlyMap<string, ParseText> = new Map([
  ['StringType', parseString],
  ['NumberType', parseNumber],
  ['BooleanType', parseBoolean],
  ['BigIntType', parseBigint],
])

/** The tags of codecs without a lexical mapping. */
const withoutLexicalMapping: ReadonlySet<string> = new Set([
  'UnknownType',
  'AnyType',
  'NeverType',
  'FunctionType',
  'AnyArrayType',
  'AnyDictionaryType',
  'ObjectType',
])

/** Whether an unstructured codec has a lexical mapping. */
export const hasLexicalMapping = (codec: Codec): boolean =>
  isStandardType(codec)
    ? !describesStructures(codec.schema)
    : !withoutLexicalMapping.has(codec._tag ?? '')

/** A placeholder mapping for content models that are still being derived. `format` always returns `undefined`. */
export const unsupportedText: LexicalMapping = { parse: parseString, format: () => undefined }

/** Returns the lexical mapping of an unstructured codec. */
export const leafMapping = (codec: Codec): LexicalMapping => ({
  parse: parsers.get(codec._tag ?? '') ?? firstDecodable(codec),
  format: codec.encode === t.identity ? formatSingle : (value) => formatSingle(codec.encode(value)),
})

/**
 * Returns the lexical mapping of a union. Text is parsed with the first codec that can decode it. A value is formatted
 * with the first codec whose type guard accepts it.
 */
export const unionMapping = (
  codecs: ReadonlyArray<{ readonly codec: Codec; readonly lexical: LexicalMapping }>,
): LexicalMapping => {
  const [only] = codecs
  if (only !== undefined && codecs.length === 1) return only.lexical
  return {
    parse: (text) => {
      for (const { codec, lexical } of codecs) {
        const parsed = lexical.parse(text)
        if (isRight(codec.decode(parsed))) return parsed
      }
      return text
    },
    format: (value) => {
      const matching = codecs.find(({ codec }) => codec.is(value))
      if (matching === undefined)
        throw new TypeError('invalid value: expected a value that matches a member of the union')
      return matching.lexical.format(value)
    },
  }
}

const space = /[ \t\n\r]+/

/**
 * Returns the lexical mapping of a collection whose values are separated by spaces. `mappingAt` returns the mapping of
 * the value at a given position.
 */
export const listMapping = (mappingAt: (position: number) => LexicalMapping): LexicalMapping => ({
  parse: (text) => {
    const trimmed = trimWhiteSpace(text)
    return trimmed === ''
      ? []
      : trimmed.split(space).map((item, index) => mappingAt(index).parse(item))
  },
  format: (values) => {
    if (!isSet(values) && !t.UnknownArray.is(values))
      throw new TypeError('expected a list, set or tuple')
    return Array.from<unknown, string>(values, (value, index) => {
      const text = mappingAt(index).format(value)
      if (text === undefined || text === null || text === '' || space.test(text))
        throw new TypeError('invalid xmlList value: expected non-empty text without whitespace')
      return text
    }).join(' ')
  },
})

/**
 * Returns a parser for an opaque codec. The parser tries to interpret the text as a string, a trimmed string, a number,
 * and then a boolean. It returns the first value that the codec can decode. If there is no such value, it
 * returns the unchanged text.
 */
const firstDecodable =
  (codec: Codec): ParseText =>
  (text) => {
    for (const parse of [parseString, trimWhiteSpace, parseNumber, parseBoolean]) {
      const parsed = parse(text)
      if (isRight(codec.decode(parsed))) return parsed
    }
    return text
  }

const formatSingle = (value: unknown): string | null | undefined => {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
      return Number.isFinite(value) ? String(value) : formatNonFinite(value)
    case 'boolean':
    case 'bigint':
      return String(value)
    case 'undefined':
      return undefined
    default:
      if (value === null) return null
      throw new TypeError('expected a single value')
  }
}

const formatNonFinite = (value: number): string =>
  Number.isNaN(value) ? 'NaN' : value > 0 ? 'INF' : '-INF'
