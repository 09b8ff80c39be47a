/** Writes JSON by a codec. */
import type { Codec } from '../../codec/codec.ts'
import { compileCodec } from '../../codec/generated/compiled-codec.ts'
import type { Visibility } from '../../codec/visibility/visibility.ts'
import type { JsonRules } from '../../endpoint/internal/json-rules.ts'
import type { CustomJson, JsonSettings } from './json-rules.ts'
import { serializer, customJson } from './json-rules.ts'

/** The JSON text of a value; `undefined` where there is none, as of `undefined`. */
export type WriteJson = (value: unknown) => string | undefined

/** Prepares writing, as the rules say. A function that gives no text for a value that has one is a defect. */
export const writeJson = (
  codec: Codec,
  usual: JsonSettings,
  rules: JsonRules | undefined,
  visibility: Visibility,
): WriteJson => {
  const otherwise = customJson(codec, rules, usual)
  if (otherwise === undefined) return compileCodec(codec, 'drop', usual.backEnd, visibility).write
  const { encode } = compileCodec(otherwise.form, 'drop', usual.backEnd, visibility)
  const write = customSerializer(codec, otherwise)
  return (value) => write(encode(value))
}

/** Writes what was encoded. */
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

/** Programs in JavaScript return what they like. */
const stringOf = (written: unknown): string => {
  if (typeof written === 'string') return written
  throw new TypeError(`a JSON text is ${written === null ? 'null' : typeof written}`)
}

const textOf = (written: unknown): string | undefined =>
  written === undefined ? undefined : stringOf(written)
