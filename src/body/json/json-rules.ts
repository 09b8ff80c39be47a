/**
 * Creates the functions that read and write JSON, based on the JSON library and the custom functions declared for an operation.
 */
import type { Codec } from '../../codec/codec.ts'
import type { BackEnd } from '../../codec/compiled/compiled-codec.ts'
import type { JsonLibrary } from '../../codec/json/json-library.ts'
import { containsBigint, platformJson } from '../../codec/json/json-library.ts'
import { exactNumbers, lossless, textualIntegers } from '../../codec/json/lossless.ts'
import type {
  Deserialization,
  JsonRules,
  Serialization,
} from '../../endpoint/definition/json-rules.ts'
import * as E from 'fp-ts/lib/Either.js'
import type { LeafForm } from '../../codec/schema/position.ts'
import { ownForm } from '../../codec/schema/position.ts'
import { compileCodec } from '../../codec/compiled/compiled-codec.ts'
import type { UndeclaredHandling } from '../../codec/structure/undeclared-members.ts'
import * as JsonText from '../../codec/json/json-guard.ts'
import { isHttpError } from '../../endpoint/http-error.ts'
import type { BodyOptions } from '../body-plan.ts'
import { inputVisibility } from '../body-plan.ts'
import type { ReadBody, ParseJson, TransformJson } from '../decode-body.ts'
import { jsonReader, plainParser } from '../decode-body.ts'
import type { Visibility } from '../../codec/visibility/visibility.ts'

/** The JSON customization of an operation that uses its own JSON library or custom functions, or `t.bigint`. */
export interface CustomJson {
  readonly library: JsonLibrary
  /** The form for numbers of the library: all digits are preserved, or the integers of `t.bigint` are strings. */
  readonly numbers: LeafForm
  readonly rules: JsonRules
}

/** The JSON library and the codec back end. */
export interface JsonSettings {
  readonly library: JsonLibrary
  readonly backEnd: BackEnd
}

/**
 * Returns the JSON customization of an operation. Returns `undefined` if values are read and written with the global `JSON`
 * object.
 */
export const customJson = (
  codec: Codec,
  rules: JsonRules | undefined,
  settings: Pick<JsonSettings, 'library'>,
): CustomJson | undefined => {
  const library = rules?.library ?? settings.library
  const numbers = numbersOf(codec, library.numbers === 'exact')
  return library === platformJson &&
    rules?.serialization === undefined &&
    rules?.deserialization === undefined &&
    numbers === ownForm
    ? undefined
    : { library, rules: rules ?? none, numbers }
}

/** Returns the form for the numbers of a codec. */
export const numbersOf = (codec: Codec, isExact: boolean): LeafForm =>
  isExact ? exactNumbers : containsBigint(codec) ? textualIntegers : ownForm

const none: JsonRules = Object.freeze({})

/**
 * Creates a function that calls a factory provided by the application and caches the result for each combination of factory,
 * codec and library. If the factory throws an exception, nothing is cached.
 */
const memoizeByCodec = <T extends object, F extends object>(): ((
  create: (codec: Codec, library: T) => F,
  codec: Codec,
  library: T,
) => F) => {
  const cache = new WeakMap<object, WeakMap<Codec, WeakMap<T, F>>>()
  return (create, codec, library) => {
    const byCodec = cache.get(create) ?? new WeakMap<Codec, WeakMap<T, F>>()
    cache.set(create, byCodec)
    const byLibrary = byCodec.get(codec) ?? new WeakMap<T, F>()
    byCodec.set(codec, byLibrary)
    const existing = byLibrary.get(library)
    if (existing !== undefined) return existing
    const created = create(codec, library)
    byLibrary.set(library, created)
    return created
  }
}

const serializer: ReturnType<
  typeof memoizeByCodec<JsonLibrary['stringify'], ReturnType<Serialization>>
> = memoizeByCodec()

const deserializer: ReturnType<
  typeof memoizeByCodec<JsonLibrary['parse'], ReturnType<Deserialization>>
> = memoizeByCodec()

/** The settings for reading JSON. */
export interface JsonReadSettings extends JsonSettings {
  /** How undeclared members are handled. */
  readonly undeclared: UndeclaredHandling
  readonly bounds: JsonText.JsonBounds
}

/** Creates a function that reads a JSON body, with the JSON customization of the operation. */
export const readJson = (
  codec: Codec,
  settings: JsonReadSettings,
  options: Pick<BodyOptions, 'json' | 'visibility'> = {},
  transform?: TransformJson,
): ReadBody => {
  const { undeclared, bounds } = settings
  const custom = customJson(codec, options.json, settings)
  const effectiveVisibility = inputVisibility(codec, options.visibility)
  const compiled = compileCodec(
    codec,
    undeclared,
    settings.backEnd,
    effectiveVisibility,
    custom?.numbers,
  )
  const parse =
    custom === undefined ? plainParser(compiled, bounds) : customParser(codec, custom, bounds)
  return jsonReader(compiled, parse, transform)
}

/**
 * Returns the parser for a custom library or function. An `HttpError` thrown by the library or function determines the response.
 */
const customParser = (
  codec: Codec,
  { library, rules: { deserialization } }: CustomJson,
  bounds: JsonText.JsonBounds,
): ParseJson => {
  const { parse } = library
  const read =
    deserialization === undefined
      ? parse
      : (text: string): unknown => deserializer(deserialization, codec, parse)(text)
  return (bytes) => {
    const value = JsonText.parseWith(bytes, bounds, read, read === lossless.parse)
    if (E.isLeft(value) && isHttpError(value.left.cause)) throw value.left.cause
    return value
  }
}

/** Writes a value as JSON text. Returns `undefined` if the value has no JSON representation. */
export type WriteJson = (value: unknown) => string | undefined

/** Returns a function that writes JSON and throws a `TypeError` if a custom function does not return a string. */
export const writeJson = (
  codec: Codec,
  settings: JsonSettings,
  rules: JsonRules | undefined,
  visibility: Visibility,
): WriteJson => {
  const custom = customJson(codec, rules, settings)
  if (custom === undefined) return compileCodec(codec, 'drop', settings.backEnd, visibility).write
  const { encode } = compileCodec(codec, 'drop', settings.backEnd, visibility, custom.numbers)
  const write = customSerializer(codec, custom)
  return (value) => write(encode(value))
}

/** Returns a function that serializes encoded values with a custom library or function. */
export const customSerializer = (
  codec: Codec,
  { library: { stringify }, rules: { serialization } }: CustomJson,
): WriteJson =>
  serialization === undefined
    ? (encoded) => textOf(stringify(encoded))
    : (encoded) =>
        encoded === undefined
          ? undefined
          : stringOf(serializer(serialization, codec, stringify)(encoded))

/** Checks that a custom function has returned a string. TypeScript cannot guarantee this for functions written in JavaScript. */
const stringOf = (result: unknown): string => {
  if (typeof result === 'string') return result
  throw new TypeError(
    `invalid JSON text: expected a string, got ${result === null ? 'null' : typeof result}`,
  )
}

const textOf = (result: unknown): string | undefined =>
  result === undefined ? undefined : stringOf(result)
