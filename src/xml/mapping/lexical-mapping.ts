/**
 * Lexical mappings: single values as text, in the notation of XML Schema.
 *
 * Parsing returns the JSON value that the codec decodes. A text without a matching value stays a string, which the codec rejects.
 *
 * @see https://www.w3.org/TR/xmlschema11-2/#built-in-datatypes
 */
import { isRight } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Codec } from '../../codec/codec.ts'

/** Converts between texts and the values of a codec. */
export interface LexicalMapping {
  /** Returns the value to decode. */
  readonly parse: (text: string) => unknown
  /** Returns the text of a value, `undefined` for a missing value, and `null` for nil. */
  readonly format: (value: unknown) => string | null | undefined
}

type ParseText = LexicalMapping['parse']

const double = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/
const integer = /^[+-]?\d+$/

/**
 * Trims white space. Uses a loop, because a regular expression such as `/ +$/` takes quadratic time for texts with many spaces.
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

/** Codecs without a lexical mapping. */
const withoutLexicalMapping: ReadonlySet<string> = new Set([
  'UnknownType',
  'AnyType',
  'NeverType',
  'FunctionType',
  'AnyArrayType',
  'AnyDictionaryType',
  'ObjectType',
])

/** Whether a codec without structure has a lexical mapping. */
export const hasLexicalMapping = (codec: Codec): boolean =>
  !withoutLexicalMapping.has(codec._tag ?? '')

/** A mapping that formats nothing, used as a placeholder. */
export const unsupportedText: LexicalMapping = { parse: parseString, format: () => undefined }

/** Returns the mapping of a codec without structure. */
export const leafMapping = (codec: Codec): LexicalMapping => ({
  parse: parsers.get(codec._tag ?? '') ?? firstDecodable(codec),
  format: codec.encode === t.identity ? formatSingle : (value) => formatSingle(codec.encode(value)),
})

/** Returns the mapping of a union: the first codec that decodes a text, and the first whose type a value has. */
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
      const found = codecs.find(({ codec }) => codec.is(value))
      if (found === undefined) throw new TypeError('value does not match any codec of the union')
      return found.lexical.format(value)
    },
  }
}

const space = /[ \t\n\r]+/

/** Returns the mapping of a collection: texts separated by spaces. `at` returns the mapping of a position. */
export const listMapping = (at: (position: number) => LexicalMapping): LexicalMapping => ({
  parse: (text) => {
    const trimmed = trimWhiteSpace(text)
    return trimmed === '' ? [] : trimmed.split(space).map((one, index) => at(index).parse(one))
  },
  format: (values) => {
    if (!(values instanceof Set) && !t.UnknownArray.is(values))
      throw new TypeError('expected a list, set or tuple')
    return Array.from<unknown, string>(values, (value, index) => {
      const text = at(index).format(value)
      if (text === undefined || text === null || text === '' || space.test(text))
        throw new TypeError('a value of xmlList must have a non-empty text without white space')
      return text
    }).join(' ')
  },
})

/** Parses for a codec of unknown input: returns the first value that it decodes. Tries the unchanged text first. */
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
