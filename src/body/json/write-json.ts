/** Writes JSON bodies by a codec. */
import type { Codec } from '../../codec/codec.ts'
import { compileCodec } from '../../codec/generated/compiled-codec.ts'
import type { Visibility } from '../../codec/visibility/visibility.ts'
import type { JsonRules } from '../../endpoint/internal/json-rules.ts'
import type { CustomJson, JsonSettings } from './json-rules.ts'
import { serializer, customJson } from './json-rules.ts'

/** Returns the JSON text of a value; `undefined` for a value without one, such as `undefined`. */
export type WriteJson = (value: unknown) => string | undefined

/** Creates a JSON writer. A custom function that returns no text for a present value causes an internal error. */
export const writeJson = (
  codec: Codec,
  settings: JsonSettings,
  rules: JsonRules | undefined,
  visibility: Visibility,
): WriteJson => {
  const custom = customJson(codec, rules, settings)
  if (custom === undefined) return compileCodec(codec, 'drop', settings.backEnd, visibility).write
  const { encode } = compileCodec(custom.form, 'drop', settings.backEnd, visibility)
  const write = customSerializer(codec, custom)
  return (value) => write(encode(value))
}

/** Returns the writer of encoded values of a custom library or function. */
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

/** Checks the result of a custom function, which may be written in JavaScript. */
const stringOf = (written: unknown): string => {
  if (typeof written === 'string') return written
  throw new TypeError(
    `invalid JSON text: expected a string, got ${written === null ? 'null' : typeof written}`,
  )
}

const textOf = (written: unknown): string | undefined =>
  written === undefined ? undefined : stringOf(written)
