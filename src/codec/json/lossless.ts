/**
 * Parses and serializes JSON without losing digits. On Node.js, the `lossless-json` package is loaded when it is first needed.
 * If an object has multiple members with the same name, the last one is used, as in `JSON.parse`.
 */
import type { JsonLibrary } from './json-library.ts'
import { isBigint } from './json-library.ts'
import type { JsonNumber } from '../json-number.ts'
import { isJsonNumber, isPreserved, fromJsonText, isLosslessNumber } from '../json-number.ts'
import { canLoadModules, loadPackage } from '../../packages/load-package.ts'
import { MissingFeatureError } from '../missing-feature.ts'
import * as t from 'io-ts'
import { bigint } from '../decimal.ts'
import type { Codec } from '../codec.ts'
import type { LeafForm } from '../schema/position.ts'

/** The functions of the `lossless-json` package that this module uses. */
interface LosslessPackage {
  readonly parse: (
    text: string,
    reviver: null,
    options: {
      readonly parseNumber: (text: string) => unknown
      readonly onDuplicateKey: (duplicate: { readonly newValue: unknown }) => unknown
    },
  ) => unknown
  readonly stringify: (
    value: unknown,
    replacer: null,
    space: undefined,
    numbers: ReadonlyArray<{
      readonly test: (value: unknown) => boolean
      readonly stringify: (value: JsonNumber) => string
    }>,
  ) => string | undefined
}

interface Reader {
  readonly parse: (text: string) => unknown
  readonly stringify: (value: unknown) => string | undefined
}

/** `require` in the published files; see `load-package.ts`. */
declare const requireBundled: (name: 'lossless-json') => LosslessPackage

let loaded: Reader | undefined

/** Loads `lossless-json` on Node.js. Browsers use the built-in `JSON` object, because they cannot load packages on demand. */
const load = (): Reader => (canLoadModules() ? packageReader() : nativeLossless())

const packageReader = (): Reader => {
  const { parse, stringify } = loadPackage('lossless-json', () => requireBundled('lossless-json'))
  return {
    parse: (text) => parse(text, null, reading),
    stringify: (value) => stringify(value, null, undefined, writing),
  }
}

const reading = {
  parseNumber: fromJsonText,
  onDuplicateKey: ({ newValue }: { readonly newValue: unknown }): unknown => newValue,
}

const writing = [{ test: isJsonNumber, stringify: String }]

/**
 * The JSON library that preserves all digits of numbers. If `JSON.parse` preserves all numbers in a string, it is used instead of
 * `lossless-json`, because it is several times faster.
 */
export const lossless: JsonLibrary = Object.freeze({
  name: 'lossless',
  numbers: 'exact',
  parse: (text: string): unknown =>
    arePreserved(text) ? JSON.parse(text) : (loaded ??= load()).parse(text),
  stringify: (value: unknown): string | undefined => (loaded ??= load()).stringify(value),
})

/** Matches strings, whose end can be missing, and numbers. Malformed text does not cause backtracking. */
const stringsAndNumbers = /"(?:[^"\\]|\\[^])*"?|-?\d[\d.eE+-]*|-/g

/** Whether `JSON.parse` preserves all digits of all numbers in a string. */
const arePreserved = (text: string): boolean => {
  for (const [token] of text.matchAll(stringsAndNumbers))
    if (!token.startsWith('"') && !isPreserved(token)) return false
  return true
}

interface NativeJson {
  readonly rawJSON: (text: string) => object
  readonly parse: (
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ) => unknown
}

const hasRawJson = (json: object): json is NativeJson => 'rawJSON' in json

/**
 * Returns a parser and serializer that use `JSON.rawJSON` and the `source` text that `JSON.parse` passes to a reviver. These
 * features are available in Chromium 114, Firefox 135, Safari 18.4 and Node.js 21, and in later versions of each. Throws a
 * `MissingFeatureError` on other platforms.
 */
