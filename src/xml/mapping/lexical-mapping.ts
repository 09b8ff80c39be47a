/**
 * Single values as text, as XML Schema writes them. What a text stands for is the JSON value that the codec decodes; a text that
 * stands for nothing stays a text, and the codec refuses it.
 *
 * @see https://www.w3.org/TR/xmlschema11-2/#built-in-datatypes
 */
import { isRight } from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import type { Codec } from '../../codec/codec.ts'

export interface Lexical {
  /** The value that the codec is given for a text. */
  readonly lift: (text: string) => unknown
  /** The text of a value of the codec; `undefined` where there is none, `null` for what is nil. */
  readonly format: (value: unknown) => string | null | undefined
}

type Lift = Lexical['lift']

const double = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/
const integer = /^[+-]?\d+$/

/**
 * Removes the white space around a text, which is not part of a number and the like. A loop, because a regular expression looks for
 * the end of the text from every space in it: its time grew with the square of the spaces.
 */
const collapsed = (text: string): string => {
  let start = 0
  let end = text.length
  while (start < end && isSpace(text.charCodeAt(start))) start++
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

const isSpace = (code: number): boolean =>
  code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d

const asText: Lift = (text) => text
const asNumber: Lift = (text) => {
  const trimmed = collapsed(text)
  if (double.test(trimmed)) return Number(trimmed)
  if (trimmed === 'INF' || trimmed === '+INF') return Infinity
  if (trimmed === '-INF') return -Infinity
  return trimmed === 'NaN' ? Number.NaN : text
}
const asBoolean: Lift = (text) => {
  const trimmed = collapsed(text)
  if (trimmed === 'true' || trimmed === '1') return true
  return trimmed === 'false' || trimmed === '0' ? false : text
}
const asBigint: Lift = (text) => {
  const trimmed = collapsed(text)
  return integer.test(trimmed) ? BigInt(trimmed.replace('+', '')) : text
}

const lifts: ReadonlyMap<string, Lift> = new Map([
  ['StringType', asText],
  ['NumberType', asNumber],
  ['BooleanType', asBoolean],
  ['BigIntType', asBigint],
])

/** Kinds of values that are many things at once, or none that has a text. */
const unwritten: ReadonlySet<string> = new Set([
  'UnknownType',
  'AnyType',
  'NeverType',
  'FunctionType',
  'AnyArrayType',
  'AnyDictionaryType',
  'ObjectType',
])

/** Whether values of a codec without structure can have a text. */
export const hasText = (codec: Codec): boolean => !unwritten.has(codec._tag ?? '')

/** Of what has no text at all. */
export const noText: Lexical = { lift: asText, format: () => undefined }

/** Of a codec without structure. */
export const ofLeaf = (codec: Codec): Lexical => ({
  lift: lifts.get(codec._tag ?? '') ?? lifting(codec),
  format: codec.encode === t.identity ? formatted : (value) => formatted(codec.encode(value)),
})

/** Of several codecs: the first that takes a text, and the first that a value is of. */
export const ofUnion = (
  codecs: ReadonlyArray<{ readonly codec: Codec; readonly lexical: Lexical }>,
): Lexical => {
  const [only] = codecs
  if (only !== undefined && codecs.length === 1) return only.lexical
  return {
    lift: (text) => {
      for (const { codec, lexical } of codecs) {
        const lifted = lexical.lift(text)
        if (isRight(codec.decode(lifted))) return lifted
      }
      return text
    },
    format: (value) => {
      const found = codecs.find(({ codec }) => codec.is(value))
      if (found === undefined) throw new TypeError('a value is of none of the codecs of a union')
      return found.lexical.format(value)
    },
  }
}

const space = /[ \t\n\r]+/

/** Of a collection of such values: their texts with spaces between. A tuple has one for each position. */
export const ofList = (at: (position: number) => Lexical): Lexical => ({
  lift: (text) => {
    const trimmed = collapsed(text)
    return trimmed === '' ? [] : trimmed.split(space).map((one, index) => at(index).lift(one))
  },
  format: (values) => {
    if (!(values instanceof Set) && !t.UnknownArray.is(values))
      throw new TypeError('a value is no collection where a list is declared')
    return Array.from<unknown, string>(values, (value, index) => {
      const text = at(index).format(value)
      if (text === undefined || text === null || text === '' || space.test(text))
        throw new TypeError('a value with white space, or without a text, cannot stand in a list')
      return text
    }).join(' ')
  },
})

/** Of a codec that says nothing of what it reads: the first that it takes. Texts come first, as they are. */
const lifting =
  (codec: Codec): Lift =>
  (text) => {
    for (const lift of [asText, collapsed, asNumber, asBoolean]) {
      const lifted = lift(text)
      if (isRight(codec.decode(lifted))) return lifted
    }
    return text
  }

const formatted = (value: unknown): string | null | undefined => {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
      return Number.isFinite(value) ? String(value) : infinite(value)
    case 'boolean':
    case 'bigint':
      return String(value)
    case 'undefined':
      return undefined
    default:
      if (value === null) return null
      throw new TypeError('a value is no single one where XML has a text')
  }
}

const infinite = (value: number): string =>
  Number.isNaN(value) ? 'NaN' : value > 0 ? 'INF' : '-INF'
