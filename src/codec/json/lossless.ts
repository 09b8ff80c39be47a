/**
 * Lossless JSON. Node.js uses the package `lossless-json`, which is loaded for the first text that needs it. The last of
 * several members with the same name is used, as in `JSON.parse`.
 */
import type { JsonLibrary } from './json-library.ts'
import type { JsonNumber } from './json-number.ts'
import { isJsonNumber, isPreserved, fromJsonText } from './json-number.ts'
import { canLoadModules, MissingFeatureError } from '../node-modules.ts'

/** The functions of the package that are used. */
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

let loaded: Reader | undefined

/** Uses `JSON` itself in browsers, which cannot load packages on demand. */
const load = (): Reader => (canLoadModules() ? packageReader() : nativeLossless())

const packageReader = (): Reader => {
  const { parse, stringify }: LosslessPackage = process
    .getBuiltinModule('node:module')
    .createRequire(import.meta.url)('lossless-json')
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

/** `JSON.parse` is several times faster, so it parses every text whose numbers it preserves. */
export const lossless: JsonLibrary = Object.freeze({
  name: 'lossless',
  numbers: 'exact',
  parse: (text: string): unknown =>
    arePreserved(text) ? JSON.parse(text) : (loaded ??= load()).parse(text),
  stringify: (value: unknown): string | undefined => (loaded ??= load()).stringify(value),
})

const [quote, backslash, minus, zero, nine] = [0x22, 0x5c, 0x2d, 0x30, 0x39]

const isDigit = (code: number): boolean => code >= zero && code <= nine

/** Whether a character can follow the first one of a number: digits, `.`, `e`, `E`, `+`, `-`. */
const isNumberPart = (code: number): boolean =>
  isDigit(code) ||
  code === 0x2e ||
  code === 0x65 ||
  code === 0x45 ||
  code === 0x2b ||
  code === minus

/** Whether doubles preserve all numbers of a text. One pass without backtracking, also for malformed JSON. */
const arePreserved = (text: string): boolean => {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      for (at++; at < text.length && text.charCodeAt(at) !== quote; at++)
        if (text.charCodeAt(at) === backslash) at++
    } else if (code === minus || isDigit(code)) {
      const from = at
      while (isNumberPart(text.charCodeAt(at + 1))) at++
      if (!isPreserved(text.slice(from, at + 1))) return false
    }
  }
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
 * Returns a parser and serializer based on `JSON.rawJSON` and the source text access of `JSON.parse` (Chromium 114, Firefox
 * 135, Safari 18.4, Node.js 21). Throws on other platforms.
 */
export const nativeLossless = (): {
  readonly parse: (text: string) => unknown
  readonly stringify: (value: unknown) => string | undefined
} => {
  const platform: object = JSON
  if (!hasRawJson(platform))
    throw new MissingFeatureError('JSON with every digit needs a platform that has JSON.rawJSON')
  return {
    parse: (text) =>
      platform.parse(text, (_, value, { source }) =>
        typeof value === 'number' && source !== undefined ? fromJsonText(source) : value,
      ),
    // the container has the value before `toJSON` was called
    stringify: (value) =>
      JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, key, shown) {
        const held = this[key]
        return isJsonNumber(held) || typeof held === 'bigint'
          ? platform.rawJSON(String(held))
          : shown
      }),
  }
}