export const nativeLossless = (): {
  readonly parse: (text: string) => unknown
  readonly stringify: (value: unknown) => string | undefined
} => {
  const platform: object = JSON
  if (!hasRawJson(platform))
    throw new MissingFeatureError('missing feature: lossless JSON requires JSON.rawJSON')
  return {
    parse: (text) =>
      platform.parse(text, (_, value, { source }) =>
        typeof value === 'number' && source !== undefined ? fromJsonText(source) : value,
      ),
    // `member` is the result of `toJSON`, and `this[key]` is the original value
    stringify: (value) =>
      JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, key, member) {
        const original = this[key]
        return isJsonNumber(original) || typeof original === 'bigint'
          ? platform.rawJSON(String(original))
          : member
      }),
  }
}

/** Replaces codecs without structure by codecs for lossless JSON. */
export const exactNumbers: LeafForm = (codec) => {
  if (isBigint(codec)) return exactNumbers(bigint)
  if (isLosslessNumber(codec)) return codec.asNumber
  if (unchanged.has(codec._tag ?? '') || isTextual(codec)) return codec
  return codec._tag === 'AnyDictionaryType' ? rejectNumber(codec) : withRounding(codec)
}

/** Tags of codecs that do not have to be replaced. Each of them either accepts `JsonNumber` values or rejects all numbers. */
const unchanged: ReadonlySet<string> = new Set([
  'JsonType',
  'UnknownType',
  'AnyType',
  'AnyArrayType',
  'StringType',
  'BooleanType',
  'NullType',
  'UndefinedType',
  'VoidType',
  'KeyofType',
])

/**
 * Whether a codec accepts only literals that are not numbers. Such codecs must not be wrapped, because a tagged union uses
 * their literals to select one of its members.
 */
const isTextual = (codec: Codec): boolean =>
  (codec._tag === 'LiteralType' && 'value' in codec && typeof codec.value !== 'number') ||
  (codec._tag === 'EnumType' &&
    'values' in codec &&
    t.UnknownArray.is(codec.values) &&
    codec.values.every((value) => typeof value !== 'number'))

/** Wraps a codec for records so that it rejects `JsonNumber` values, which are objects but not records. */
const rejectNumber = (codec: Codec): Codec =>
  new t.Type<unknown, unknown>(
    codec.name,
    codec.is,
    (value, context) =>
      isJsonNumber(value) ? t.failure(value, context) : codec.validate(value, context),
    codec.encode,
  )

/**
 * Wraps a codec so that numbers are rounded to doubles before they are decoded. A number beyond the range of doubles results in a
 * validation error.
 */
const withRounding = (codec: Codec): Codec =>
  new t.Type<unknown, unknown>(
    codec.name,
    codec.is,
    (value, context) => {
      const rounded = roundNumbers(value)
      return rounded === outOfRange ? t.failure(value, context) : codec.validate(rounded, context)
    },
    codec.encode,
  )

const outOfRange: unique symbol = Symbol('outOfRange')

/** Replaces each `JsonNumber` with the nearest double. Returns the value itself if it contains no `JsonNumber`. */
const roundNumbers = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (isJsonNumber(value)) {
    const double = Number(value)
    return Number.isFinite(double) ? double : outOfRange
  }
  if (t.UnknownArray.is(value)) {
    const elements = value.map(roundNumbers)
    if (elements.includes(outOfRange)) return outOfRange
    return elements.every((element, at) => element === value[at]) ? value : elements
  }
  const members = Object.entries(value).map(([key, member]) => [key, roundNumbers(member)] as const)
  if (members.some(([, member]) => member === outOfRange)) return outOfRange
  const changed = members.filter(([key, member]) => Reflect.get(value, key) !== member)
  return changed.length === 0 ? value : { ...value, ...Object.fromEntries(changed) }
}

/** Replaces `t.bigint` by `bigint`, whose integers are strings in JSON. */
export const textualIntegers: LeafForm = (codec) => (isBigint(codec) ? bigint : codec)
