/** Resolves the JSON library and the custom functions of an operation. */
import type { Codec } from '../../codec/codec.ts'
import type { BackEnd } from '../../codec/generated/compiled-codec.ts'
import type { JsonLibrary } from '../../codec/json/json-library.ts'
import { platformJson } from '../../codec/json/json-library.ts'
import { losslessCodec } from '../../codec/json/lossless-codec.ts'
import type {
  Deserialization,
  JsonRules,
  Serialization,
} from '../../endpoint/internal/json-rules.ts'

/** A JSON library or functions other than the default. */
export interface CustomJson {
  readonly library: JsonLibrary
  /** The codec in the form that the library requires. */
  readonly form: Codec
  readonly rules: JsonRules
}

/** The JSON library and codec back end of the settings. */
export interface JsonSettings {
  readonly library: JsonLibrary
  readonly backEnd: BackEnd
}

/** Returns the custom JSON handling; `undefined` if the JSON functions of the platform are used. */
export const customJson = (
  codec: Codec,
  rules: JsonRules | undefined,
  settings: Pick<JsonSettings, 'library'>,
): CustomJson | undefined => {
  const library = rules?.library ?? settings.library
  return library === platformJson &&
    rules?.serialization === undefined &&
    rules?.deserialization === undefined
    ? undefined
    : {
        library,
        rules: rules ?? none,
        form: library.numbers === 'exact' ? losslessCodec(codec) : codec,
      }
}

const none: JsonRules = Object.freeze({})

/** Memoizes functions of the application by codec and library. A function that throws is called again. */
const memoizeByCodec = <T extends object, F extends object>(): ((
  make: (codec: Codec, tool: T) => F,
  codec: Codec,
  tool: T,
) => F) => {
  const memory = new WeakMap<object, WeakMap<Codec, WeakMap<T, F>>>()
  return (make, codec, tool) => {
    const byCodec = memory.get(make) ?? new WeakMap<Codec, WeakMap<T, F>>()
    memory.set(make, byCodec)
    const byTool = byCodec.get(codec) ?? new WeakMap<T, F>()
    byCodec.set(codec, byTool)
    const before = byTool.get(tool)
    if (before !== undefined) return before
    const made = make(codec, tool)
    byTool.set(tool, made)
    return made
  }
}

export const serializer: ReturnType<
  typeof memoizeByCodec<JsonLibrary['stringify'], ReturnType<Serialization>>
> = memoizeByCodec()

export const deserializer: ReturnType<
  typeof memoizeByCodec<JsonLibrary['parse'], ReturnType<Deserialization>>
> = memoizeByCodec()
